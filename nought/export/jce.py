"""Networks for Wandhoven's program: written as it reads them, and read again before they are handed out."""

from __future__ import annotations

from pathlib import Path

import torch

from nought.errors import NoughtError
from nought.export.onnx import COMPARED_POSITIONS, Export
from nought.games import Game
from nought.network.jce import from_jce, to_jce, write_jce
from nought.network.resnet import Network
from nought.network.sample import random_sample


def export_jce(network: Network, game: Game, path: Path, *, seed: int = 0) -> Export:
    """Write a network of 003's shape as 003's program does, and compare what can be read from the file."""
    try:
        write_jce(path, to_jce(network))
    except OSError as error:
        raise NoughtError(f"{path} cannot be written: {error.strerror or error}") from None
    planes = torch.from_numpy(random_sample(game, COMPARED_POSITIONS, seed).planes)
    with torch.inference_mode():
        answers = [net.to("cpu").eval()(planes) for net in (network, from_jce(path)[1])]
    policies, values = ([a.policy.softmax(1) for a in answers], [a.value for a in answers])
    differences = (float((one - other).abs().max()) for one, other in (policies, values))
    return Export(path, len(planes), *differences)
