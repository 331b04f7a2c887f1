import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nought.compile import compiled
from nought.errors import NoughtError
from nought.games import load
from nought.games.notation import format_move, parse_moves


def test_the_first_moves() -> None:
    start = load("othello").start()
    assert [format_move(start, move) for move in start.legal] == ["d3", "c4", "f5", "e6"]
    assert start.player == 0
    assert start.margin == 0


def test_the_shortest_game() -> None:
    game = load("othello")
    position = game.position(parse_moves(game, "f5d6c5f4e7f6g5e6e3"))
    assert position.finished
    assert (position.result, position.margin) == (1, 13)


def test_who_cannot_move_passes() -> None:
    """On 4 × 4 a pass comes early; whoever is to move always has a move until the end."""
    game = load("othello:4x4")
    passes = 0
    for seed in range(20):
        random = np.random.default_rng(seed)
        position = game.start()
        while not position.finished:
            after = position.play(int(random.choice(position.legal)))
            if after.player == position.player and not after.finished:
                passes += 1
                mine, theirs = after.state[:2]
                assert game.rules.mobility(theirs, mine) == 0
                assert game.rules.mobility(mine, theirs) != 0
            position = after
        mine, theirs = position.state[:2]
        assert game.rules.mobility(theirs, mine) == game.rules.mobility(mine, theirs) == 0
    assert passes > 0


def plain_moves(mine: set[tuple[int, int]], theirs: set[tuple[int, int]], rows: int, columns: int) -> dict:
    """The legal moves and the discs each turns, by walking over the board."""
    found = {}
    for row in range(rows):
        for column in range(columns):
            turned: set[tuple[int, int]] = set()
            for dr, dc in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]:
                line, r, c = set(), row + dr, column + dc
                while (r, c) in theirs:
                    line.add((r, c))
                    r, c = r + dr, c + dc
                turned |= line if (r, c) in mine else set()
            if turned and (row, column) not in mine | theirs:
                found[row, column] = turned
    return found


@settings(max_examples=40, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("size", [(8, 8), (4, 4), (6, 6), (4, 16), (16, 4), (6, 10)])
def test_any_board_by_walking_over_it(size: tuple[int, int], data: st.DataObject) -> None:
    rows, columns = size
    rules = compiled(load(f"othello:{rows}x{columns}"))
    discs = data.draw(st.lists(st.integers(0, 2), min_size=rows * columns, max_size=rows * columns))
    boards = [{divmod(i, columns) for i, disc in enumerate(discs) if disc == player} for player in (1, 2)]
    mine, theirs = (np.uint64(sum(1 << (r * columns + c) for r, c in board)) for board in boards)
    expected = plain_moves(*boards, rows, columns)
    moves = np.zeros(rows * columns, np.int32)
    count = rules.legal_moves(np.array([mine, theirs, 0], np.uint64), moves)
    assert moves[:count].tolist() == sorted(r * columns + c for r, c in expected)
    for (row, column), cells in expected.items():
        disc = np.uint64(1 << (row * columns + column))
        assert int(rules.turned(disc, mine, theirs)) == sum(1 << (r * columns + c) for r, c in cells)


def test_all_eight_symmetries_fit_the_rules() -> None:
    """The start has only four of them, so mirrored positions are made by moving discs."""
    game = load("othello")
    rules, random = compiled(game), np.random.default_rng(1)

    def mirrored(state: np.ndarray, cells: np.ndarray) -> np.ndarray:
        boards = [sum(1 << int(cells[i]) for i in range(64) if int(board) >> i & 1) for board in state[:2]]
        return np.array([*boards, state[2]], np.uint64)

    def legal(state: np.ndarray) -> list[int]:
        moves = np.zeros(64, np.int32)
        return moves[: rules.legal_moves(state, moves)].tolist()

    for _ in range(5):
        state = game.start().state.copy()
        while not rules.finished(state):
            move = int(random.choice(legal(state)))
            for symmetry in game.symmetries:
                image = mirrored(state, symmetry.cells)
                assert legal(image) == sorted(int(symmetry.actions[m]) for m in legal(state))
                after = state.copy()
                rules.play(after, move)
                rules.play(image, int(symmetry.actions[move]))
                assert np.array_equal(image, mirrored(after, symmetry.cells))
            rules.play(state, move)


@pytest.mark.parametrize("size", ["5x5", "2x2", "8x10", "7x8"])
def test_impossible_sizes(size: str) -> None:
    with pytest.raises(NoughtError, match=f"othello:{size}: "):
        load(f"othello:{size}")
