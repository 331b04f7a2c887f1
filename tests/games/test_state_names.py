"""States of dots and boxes by the names that 002 gives them."""

import random

import pytest

from nought.errors import NoughtError
from nought.games import load
from nought.games.state_names import named_state, state_name

TWO = load("dots-and-boxes:2x2")


def test_the_thesis_example():
    assert state_name(TWO.position([0])) == "2048:-1:0"
    assert TWO.position("2048:-1:0") == TWO.position([0])
    assert state_name(TWO.start()) == "0:1:0"


@pytest.mark.parametrize("name", ["dots-and-boxes:2x2", "dots-and-boxes:3x3", "dots-and-boxes:6x6"])
def test_there_and_back(name):
    game, chance = load(name), random.Random(1)
    for _ in range(3):
        position = game.start()
        while not position.finished:
            position = position.play(chance.choice(position.legal))
            found = game.position(state_name(position))
            assert found == position and found.margin == position.margin and found.player == position.player


@pytest.mark.parametrize(
    "name", ["4096:1:0", "2048:1:0", "0:1:1", "0:-1:0", "4095:1:1", "4095:1:6", "2048:-1:2"]
)
def test_states_that_no_game_leads_to(name):
    with pytest.raises(NoughtError, match="no game leads to"):
        TWO.position(name)


def test_other_games_have_other_names():
    assert state_name(load("connect4").start()) is None
    assert named_state(load("connect4"), "2048:-1:0") is None
    with pytest.raises(NoughtError):
        load("connect4").position("2048:-1:0")
