"""Every position of small games."""

from __future__ import annotations

import pytest

from nought.errors import NoughtError
from nought.games import Position, load
from nought.games.registry import game_from_source
from nought.oracle import find_oracle
from nought.oracle.exhaustive import Exhaustive
from tests.oracle.positions import final_margin, late_positions, result_and_plies

# Take 1 to 3 from a heap; who takes the last one moves on with a heap of 5 more, once; fractional results.
HEAPS = """
'''Heaps.'''
import numpy as np
STATE = (np.int8, 3)
ACTIONS, PLANES, LONGEST = 3, (1, 1, 3), {longest}
def start(state): state[0] = 7
def player(state): return state[1]
def legal_moves(state, moves):
    n = min(state[0], 3)
    for i in range(n):
        moves[i] = i
    return n
def play(state, action):
    state[0] -= action + 1
    if state[0] == 0 and state[2] == 0:
        state[0], state[2] = 5, 1
    else:
        state[1] = 1 - state[1]
def finished(state): return state[0] == 0
def result(state): return {result}
def planes(state, out): out[0, 0, 0] = state[0]
"""


def all_positions(start: Position) -> list[Position]:
    seen, todo = {start}, [start]
    while todo:
        for move in (position := todo.pop()).legal:
            if (following := position.play(move)) not in seen:
                seen.add(following)
                todo.append(following)
    return list(seen)


def sign(position: Position) -> int:
    return -1 if position.player else 1


def test_tictactoe_agrees_with_plain_minimax_on_every_position() -> None:
    game = load("tictactoe")
    oracle = find_oracle(game)
    judged = 0
    for position in all_positions(game.start()):
        if position.finished:
            assert not oracle.knows(position)
            continue
        found = oracle.judge(position)
        assert list(found.scores) == position.legal
        for move, score in found.scores.items():
            result, plies = result_and_plies(position.play(move))
            result *= sign(position)
            assert score == result * (game.longest - plies)
            assert found.outcomes[move] == result
        judged += 1
    assert judged == 4520


def test_the_margin_is_the_score_where_points_count() -> None:
    game = load("dots-and-boxes:2x2")
    oracle = Exhaustive(game)
    for position in late_positions(game, 1000, most_left=12):
        found = oracle.judge(position)
        for move, score in found.scores.items():
            assert score == sign(position) * final_margin(position.play(move))


@pytest.mark.parametrize("result", ["1.0 - 2 * state[1]", "0.1 - 0.7 * state[1]"])
def test_your_own_game_whose_players_do_not_alternate(result: str) -> None:
    game = game_from_source("heaps.py", HEAPS.format(longest=12, result=result))
    oracle = Exhaustive(game)
    for position in all_positions(game.start()):
        if not position.finished:
            found = oracle.judge(position)
            values = {m: sign(position) * result_and_plies(position.play(m))[0] for m in position.legal}
            assert found.outcomes == {m: (value > 0) - (value < 0) for m, value in values.items()}
            assert set(found.best) <= set(found.keeping)


def test_games_that_cannot_be_compiled_are_judged_too() -> None:
    pytest.importorskip("pyspiel")
    game, ours = load("openspiel:tic_tac_toe"), load("tictactoe")
    moves = [4, 0, 8]
    assert (
        Exhaustive(game).judge(game.position(moves)).outcomes
        == Exhaustive(ours).judge(ours.position(moves)).outcomes
    )


def test_it_stops_at_its_limit_and_still_knows_endgames() -> None:
    game = load("connect4:5x5")
    oracle = Exhaustive(game, limit=20_000)
    assert not oracle.knows(game.start())
    with pytest.raises(NoughtError, match="more than 20,000 can follow"):
        oracle.judge(game.start())
    late = late_positions(game, 20, most_left=8)
    assert all(oracle.knows(position) for position in late)
    assert not oracle.knows(game.start())
    assert len(oracle.states) <= 20_000


def test_what_is_known_already_leaves_room_for_other_positions() -> None:
    """Two halves of a game that fit one by one, but not together."""
    game = load("connect4:4x4")
    halves = [game.position([0, 0, 3]), game.position([3, 3, 0])]
    alone = []
    both = Exhaustive(game)
    for half in halves:
        oracle = Exhaustive(game)
        oracle.judge(half)
        both.judge(half)
        alone.append(int(oracle.count[0]))
    limit = max(alone) + 1
    assert both.count[0] > limit
    oracle = Exhaustive(game, limit)
    assert all(oracle.knows(half) for half in halves * 2)


def test_a_game_without_an_end_is_an_error_and_not_a_hang() -> None:
    source = HEAPS.format(longest=12, result="0.0").replace("state[0] -= action + 1", "state[0] -= action")
    game = game_from_source("endless.py", source)
    with pytest.raises(NoughtError, match="can go on forever"):
        Exhaustive(game).judge(game.start())


def test_a_finished_game_has_no_move_to_judge() -> None:
    game = load("tictactoe")
    with pytest.raises(NoughtError, match="the game is over"):
        find_oracle(game).judge(game.position([0, 3, 1, 4, 2]))
