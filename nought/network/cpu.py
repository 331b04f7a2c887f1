"""Evaluating planes on the CPU."""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nought.arithmetic import ceil_div
from nought.network.fused import fuse_for_cpu
from nought.network.resnet import Network
from nought.network.trial import lowered, small_network, why_not_bfloat16

Floats = NDArray[np.float32]

PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}
LEAST_SPEEDUP = 1.2  # bfloat16 is chosen if it is faster by this: 2 with hardware for it, under 1 without
TRIAL_POSITIONS = 64  # positions on which that is measured
TRIALS = 10  #  times


class ChosenPrecision(NamedTuple):
    """A precision, and why this one."""

    precision: str
    why: str


_chosen: dict[Any, ChosenPrecision] = {}
_deciding = threading.Lock()
_preparing = threading.Lock()  # one network is copied by one thread at a time


class CpuForward:
    """Planes → policy and value. One belongs to one thread at a time; several do not disturb each other."""

    def __init__(self, network: Network, capacity: int, threads: int | None, precision: str) -> None:
        self.threads = threads
        self.room: Floats = np.zeros((capacity, *network.planes), np.float32)
        chosen = choose_precision(network, precision)
        try:
            self._prepare(network, chosen)
        except Exception as error:  # of a library on a machine nobody has tried it on
            if chosen.precision == "float32":
                raise
            self._prepare(
                network, ChosenPrecision("float32", f"{chosen.precision} fails here: {_shown(error)}")
            )

    def _prepare(self, network: Network, chosen: ChosenPrecision) -> None:
        """Make ready, and try it once: what fails fails here."""
        self.precision, self.why = chosen
        self.input = _planes(_padded(len(self.room)), network, self.precision)
        self.update(network)
        self(self.room)

    def update(self, network: Network) -> None:
        self.network = _prepared(network, self.precision, len(self.input))

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        n = len(planes)
        with torch.inference_mode(), _on_threads(self.threads):
            self.input[:n].copy_(torch.from_numpy(planes))
            output = self.network(self.input[: _padded(n)])
            policy = torch.softmax(output.policy[:n], 1)
            return policy.numpy(), output.value[:n].numpy()


def _padded(n: int) -> int:
    """The size to which a batch is padded. There are few: oneDNN prepares code for every size it meets and keeps only
    so much of it, which costs a small network a quarter of its speed when every batch has another size."""
    return 1 << (n - 1).bit_length() if n <= 16 else ceil_div(n, 16) * 16


def _planes(rows: int, network: Network, precision: str) -> Tensor:
    planes = torch.zeros((rows, *network.planes), dtype=PRECISIONS[precision])
    return planes.contiguous(memory_format=torch.channels_last)


def _prepared(network: Network, precision: str, batch: int) -> Network:
    """A copy with fused layers where those work, else with plain ones."""
    kind = PRECISIONS[precision]
    with _preparing:
        if _can_fuse(kind):
            with contextlib.suppress(Exception):
                fused = fuse_for_cpu(lowered(network, kind), batch)
                with torch.inference_mode():
                    fused(_planes(batch, network, precision))
                return fused
        return lowered(network, kind)


@functools.cache
def _can_fuse(kind: torch.dtype) -> bool:
    """Whether this torch has the fused convolutions, and they agree with the plain ones."""
    try:
        return all(_agrees(activation, kind) for activation in ("relu", "leaky"))
    except Exception:
        return False


def _agrees(activation: str, kind: torch.dtype) -> bool:
    network = small_network(activation)
    planes = torch.rand((4, *network.planes), generator=torch.Generator().manual_seed(1))
    planes = planes.to(kind).contiguous(memory_format=torch.channels_last)
    with torch.inference_mode():
        fused = fuse_for_cpu(lowered(network, kind), len(planes))
        return torch.allclose(lowered(network, kind)(planes).policy, fused(planes).policy, atol=0.05)


def choose_precision(network: Network, asked: str) -> ChosenPrecision:
    """What was asked for where it works; auto: bfloat16 where the CPU is fast in it, else float32.

    Measured once for each shape of network, so that all evaluators agree.
    """
    if asked == "float32":
        return ChosenPrecision(asked, "as asked for")
    if (why_not := why_not_bfloat16()) is not None:
        return ChosenPrecision("float32", f"no bfloat16: {why_not}")
    if asked == "bfloat16":
        return ChosenPrecision(asked, "as asked for")
    shape = (network.architecture, network.planes, network.actions)
    with _deciding:
        if shape not in _chosen:
            _chosen[shape] = _measured(network)
        return _chosen[shape]


def _measured(network: Network) -> ChosenPrecision:
    try:
        plain, lower = _seconds(network, ("float32", "bfloat16"))
    except Exception as error:
        return ChosenPrecision("float32", f"bfloat16 fails here: {_shown(error)}")
    if plain > LEAST_SPEEDUP * lower:
        return ChosenPrecision("bfloat16", f"{plain / lower:.1f} × as fast as float32 here")
    return ChosenPrecision("float32", f"bfloat16 is only {plain / lower:.1f} × as fast here")


def _shown(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _seconds(network: Network, precisions: tuple[str, ...]) -> list[float]:
    """The shortest time for a batch in each precision, tried in turn and in this thread's own time: what else the
    machine does sways both, or neither."""
    tried = [
        (_prepared(network, p, TRIAL_POSITIONS), _planes(TRIAL_POSITIONS, network, p)) for p in precisions
    ]
    times: list[list[float]] = [[] for _ in tried]
    with torch.inference_mode(), _on_threads(1):
        for _ in range(TRIALS):
            for taken, (prepared, planes) in zip(times, tried, strict=True):
                begin = time.thread_time()
                prepared(planes)
                taken.append(time.thread_time() - begin)
    return [min(taken) for taken in times]


@contextlib.contextmanager
def _on_threads(count: int | None) -> Iterator[None]:
    """Set how many threads torch uses within one operation, for calls of this Python thread."""
    before = torch.get_num_threads()
    if count is None or count == before:
        yield
        return
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
