"""Connect 4 with an action for each cell, beside Connect 4."""

import random

import numpy as np
import pytest

from nought.errors import NoughtError
from nought.games import builtin_games, load
from nought.games.notation import format_moves, parse_moves
from nought.oracle import find_oracle

CELLS, COLUMNS = load("connect4-cells"), load("connect4")


def test_it_is_connect4_with_other_names_for_its_moves():
    chance = random.Random(0)
    for _ in range(30):
        cells, columns = CELLS.start(), COLUMNS.start()
        while not columns.finished:
            assert not cells.finished and cells.player == columns.player
            assert sorted(move % 7 for move in cells.legal) == list(columns.legal)
            assert np.array_equal(cells.planes(), columns.planes())
            move = chance.choice(cells.legal)
            cells, columns = cells.play(move), columns.play(move % 7)
            assert (
                columns.planes()[1].reshape(-1)[move] == 1
            )  # the stone came to rest there, seen by the other
        assert cells.finished and cells.result == columns.result


def test_it_has_42_actions_from_the_upper_left_cell_on():
    assert CELLS.actions == 42 and list(CELLS.start().legal) == list(range(35, 42))
    assert parse_moves(CELLS, "d1d2a1") == [38, 31, 35]
    assert format_moves(CELLS, [38, 31, 35]) == "d1d2a1"
    with pytest.raises(NoughtError):
        CELLS.position([31])  # nothing is below it


def test_the_mirror_image_of_a_cell():
    mirror = next(s for s in CELLS.symmetries if s.actions[35] != 35)
    assert [int(mirror.actions[a]) for a in (0, 3, 35, 38, 41)] == [6, 3, 41, 38, 35]


def test_perfect_play_is_that_of_connect4():
    pytest.importorskip("bitbully")
    cells, columns = CELLS.position([38, 31, 24, 17]), COLUMNS.position([3, 3, 3, 3])
    found, wanted = (find_oracle(p.game).judge(p) for p in (cells, columns))
    assert {move % 7: score for move, score in found.scores.items()} == dict(wanted.scores)
    assert found.best[0] % 7 == wanted.best[0]


def test_it_is_there_by_name_only():
    assert "connect4-cells" not in builtin_games()  # nobody is offered the same game twice
