"""Networks and positions that the tests of the network share."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from nought.config import NetworkParameters
from nought.games import Game, Position
from nought.network import Network, build_network

SMALL = NetworkParameters(blocks=2, filters=16, value_hidden=16)


def busy_network(game: Game, parameters: NetworkParameters = SMALL, seed: int = 1) -> Network:
    """A network as if it had learned something: every layer matters, every statistic is its own."""
    network = build_network(game, parameters, seed)
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, tensor in network.state_dict().items():
            if name.endswith("norm.weight"):
                tensor.uniform_(0.4, 0.9, generator=random)
            elif name.endswith("running_var"):
                tensor.uniform_(0.5, 2.0, generator=random)
            elif name.endswith(("bias", "running_mean")):
                tensor.normal_(0.0, 0.2, generator=random)
            elif name.endswith(("last.weight", "pool.weight")):
                tensor.normal_(0.0, 0.4 if name.startswith("value") else 0.15, generator=random)
            elif name.endswith("second.conv.weight") and not tensor.any():
                tensor.normal_(0.0, 0.1, generator=random)
    return network.eval()


def some_positions(game: Game, count: int, seed: int = 0) -> list[Position]:
    """Positions of random games, none of them finished."""
    random = np.random.default_rng(seed)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        while not position.finished:
            found.append(position)
            position = position.play(int(random.choice(position.legal)))
    return [found[i] for i in random.permutation(len(found))[:count]]


def states_of(positions: list[Position]) -> NDArray[Any]:
    return np.stack([p.state for p in positions])


def plainly(network: Network, positions: list[Position]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Policy and value by the network as it is, without any of the evaluator's means."""
    with torch.no_grad():
        output = network(torch.from_numpy(np.stack([p.planes() for p in positions])))
        return torch.softmax(output.policy, 1).numpy(), output.value.numpy()
