"""Othello endgames, against every continuation through the rules."""

from __future__ import annotations

import pytest

from nought.errors import NoughtError
from nought.games import load
from nought.oracle import find_oracle
from nought.oracle.exhaustive import Exhaustive
from tests.oracle.positions import late_positions
from tests.support.skips import slow

MORE = (("8x8", 1000, 8), ("6x4", 300, 9), ("4x4", 300, 12))


@pytest.mark.parametrize(
    ("size", "count", "most_left"),
    [("8x8", 40, 11), ("6x6", 500, 8), *(pytest.param(*more, marks=slow) for more in MORE)],
)
def test_it_agrees_with_every_continuation_of_late_positions(size: str, count: int, most_left: int) -> None:
    game = load(f"othello:{size}")
    oracle, other = find_oracle(game), Exhaustive(game)
    for position in late_positions(game, count, most_left):
        assert oracle.judge(position) == other.judge(position)


def test_the_second_player_wins_on_4x4() -> None:
    game = load("othello:4x4")
    found = find_oracle(game).judge(game.start())
    assert (found.score, found.outcome) == (-8, -1)


def test_positions_with_more_than_18_empty_cells_are_not_known() -> None:
    game = load("othello")
    oracle = find_oracle(game)
    assert not oracle.knows(game.start())
    with pytest.raises(NoughtError, match="from 18 empty cells, here are 60"):
        oracle.judge(game.start())


def test_long_boards_have_the_exhaustive_oracle() -> None:
    assert isinstance(find_oracle(load("othello:4x10")), Exhaustive)
