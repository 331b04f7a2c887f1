"""A network as the search's evaluator, on a CPU or a CUDA GPU."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from nought.errors import NoughtError
from nought.games import Game
from nought.network.cpu import CpuForward
from nought.network.cuda import CudaForward
from nought.network.from_planes import FromPlanes
from nought.network.precision import ChosenPrecision, wanted_precision
from nought.network.resnet import Network
from nought.network.sample import random_sample
from nought.search import Native

Floats = NDArray[np.float32]

DEVICES = ("auto", "cpu", "cuda")


def choose_device(name: str) -> torch.device:
    """The device of this name; auto is the GPU where there is one, cuda:1 the second of several."""
    kind, colon, number = name.partition(":")
    if kind not in DEVICES or (colon and not (kind == "cuda" and re.fullmatch("[0-9]{1,3}", number))):
        raise NoughtError(
            f"a device is {', '.join(DEVICES)} or, of several GPUs, cuda:0, cuda:1 …, not {name!r}"
        )
    if kind == "cuda" and not torch.cuda.is_available():
        raise NoughtError("there is no CUDA GPU that torch can use; --device cpu works everywhere")
    if colon and int(number) >= (there := torch.cuda.device_count()):
        raise NoughtError(f"there is no {name}: the last of this machine's GPUs is cuda:{there - 1}")
    return torch.device(name if colon else "cuda" if kind != "cpu" and torch.cuda.is_available() else "cpu")


def choose_devices(names: str) -> list[str]:
    """The names of devices between commas, each of which is there; one may be named several times."""
    found = [name.strip() for name in names.split(",")]
    for name in found:
        choose_device(name)
    return found


def device_name(device: torch.device) -> str:
    """For people: CPU, or what the GPU calls itself."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"


class NetworkEvaluator:
    """states [n, state] → policy [n, actions] and value [n], as a search asks for them.

    The policy is the softmax of the logits of all moves; the search divides what legal moves got by its sum. That
    is the same as setting the others' logits to −∞ first: with logits l and legal moves L,
    (e^l_a / Σ_all e^l_b) / (Σ_L e^l_c / Σ_all e^l_b) = e^l_a / Σ_L e^l_c.

    Each thread has its own evaluator. What one answers does not depend on the others; on a CPU, with
    `threads=1`, the same batch gives the same bits each time.

    capacity     positions (times symmetries) that are evaluated at once; a larger batch is done in parts
    symmetries   how many random symmetries of each position are averaged
    threads      of torch within one operation on a CPU; None: as the calling thread has it
    precision    float32, bfloat16 or int8; auto: what $NOUGHT_PRECISION says or, if nothing, on a CPU the fastest,
                 measured; on a GPU bfloat16 where it has it. Where that fails, or int8 does not answer alike, it is another, and `why` says so
    floats       float32 or bfloat16: in which to evaluate instead of int8; auto: the faster one, measured
    compiled     on a GPU: faster, but half a minute or more to start
    """

    def __init__(
        self,
        game: Game,
        network: Network,
        *,
        device: str = "auto",
        symmetries: int = 1,
        capacity: int = 256,
        seed: int = 0,
        threads: int | None = None,
        precision: str = "auto",
        floats: str = "auto",
        compiled: bool = False,
    ) -> None:
        precision = wanted_precision(precision)
        _check_fits(game, network)
        self.device = choose_device(device)
        self.shape = (network.planes, network.actions, network.architecture)
        rows = max(capacity, min(symmetries, len(game.symmetries)))
        self._forward: CpuForward | CudaForward
        if self.device.type == "cuda":
            self._forward = CudaForward(network, rows, self.device, precision, compiled=compiled)
        else:
            sample = partial(random_sample, game)
            self._forward = CpuForward(network, rows, threads, precision, sample, floats)
        self._evaluate = FromPlanes(game, self._forward, symmetries, seed, room=self._forward.room)

    @property
    def precision(self) -> str:
        """What it calculates in, with these weights: float32, bfloat16 or int8."""
        return self._forward.precision

    @property
    def chosen(self) -> ChosenPrecision:
        """What was chosen for all weights of this shape."""
        return self._forward.chosen

    @property
    def device_name(self) -> str:
        """For people: CPU, or what the GPU calls itself."""
        return device_name(self.device)

    @property
    def why(self) -> str:
        """Why it calculates in that precision, in a few words."""
        return self._forward.why

    @property
    def native(self) -> Native | None:
        """How compiled code calls it without Python, where it can."""
        if isinstance(self._forward, CudaForward) and self._evaluate.count == 1:
            return self._forward.native
        return None

    def __call__(self, states: NDArray[Any]) -> tuple[Floats, Floats]:
        return self._evaluate(states)

    def evaluate_again(self, count: int) -> None:
        """Evaluate the first `count` planes of the last batch once more: the network alone, for measurements."""
        self._forward(self._forward.room[:count])

    def begin(self, number: int) -> None:
        """Answer from now on as whoever begins with this number does, whatever was asked before."""
        self._evaluate.begin(number)

    def update(self, network: Network) -> None:
        """Go on with other weights of the same shape. Not while it evaluates."""
        if (network.planes, network.actions, network.architecture) != self.shape:
            raise ValueError("an evaluator keeps the shape of its network")
        self._forward.update(network)


def _check_fits(game: Game, network: Network) -> None:
    if (network.planes, network.actions) != (game.planes_shape, game.actions):
        raise NoughtError(
            f"the network sees {network.planes} planes and knows {network.actions} actions; {game.name} has "
            f"{game.planes_shape} and {game.actions}"
        )
