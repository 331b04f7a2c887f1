"""Networks for other programs: ONNX, compared with the original before it is handed out."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from nought.errors import NoughtError
from nought.files import replacing
from nought.games import Game
from nought.network.resnet import Network, folded
from nought.network.sample import random_sample

PACKAGES = ("onnx", "onnxruntime", "onnxscript")
TOLERANCE = 1e-4  # probabilities and values that differ by more are not the same network
COMPARED_POSITIONS = 256  # compared


@dataclass(frozen=True)
class Export:
    """A written file, and how far its answers are from the network's."""

    path: Path
    positions: int  #               compared, of random games
    policy_difference: float  #     the largest, between probabilities
    value_difference: float


class _Answers(nn.Module):
    """planes → policy (probabilities of all moves) and value."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = folded(network)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        output = self.network(planes)
        return torch.softmax(output.policy, 1), output.value


def export_onnx(network: Network, game: Game, path: Path, *, seed: int = 0) -> Export:
    """Write the network as ONNX: planes [batch, planes, rows, columns] → policy [batch, actions], value [batch]."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise NoughtError(f"exporting to ONNX needs {', '.join(missing)}: pip install 'nought[onnx]'")
    answers = _Answers(network)
    try:
        with replacing(path, ".onnx") as temporary:
            _write(answers, network, temporary)
            found = _compare(network, game, temporary, seed)
    except OSError as error:
        raise NoughtError(f"{path} cannot be written: {error.strerror or error}") from None
    return Export(path, *found)


def _write(answers: _Answers, network: Network, path: Path) -> None:
    with warnings.catch_warnings(), _quiet("torch.onnx", "onnxscript", "onnx_ir"):
        warnings.simplefilter("ignore")  # of torch's own making
        program = torch.onnx.export(
            answers,
            (torch.zeros(2, *network.planes),),
            input_names=["planes"],
            output_names=["policy", "value"],
            dynamic_shapes={"planes": {0: torch.export.Dim("batch")}},
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    program.save(str(path))


def _compare(network: Network, game: Game, path: Path, seed: int) -> tuple[int, float, float]:
    """How many positions were compared, and the largest differences of policy and value on them."""
    import onnxruntime

    planes = random_sample(game, COMPARED_POSITIONS, seed).planes
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    original = network.to("cpu").eval()
    differences = []
    for batch in (planes, planes[:1]):
        policy, value = session.run(["policy", "value"], {"planes": batch})
        with torch.inference_mode():
            output = original(torch.from_numpy(batch))
            expected = torch.softmax(output.policy, 1).numpy()
        differences.append((np.abs(policy - expected).max(), np.abs(value - output.value.numpy()).max()))
    by_policy, by_value = (float(d) for d in np.max(differences, axis=0))
    if not (by_policy <= TOLERANCE and by_value <= TOLERANCE):  # neither of them NaN
        raise NoughtError(
            f"the exported network answers differently (by {max(by_policy, by_value):.2g}); nothing was written"
        )
    return len(planes), by_policy, by_value


@contextlib.contextmanager
def _quiet(*names: str) -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
