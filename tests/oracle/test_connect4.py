"""Connect 4's solver, against a search through our own rules."""

from __future__ import annotations

import sys

import pytest

from nought.errors import NoughtError
from nought.games import Position, load
from nought.oracle import find_oracle
from nought.oracle.exhaustive import Exhaustive
from tests.oracle.positions import late_positions

GAME = load("connect4")


def pons_score(position: Position, score: int) -> int:
    """Pons's score from the exhaustive oracle's: 43 less the plies until the win, or that negative."""
    plies, stones = GAME.longest + 1 - abs(score), len(position.moves)
    if score > 0:
        return 22 - (stones // 2 + (plies + 1) // 2)  # the mover's stones at the end
    return -(22 - ((stones + 1) // 2 + plies // 2)) if score < 0 else 0


def test_it_agrees_with_every_continuation_of_late_positions() -> None:
    pytest.importorskip("bitbully")
    solver, other = find_oracle(GAME), Exhaustive(GAME)
    assert solver.name == "bitbully"
    for position in late_positions(GAME, 1000, most_left=14):
        found, expected = solver.judge(position), other.judge(position)
        assert found.scores == {m: pons_score(position, s) for m, s in expected.scores.items()}
        assert found.outcomes == expected.outcomes


def test_the_first_moves_are_as_published() -> None:
    pytest.importorskip("bitbully")
    oracle = find_oracle(load("connect4:6x7"))
    assert list(oracle.judge(GAME.start()).scores.values()) == [-2, -1, 0, 1, 0, -1, -2]
    assert oracle.judge(GAME.start()).best == [3]
    assert oracle.judge(GAME.start()).keeping == [3]


def test_without_the_solver_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bitbully", None)
    with pytest.raises(NoughtError, match=r"pip install 'nought\[oracle\]'"):
        find_oracle(GAME)
    assert find_oracle(load("connect4:4x4")).knows(load("connect4:4x4").start())


def test_a_full_column_is_not_scored_and_a_finished_game_is_refused() -> None:
    pytest.importorskip("bitbully")
    oracle = find_oracle(GAME)
    assert list(oracle.judge(GAME.position([0] * 6)).scores) == [1, 2, 3, 4, 5, 6]
    with pytest.raises(NoughtError, match="the game is over"):
        oracle.judge(GAME.position([0, 1, 0, 1, 0, 1, 0]))
