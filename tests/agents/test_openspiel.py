"""OpenSpiel's search as a player: positions and moves mean the same on both sides."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from nought import games
from nought.agents import agent
from nought.agents.openspiel import twin
from nought.errors import NoughtError
from nought.games import Position, load
from nought.selfplay import RandomPlayer, play_games

pyspiel = pytest.importorskip("pyspiel")

GAMES = [
    "tictactoe", "connect4", "connect4:5x4:3", "dots-and-boxes:2x2", "dots-and-boxes:3x2", "othello",
    "openspiel:breakthrough(rows=6,columns=6)",
]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_whole_random_games_mean_the_same_to_openspiel(name: str) -> None:
    """After every move of random games: the same player is to move, with the same moves, and the same wins."""
    game, random = load(name), np.random.default_rng(1)
    other = twin(game)
    passes = 0
    for _ in range(8 if name == "othello" else 15):
        position = game.start()
        while not position.finished:
            state = other.state(position)
            assert state.current_player() == position.player
            assert sorted(state.legal_actions()) == sorted(other.actions[move] for move in position.legal)
            passes += state.move_number() > len(position.moves)
            position = position.play(int(random.choice(position.legal)))
        state = other.state(position)
        assert state.is_terminal() and np.sign(state.returns()[0]) == np.sign(position.result)
    assert (passes > 0) == (name == "othello")  # where passing is a move of OpenSpiel's


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_whole_games(name: str) -> None:
    game = load(name)
    player, other = agent("openspiel-mcts:30", game, seed=2), RandomPlayer(3)
    lasts = play_games((player, other), [game.start()] * 2) + play_games((other, player), [game.start()] * 2)
    assert all(last.finished for last in lasts)


def test_it_sees_a_win_and_a_box_to_close() -> None:
    connect4 = load("connect4")
    position = connect4.position([0, 6, 1, 6, 2, 6])  # both have three: who moves wins
    assert agent("openspiel-mcts:200", connect4).choose({5: position}) == {5: 3}
    dots = load("dots-and-boxes:2x2")
    # the box top left lacks its lower edge, 5; no other has three edges
    almost = dots.position([0, 2, 11, 3])
    assert agent("openspiel-mcts:2000", dots).choose({0: almost}) == {0: 5}


def test_the_number_of_simulations_and_the_seed_matter() -> None:
    game = load("connect4")
    assert agent("openspiel-mcts:30", game).name == "openspiel-mcts:30"
    assert agent("openspiel-mcts:30", game, simulations=9).name == "openspiel-mcts:9"
    positions = {i: game.position([i, i]) for i in range(7)}
    answers = [agent("openspiel-mcts:20", game, seed=seed).choose(positions) for seed in (1, 1, 2, 3)]
    assert answers[0] == answers[1] and len({str(answer) for answer in answers}) > 1


OWN = str(Path(games.__file__).with_name("connect4.py"))  # a file might hold any rules


@pytest.mark.parametrize("name", ["othello:6x6", OWN])
def test_games_that_openspiel_does_not_know(name: str) -> None:
    with pytest.raises(NoughtError, match="OpenSpiel does not know"):
        agent("openspiel-mcts:10", load(name))


def test_other_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("connect4")
    with pytest.raises(NoughtError, match="takes 1 to 1000000 simulations"):
        agent("openspiel-mcts:0", game)
    with pytest.raises(NoughtError, match="whose moves from the start are known"):
        agent("openspiel-mcts:5", game).choose({0: Position(game, game.position([3]).state)})
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(NoughtError, match=r"pip install 'nought\[openspiel\]'"):
        agent("openspiel-mcts:10", game)
