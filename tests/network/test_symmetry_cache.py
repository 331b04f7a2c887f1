"""One evaluation for all images of a position."""

import numpy as np
import pytest

from nought.config import NetworkParameters
from nought.games import load
from nought.network import NetworkEvaluator, build_network
from nought.network.symmetry_cache import OncePerKind

SMALL = NetworkParameters(blocks=1, filters=8, value_hidden=0)


@pytest.fixture
def game():
    return load("dots-and-boxes:2x2")


def evaluators(game, seed=3):
    network = build_network(game, SMALL, seed)
    options = {"device": "cpu", "symmetries": 8, "capacity": 64, "threads": 1, "precision": "float32"}
    return OncePerKind(game, network, **options), NetworkEvaluator(game, network, **options)


def states_of(game, *lines):
    return np.stack([game.position(moves).state for moves in lines])


def test_it_says_what_the_plain_evaluator_says(game):
    once, plain = evaluators(game)
    random = np.random.default_rng(0)
    lines = [random.permutation(game.actions)[: random.integers(11)].tolist() for _ in range(40)]
    states = states_of(game, *lines)
    for said, expected in zip(once(states), plain(states), strict=True):
        np.testing.assert_allclose(said, expected, atol=1e-5)


def test_images_of_a_position_are_evaluated_once(game, monkeypatch):
    once, _ = evaluators(game)
    asked = []
    evaluate = NetworkEvaluator.__call__
    monkeypatch.setattr(
        NetworkEvaluator,
        "__call__",
        lambda self, states: (asked.append(len(states)), evaluate(self, states))[1],
    )
    moves = [0, 3, 7]
    images = [[int(s.actions[m]) for m in moves] for s in game.symmetries]
    policies, values = once(states_of(game, *images))
    assert asked == [1]
    assert len(set(values.tolist())) == 1
    for symmetry, policy in zip(game.symmetries, policies, strict=True):
        np.testing.assert_array_equal(symmetry.undo_policy(policy), policies[0])
    once(states_of(game, moves))
    assert asked == [1]
    once.forget()
    once(states_of(game, moves))
    assert asked == [1, 1]


def test_other_weights_say_something_else(game):
    once, _ = evaluators(game)
    states = states_of(game, [0, 3])
    before = once(states)[1]
    network = build_network(game, SMALL, seed=9)
    network.value.last.bias.data += 0.5
    once.update(network)
    assert abs(once(states)[1] - before).item() > 0.1
