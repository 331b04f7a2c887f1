"""Many positions at once as a network takes them in: what the plain rules say of each."""

from __future__ import annotations

import numpy as np
import pytest

from nought.games import load
from nought.games.inputs import Inputs
from tests.search.support import random_positions, states_of


@pytest.mark.parametrize("compilable", [True, False])
@pytest.mark.parametrize("name", ["tictactoe", "dots-and-boxes:2x2"])
def test_planes_and_legal_moves_are_those_of_the_rules(name: str, compilable: bool) -> None:
    game = load(name)
    positions = random_positions(game, 20)
    game.compilable = compilable
    states, inputs = states_of(positions), Inputs(game)
    assert np.array_equal(inputs.planes(states), [position.planes() for position in positions])
    assert [np.flatnonzero(row).tolist() for row in inputs.legal(states)] == [p.legal for p in positions]


def test_planes_are_written_where_they_are_wanted_over_whatever_stands_there() -> None:
    game = load("tictactoe")
    room = np.full((3, *game.planes_shape), 7, np.float32)
    states = states_of(random_positions(game, 2))
    assert np.shares_memory(Inputs(game).planes(states, room[:2]), room)
    assert np.array_equal(room[:2], Inputs(game).planes(states)) and np.all(room[2] == 7)


def test_every_second_state_of_an_array_is_read_as_such() -> None:
    game = load("tictactoe")
    states = states_of(random_positions(game, 6))
    assert np.array_equal(Inputs(game).planes(states[::2]), Inputs(game).planes(states)[::2])
