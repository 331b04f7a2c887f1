"""What a search says of a position, for people."""

import numpy as np
import pytest

from nought.config import SearchParameters
from nought.games import load
from nought.network import FromPlanes
from nought.search import Search, analyse
from nought.search.analysis import root, worth

TICTACTOE = load("tictactoe")
CENTRE = 4


def searched(simulations, function, **parameters):
    search = Search(TICTACTOE, SearchParameters(simulations=simulations, cache=0, proofs=False, **parameters))
    search.begin(0, TICTACTOE.start().state)
    search.run(FromPlanes(TICTACTOE, function))
    return search


def likes_the_centre(planes):
    """Who has the centre is ahead; all moves look alike."""
    return np.ones((len(planes), 9), np.float32), planes[:, 0, 1, 1] - planes[:, 1, 1, 1]


def likes_to_move(planes):
    """Whoever is to move is a little ahead; all moves look alike."""
    return np.ones((len(planes), 9), np.float32), np.full(len(planes), 0.25, np.float32)


@pytest.mark.parametrize("leaves", [1, 8])
def test_a_position_is_worth_what_its_best_move_is(leaves):
    search = searched(30, likes_the_centre, leaves=leaves)
    analysis = analyse(search)
    assert analysis.best.action == CENTRE
    assert analysis.value == analysis.best.value == worth(search, CENTRE) > 0.9
    assert root(search).value < analysis.value - 0.1  # the mean with the other eight, which were tried, too


def test_a_move_that_was_never_tried_is_worth_what_the_position_is():
    search = searched(1, likes_to_move)
    assert analyse(search).value == worth(search, 0) == -0.25
    assert worth(search, 1) == root(search).value == 0  # (0.25 - 0.25) / 2
