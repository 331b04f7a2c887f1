import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nought.games import load
from nought.games.board import cells_of_move
from nought.games.notation import parse_moves


def play(text: str, name: str = "connect4") -> object:
    game = load(name)
    return game.position(parse_moves(game, text))


@pytest.mark.parametrize(
    ("moves", "result"),
    [
        ("1212121", 1),  # a column
        ("1122334", 1),  # a row
        ("12233434464", 1),  # rising
        ("76655454424", 1),  # falling
        ("71122334", -1),
        ("666165577462463234152541333211132724554777", 0),
    ],
)
def test_rows_of_four(moves: str, result: int) -> None:
    position = play(moves)
    assert position.finished
    assert position.result == result
    assert not play(moves[:-1]).finished


def rows_on(grid: np.ndarray, length: int) -> bool:
    rows, columns = grid.shape
    for row in range(rows):
        for column in range(columns):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                end_row, end_column = row + dr * (length - 1), column + dc * (length - 1)
                if not (end_row < rows and 0 <= end_column < columns):
                    continue
                if all(grid[row + k * dr, column + k * dc] for k in range(length)):
                    return True
    return False


@settings(max_examples=60, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("size", ["6x7:4", "5x5:4", "8x8:5", "3x12:3", "16x4:4", "1x9:3", "9x1:2", "64x1:3"])
def test_rows_are_seen_on_boards_of_all_sizes(size: str, data: st.DataObject) -> None:
    game = load(f"connect4:{size}")
    rows, columns, length = game.rules.SIZE
    cells = st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns)
    grid = np.array(data.draw(cells)).reshape(rows, columns)
    stones = np.uint64(sum(1 << (c * rows + rows - 1 - r) for r, c in zip(*grid.nonzero(), strict=True)))
    assert game.rules.has_row(stones) == rows_on(grid, length)


def test_a_stone_falls_to_its_cell() -> None:
    """Cells are counted row by row from the top, as the wire protocol counts them."""
    start = load("connect4").start()
    assert [cells_of_move(start, column)[1] for column in range(7)] == [35, 36, 37, 38, 39, 40, 41]
    assert cells_of_move(play("444"), 3)[1] == 17
    assert cells_of_move(play("44444"), 3)[1] == 3


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 6), max_size=42))
def test_every_move_has_its_cell(columns: list[int]) -> None:
    position = load("connect4").start()
    for column in columns:
        if column not in position.legal:
            continue
        cell = cells_of_move(position, column)[1]
        assert position.planes()[:, :, column].reshape(2, 6).any(axis=0)[cell // 7] == 0
        position = position.play(column)
        assert position.planes()[1].reshape(-1)[cell] == 1


@pytest.mark.parametrize("size", ["9x9", "6x7:9", "6x7:1", "0x7", "6x7:4:2"])
def test_impossible_sizes(size: str) -> None:
    from nought.errors import NoughtError

    with pytest.raises(NoughtError, match=f"connect4:{size}: "):
        load(f"connect4:{size}")
