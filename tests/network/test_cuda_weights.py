"""Evaluators on a GPU share what is made of the same weights, and only of the same. Nothing here needs a GPU."""

from __future__ import annotations

import torch

from nought.games import load
from nought.network import build_network, folded
from nought.network.cuda_weights import gpu_weights
from tests.network.support import busy_network
from tests.network.test_tower_int8 import SHAPES

CPU = torch.device("cpu")


def test_who_asks_for_the_same_weights_is_given_the_same() -> None:
    network = busy_network(load("tictactoe"), SHAPES[0])
    first = gpu_weights(network, CPU)
    assert gpu_weights(network, CPU) is first
    assert gpu_weights(busy_network(load("tictactoe"), SHAPES[0]), CPU) is first
    for found, expected in zip(
        first.plain.state_dict().values(), folded(network).state_dict().values(), strict=True
    ):
        assert torch.equal(found, expected)


def test_one_number_makes_others_and_so_does_another_shape() -> None:
    network = busy_network(load("tictactoe"), SHAPES[0])
    first = gpu_weights(network, CPU)
    with torch.no_grad():
        network.blocks[1].second.norm.running_var[3] *= 1.5  # type: ignore[union-attr, index, operator]
    second = gpu_weights(network, CPU)
    assert second is not first
    weights = [each.plain.blocks[1].second.conv.weight for each in (first, second)]  # type: ignore[union-attr]
    assert not torch.equal(*weights)
    others = [
        gpu_weights(build_network(load(name), SHAPES[0]), CPU) for name in ("connect4", "connect4:6x7:5")
    ]
    assert others[0] is others[1]  # the same network
    assert others[0] is not second
