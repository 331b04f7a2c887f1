"""A network as steps answers as the network does, whatever its shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from nought.compile import compiled
from nought.config import NetworkParameters
from nought.errors import NoughtError
from nought.games import load
from nought.network.resnet import Network, build_network
from nought.network.sample import random_sample
from nought.network.steps import KERNELS, Steps, steps_of

GAME = load("tictactoe")


def network(**parameters: Any) -> Network:
    """A network in which no weight is 0 and no norm the identity."""
    made = build_network(GAME, NetworkParameters(**({"blocks": 2, "filters": 16} | parameters)))
    random = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, tensor in made.state_dict().items():
            if tensor.is_floating_point():
                tensor += 0.2 * torch.randn(tensor.shape, generator=random)
            if name.endswith("running_var"):
                tensor.abs_()
    return made.eval()


def difference(made: Network, steps: Steps) -> float:
    planes, room, policy = random_sample(GAME, 40).planes, steps.room(), np.zeros(GAME.actions, np.float32)
    kernels = compiled(GAME, KERNELS)
    with torch.inference_mode():
        expected = made(torch.from_numpy(planes))
        policies = torch.softmax(expected.policy, 1).numpy()
    furthest = 0.0
    for i, board in enumerate(planes):
        value = kernels.evaluate(room, board, policy)
        furthest = max(
            furthest, abs(value - float(expected.value[i])), float(np.abs(policy - policies[i]).max())
        )
    return furthest


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"filters": 13, "policy_filters": 3, "value_filters": 5, "value_hidden": 21},
        {"pooling": True, "activation": "leaky"},
        {"outcomes": True, "head_norm": False, "norm": "none"},
        {"kernel": 1, "value_hidden": 0},
        {"kernel": 5, "blocks": 0},
    ],
    ids=str,
)
def test_the_answers_are_the_networks(parameters: dict[str, Any]) -> None:
    made = network(**parameters)
    assert difference(made, steps_of(made)) < 0.002


def test_other_weights_give_other_answers() -> None:
    assert difference(network(), steps_of(network(activation="leaky"))) > 0.002


def test_the_file_holds_all_of_it() -> None:
    steps = steps_of(network())
    content = steps.content()
    kind, size, head, runs = np.frombuffer(content, "<i4", 4)
    assert (kind, size, head, runs) == (1, steps.size, len(steps.head), len(steps.scales))
    assert len(content) == 16 + 4 * head + 36 * runs + 2 * len(steps.weights)
    assert steps.lengths.sum() == len(steps.weights)


@pytest.mark.parametrize("parameters", [{"norm": "layer"}, {"value_plane": 1}, {"signed": True}], ids=str)
def test_what_cannot_be_done_is_said(parameters: dict[str, Any]) -> None:
    with pytest.raises(NoughtError, match="cannot think in a browser"):
        steps_of(build_network(GAME, NetworkParameters(**parameters)))
