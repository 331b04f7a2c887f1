"""A function of planes as an evaluator, averaged over symmetries."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from nought.games import Position, load
from nought.network import FromPlanes
from tests.search.support import random_positions, start, states_of

Floats = NDArray[np.float32]


class Network:
    """Any function of the planes, without symmetry of its own."""

    def __init__(self, actions: int, planes: tuple[int, ...]) -> None:
        random = np.random.default_rng(4)
        self.weights = random.normal(size=(int(np.prod(planes)), actions + 1))

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        answer = np.tanh(planes.reshape(len(planes), -1) @ self.weights).astype(np.float32)
        return np.exp(answer[:, :-1]), answer[:, -1]


def by_hand(position: Position, network: Network) -> list[tuple[Floats, float]]:
    """The network's answer to the position as each symmetry shows it, turned back."""
    answers = []
    _, rows, columns = position.game.planes_shape
    for symmetry in position.game.symmetries:
        planes = position.planes()
        turned = np.zeros_like(planes)
        for cell in range(rows * columns):
            to = int(symmetry.cells[cell])
            turned[:, to // columns, to % columns] = planes[:, cell // columns, cell % columns]
        policy, value = network(turned[None])
        back = np.array([policy[0, symmetry.actions[a]] for a in range(position.game.actions)])
        answers.append((back, float(value[0])))
    return answers


@pytest.mark.parametrize(("name", "count"), [("tictactoe", 8), ("connect4", 2), ("dots-and-boxes:2x2", 8)])
def test_all_symmetries_give_the_mean_worked_out_by_hand(name: str, count: int) -> None:
    game = load(name)
    network = Network(game.actions, game.planes_shape)
    positions = random_positions(game, 10)
    policy, value = FromPlanes(game, network, symmetries=8)(states_of(positions))
    for i, position in enumerate(positions):
        answers = by_hand(position, network)
        assert len(answers) == count
        assert policy[i] == pytest.approx(np.mean([p for p, _ in answers], axis=0), abs=1e-5)
        assert value[i] == pytest.approx(np.mean([v for _, v in answers]), abs=1e-5)


def test_with_all_symmetries_a_turned_position_gets_the_turned_answer() -> None:
    game = load("tictactoe")
    evaluator = FromPlanes(game, Network(9, game.planes_shape), symmetries=8)
    for position in random_positions(game, 10):
        policy, value = evaluator(position.state[None])
        for symmetry in game.symmetries:
            turned = game.position(symmetry.actions[move] for move in position.moves)
            turned_policy, turned_value = evaluator(turned.state[None])
            assert turned_policy == pytest.approx(symmetry.apply_policy(policy), abs=1e-5)
            assert turned_value == pytest.approx(value, abs=1e-5)


def test_some_symmetries_are_distinct_and_drawn_anew() -> None:
    position = start("tictactoe", [0, 5, 7])
    network = Network(9, position.game.planes_shape)
    evaluator = FromPlanes(position.game, network, symmetries=3, seed=1)
    values = [value for _, value in by_hand(position, network)]
    means = {round(float(np.mean(three)), 4) for three in combinations(values, 3)}
    seen = {round(float(evaluator(position.state[None])[1][0]), 4) for _ in range(40)}
    assert seen <= means
    assert len(seen) > 10


def test_without_symmetries_the_network_sees_the_position_as_it_is() -> None:
    positions = random_positions(load("tictactoe"), 20)
    network = Network(9, (2, 3, 3))
    policy, value = FromPlanes(positions[0].game, network)(states_of(positions))
    expected = network(np.array([position.planes() for position in positions]))
    assert np.array_equal(policy, expected[0]) and np.array_equal(value, expected[1])
