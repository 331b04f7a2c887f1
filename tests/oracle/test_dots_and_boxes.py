"""Dots and boxes: the table, the search, and every continuation through the rules agree."""

from __future__ import annotations

import numpy as np
import pytest

from nought.errors import NoughtError
from nought.games import Position, load
from nought.oracle import dots_and_boxes, find_oracle
from nought.oracle.exhaustive import Exhaustive
from nought.oracle.kernels.dots_and_boxes import BEST, WORST, net_search, net_table
from nought.oracle.truth import ahead
from tests.oracle.positions import late_positions
from tests.support.skips import slow


@pytest.mark.parametrize(("size", "net"), [("1x1", -1), ("2x2", 2), ("3x3", -3)])
def test_the_empty_board(size: str, net: int) -> None:
    game = load(f"dots-and-boxes:{size}")
    found = find_oracle(game).judge(game.start())
    assert found.score == net
    assert found.outcome == np.sign(net)


@pytest.mark.parametrize(
    ("size", "most_left"),
    [("3x3", 13), *(pytest.param(*more, marks=slow) for more in (("2x4", 13), ("4x4", 13), ("5x5", 12)))],
)
def test_it_agrees_with_every_continuation_of_late_positions(size: str, most_left: int) -> None:
    game = load(f"dots-and-boxes:{size}")
    oracle, other = find_oracle(game), Exhaustive(game)
    for position in late_positions(game, 500, most_left):
        found, expected = oracle.judge(position), other.judge(position)
        assert {m: s + ahead(position) for m, s in found.scores.items()} == expected.scores
        assert found.outcomes == expected.outcomes


def test_the_search_agrees_with_the_table_on_positions_of_every_stage() -> None:
    game = load("dots-and-boxes:3x3")
    boxes = dots_and_boxes.boxes_of(game, range(game.actions))
    table = net_table(boxes)
    room = np.zeros(1 << 20, np.int64), np.zeros(1 << 20, np.int8), np.zeros(1 << 20, np.int8)
    random = np.random.default_rng(0)
    for left in [len(table) - 1, *map(int, random.integers(0, len(table), 3000))]:
        assert net_search(left, WORST, BEST, boxes, *room) == table[left]
        low = int(random.integers(-6, 6))  # a narrow window: exact inside, a bound outside
        bound = net_search(left, low, low + 2, boxes, *room)
        assert (bound <= low) == (table[left] <= low) and (bound >= low + 2) == (table[left] >= low + 2)


def test_larger_boards_are_known_from_28_edges_left() -> None:
    game = load("dots-and-boxes:4x4")
    oracle = find_oracle(game)
    assert not oracle.knows(game.position(range(11)))
    assert oracle.knows(game.position(range(12)))
    with pytest.raises(NoughtError, match="from 28 edges left, here are 40"):
        oracle.judge(game.start())


def test_the_outcome_counts_the_boxes_so_far() -> None:
    game = load("dots-and-boxes:1x2")  # edges 0 1 above, 2 3 4 between, 5 6 below
    position = game.position([0, 2, 5, 1, 3, 6])  # 3 closes the left box
    assert (ahead(position), position.legal) == (-1, [4])
    found = find_oracle(game).judge(position)
    assert (found.scores, found.outcomes) == ({4: 1}, {4: 0})


def test_the_table_is_stored_and_a_damaged_one_is_made_again(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("NOUGHT_CACHE", str(tmp_path))
    game = load("dots-and-boxes:2x2")
    file = tmp_path / "oracle" / "dots-and-boxes-2x2.npz"

    def table() -> np.ndarray:
        dots_and_boxes._table.cache_clear()
        return dots_and_boxes._table(game)

    right = table()
    whole = file.read_bytes()
    monkeypatch.setattr(dots_and_boxes, "net_table", None)  # from here on it must come from the file
    assert np.array_equal(table(), right)
    monkeypatch.undo()
    monkeypatch.setenv("NOUGHT_CACHE", str(tmp_path))
    for damaged in (b"", whole[:100], whole[:2000] + b"\7" + whole[2001:]):
        file.write_bytes(damaged)
        assert np.array_equal(table(), right)
        assert file.read_bytes() == whole
    dots_and_boxes._table.cache_clear()


def test_it_works_where_nothing_can_be_stored(tmp_path, monkeypatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("NOUGHT_CACHE", str(blocked))
    dots_and_boxes._table.cache_clear()
    game = load("dots-and-boxes:2x2")
    assert find_oracle(game).judge(game.start()).score == 2
    dots_and_boxes._table.cache_clear()


def test_a_state_without_its_moves_is_judged_too() -> None:
    game = load("dots-and-boxes:3x3")
    position = game.position([3, 9, 14])
    oracle = find_oracle(game)
    assert oracle.judge(Position(game, position.state)) == oracle.judge(position)
