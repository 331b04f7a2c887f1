"""Openings are varied, unlike each other, and not won already."""

import functools
import itertools

import numpy as np
import pytest

from nought.games import load
from nought.rating import openings as openings_module
from nought.rating.openings import EVEN_VALUE, random_opening, values, varied_openings

CONNECT4, TICTACTOE = load("connect4"), load("tictactoe")


@functools.cache
def exact(position):
    """The value for player 0, by trying everything."""
    if position.finished:
        return position.result
    children = [exact(position.play(move)) for move in position.legal]
    return max(children) if position.player == 0 else min(children)


def images(position):
    """All boards that are this one turned or mirrored, as the mover sees them."""
    return {s.apply_planes(position.planes()).tobytes() for s in position.game.symmetries}


def test_random_openings_are_legal_varied_and_not_over():
    random = np.random.default_rng(0)
    openings = [random_opening(TICTACTOE, 4, random) for _ in range(50)]
    assert all(len(o.moves) == 4 and not o.finished for o in openings)
    assert len(set(openings)) > 20
    assert not random_opening(TICTACTOE, 9, random).finished  # nine moves end the game: it takes fewer


def test_no_two_are_alike_in_any_symmetry():
    openings = varied_openings(CONNECT4, 60, moves=4, seed=3)
    assert len(openings) == 60
    assert all(len(o.moves) == 4 for o in openings)
    for one, other in itertools.combinations(openings, 2):
        assert images(one).isdisjoint(images(other))


def test_none_is_won_already():
    openings = varied_openings(TICTACTOE, 20, moves=2)
    assert len(openings) == 20
    assert [exact(o) for o in openings] == [0] * 20


def test_an_immediate_win_is_not_even_and_the_empty_board_is():
    win = CONNECT4.position([0, 6, 0, 6, 0, 6])
    assert abs(values(CONNECT4, [win])[0]) > EVEN_VALUE > abs(values(CONNECT4, [CONNECT4.start()])[0])


def test_a_small_game_gives_longer_openings_and_then_uneven_ones():
    few, many = varied_openings(TICTACTOE, 5, moves=1), varied_openings(TICTACTOE, 999, moves=1)
    assert {len(o.moves) for o in few} > {1}  # there are only three first moves
    assert 500 < len(many) < 765  # nearly all there are
    assert [exact(o) for o in many[:50]] == [0] * 50
    assert {exact(o) for o in many} == {-1, 0, 1}


def test_known_openings_do_not_come_again():
    first = varied_openings(CONNECT4, 20, seed=1)
    again = varied_openings(CONNECT4, 20, seed=1)
    more = varied_openings(CONNECT4, 20, seed=1, known=first)
    assert first == again
    assert all(images(a).isdisjoint(images(b)) for a in first for b in more)


@pytest.mark.parametrize("moves", [0, 3])
def test_the_number_of_moves(moves):
    assert {len(o.moves) for o in varied_openings(CONNECT4, 1, moves=moves)} == {moves}


def test_progress_is_told_lot_by_lot(monkeypatch):
    monkeypatch.setattr(openings_module, "LOT", 16)
    seen = []
    found = varied_openings(CONNECT4, 60, seed=3, progress=seen.append)
    assert len(found) == 60 and len(seen) > 3
    assert seen == sorted(seen) and seen[0] == 0 and seen[-1] < 1
