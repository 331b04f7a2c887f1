"""Random games, move by move beside OpenSpiel's implementation of the same rules."""

import random

import numpy as np
import pytest

from nought.compile import compiled
from nought.games import Game, load
from tests.games.samples import example

pyspiel = pytest.importorskip("pyspiel")


def dots_and_boxes_edges(rows: int, columns: int) -> list[int]:
    """OpenSpiel's number of each of our edges: it counts all horizontal edges first."""
    edges = []
    for row in range(2 * rows + 1):
        if row % 2 == 0:
            edges += [row // 2 * columns + column for column in range(columns)]
        else:
            edges += [
                (rows + 1) * columns + row // 2 * (columns + 1) + column for column in range(columns + 1)
            ]
    return edges


GAMES = {
    "tictactoe": "tic_tac_toe",
    "connect4": "connect_four",
    "dots-and-boxes:2x2": "dots_and_boxes(num_rows=2,num_cols=2,utility_margin=true)",
    "dots-and-boxes:3x3": "dots_and_boxes(num_rows=3,num_cols=3,utility_margin=true)",
    "dots-and-boxes:4x6": "dots_and_boxes(num_rows=4,num_cols=6,utility_margin=true)",
    "othello": "othello",
}
COUNTS = {"dots-and-boxes:4x6": 1_000}


@pytest.mark.parametrize("name", GAMES)
def test_random_games_agree_with_openspiel(name: str) -> None:
    game, theirs = load(name), pyspiel.load_game(GAMES[name])
    rules = compiled(game)
    dots = name.startswith("dots")
    spiel_action = dots_and_boxes_edges(*game.rules.SIZE) if dots else list(range(game.actions))
    our_action = {action: i for i, action in enumerate(spiel_action)}
    moves = np.zeros(game.actions, np.int32)
    choose = random.Random(name).random
    double_moves = 0
    for _ in range(COUNTS.get(name, 10_000)):
        state, position = game.zero_state(), theirs.new_initial_state()
        rules.start(state)
        previous = -1
        while not position.is_terminal():
            legal = position.legal_actions()
            if legal[0] >= game.actions:  # OpenSpiel's Othello has a move for passing; ours passes by itself
                position.apply_action(legal[0])
                continue
            assert not rules.finished(state)
            assert rules.player(state) == position.current_player()
            ours = moves[: rules.legal_moves(state, moves)].tolist()
            assert ours == sorted(our_action[action] for action in legal)
            double_moves += rules.player(state) == previous
            previous = rules.player(state)
            move = ours[int(choose() * len(ours))]
            rules.play(state, move)
            position.apply_action(spiel_action[move])
        assert rules.finished(state)
        assert rules.legal_moves(state, moves) == 0
        returns = position.returns()[0]
        assert rules.result(state) == np.sign(returns)
        if dots:
            assert rules.margin(state) == returns
    assert (double_moves > 0) == (dots or name == "othello")


def breakthrough_move(game: Game, player: int, action: int) -> str:
    """OpenSpiel's name of one of our moves. Its first player walks down the board; so does ours on a turned one."""
    rows, columns = game.rules.SIZE
    cells = [action // 3, int(game.rules.TARGET[action])]
    if player == 0:
        cells = [rows * columns - 1 - cell for cell in cells]
    return "".join("abcdefgh"[cell % columns] + str(rows - cell // columns) for cell in cells)


def hex_move(game: Game, _: int, action: int) -> str:
    return "abcdefgh"[action % game.rules.N] + str(action // game.rules.N + 1)


def mancala_move(_: Game, player: int, action: int) -> str:
    return str(action + 1 + 7 * player)


EXAMPLES = {
    "breakthrough:6x5": ("breakthrough(rows=6,columns=5)", breakthrough_move),
    "breakthrough:8x8": ("breakthrough", breakthrough_move),
    "hex:5": ("hex(board_size=5)", hex_move),
    "kalah": ("mancala", mancala_move),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_agree_with_openspiel(name: str) -> None:
    theirs, name_of = EXAMPLES[name]
    game, spiel = example(name), pyspiel.load_game(theirs)
    rules, moves, chance = compiled(game), np.zeros(game.actions, np.int32), random.Random(name)
    for _ in range(300):
        state, position = game.zero_state(), spiel.new_initial_state()
        rules.start(state)
        while not position.is_terminal():
            assert not rules.finished(state)
            player = rules.player(state)
            assert player == position.current_player()
            ours = {
                name_of(game, player, int(move)): int(move)
                for move in moves[: rules.legal_moves(state, moves)]
            }
            their = {position.action_to_string(move).rstrip("*"): move for move in position.legal_actions()}
            assert sorted(ours) == sorted(their)
            move = chance.choice(sorted(ours))
            rules.play(state, ours[move])
            position.apply_action(their[move])
        assert rules.finished(state)
        assert rules.result(state) == np.sign(position.returns()[0])


def test_dots_and_boxes_edge_numbers() -> None:
    assert dots_and_boxes_edges(1, 1) == [0, 2, 3, 1]
    assert dots_and_boxes_edges(2, 2) == [0, 1, 6, 7, 8, 2, 3, 9, 10, 11, 4, 5]
