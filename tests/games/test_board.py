"""What is to be seen of a position: the same board whoever is to move, pieces with labels, where moves begin and end."""

import random

import pytest

from nought.errors import NoughtError
from nought.games.board import Piece, cells_of_move, scene
from nought.games.ground import Ground, hexagon
from nought.games.registry import game_from_source
from tests.games.broken import TICTACTOE
from tests.games.samples import RACE, example, race


def test_a_board_that_is_turned_to_the_mover_is_turned_back() -> None:
    """Of Breakthrough only the moved piece, and one that it takes, are other than before."""
    position, chance = example("breakthrough:6x5").start(), random.Random(1)
    while not position.finished:
        move = chance.choice(position.legal)
        begin, end = cells_of_move(position, move)
        before, after = scene(position), scene(position.play(move))
        assert begin is not None and end is not None
        assert before.pieces[begin] == after.pieces[end] == Piece(position.player)
        moved = {cell: piece for cell, piece in before.pieces.items() if cell not in (begin, end)}
        assert dict(after.pieces) == moved | {end: Piece(position.player)}
        assert (after.came_from, after.last) == (begin, end)
        position = position.play(move)


def test_counts_stay_in_their_pits() -> None:
    kalah = example("kalah:3:2")
    start, then = scene(kalah.start()), scene(kalah.position("d1"))
    assert [start.pieces[cell] for cell in (11, 12, 13)] == [Piece(0, "2")] * 3
    assert {start.pieces[5], start.pieces[9]} == {Piece(1, "0"), Piece(0, "0")}
    assert [then.pieces[cell].label for cell in (11, 12, 13, 9, 3)] == ["2", "2", "0", "1", "3"]
    assert (then.came_from, then.last) == (None, 13)


def test_a_piece_without_an_owner_and_one_with_a_letter() -> None:
    picture = (
        "\n\ndef picture(state):\n    return [0, 1, None, 'w', (1, 'K'), (0, 12), '', (None, '?'), None]\n"
    )
    shown = scene(game_from_source("letters.py", TICTACTOE + picture).start())
    assert dict(shown.pieces) == {
        0: Piece(0), 1: Piece(1), 3: Piece(None, "w"), 4: Piece(1, "K"), 5: Piece(0, "12"), 7: Piece(None, "?"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("returns", "says"),
    [
        ("5", "picture returns 5, not a list of 9: one thing for each cell"),
        ("[0] * 8", "not a list of 9"),
        (
            "[2] * 9",
            "picture has 2 on cell 0; a thing is None, a player (0 or 1), a label, or (player, label)",
        ),
        ("[(0, 1, 2)] * 9", "picture has (0, 1, 2) on cell 0"),
        ("['knight'] * 9", "picture has the label 'knight' on cell 0; 4 letters fit"),
    ],
)
def test_pictures_that_cannot_be_drawn(returns: str, says: str) -> None:
    game = game_from_source("wrong.py", f"{TICTACTOE}\n\ndef picture(state):\n    return {returns}\n")
    with pytest.raises(NoughtError) as caught:
        scene(game.start())
    assert says in str(caught.value)


def test_a_move_that_only_begins_is_shown_where_it_begins() -> None:
    source = RACE.replace("CELL_OF_ACTION = [4, 2, 0, 0, -1]", "CELL_OF_ACTION = [-1] * 5")
    start = game_from_source("begins.py", source).start()
    assert cells_of_move(start, 0) == (None, 6)
    assert cells_of_move(start, 4) == (None, None)
    assert cells_of_move(race().start(), 0) == (6, 4)


def test_hexagons_touch_and_each_row_is_half_a_cell_further() -> None:
    ground = Ground("hexagons", 3, 4)
    assert ground.middle(4)[0] - ground.middle(0)[0] == 0.5
    corners = [{(round(x, 6), round(y, 6)) for x, y in hexagon(ground, cell)} for cell in (0, 1, 4)]
    assert all(len(one & other) == 2 for one in corners for other in corners if one is not other)
    width, height = ground.size
    everywhere = [corner for cell in range(12) for corner in hexagon(ground, cell)]
    assert max(x for x, _ in everywhere) == pytest.approx(width) and min(x for x, _ in everywhere) == 0
    assert max(y for _, y in everywhere) == pytest.approx(height)


def test_which_corner_is_a1() -> None:
    top, bottom = (Ground("stones", 3, 2, a1=corner) for corner in ("top left", "bottom left"))
    assert [top.square(cell) for cell in range(6)] == ["a1", "b1", "a2", "b2", "a3", "b3"]
    assert [bottom.square(cell) for cell in range(6)] == ["a3", "b3", "a2", "b2", "a1", "b1"]
