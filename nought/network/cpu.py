"""Evaluating planes on the CPU."""

from __future__ import annotations

import contextlib
import copy
import functools
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nought.config import NetworkParameters
from nought.network.fused import fuse_for_cpu
from nought.network.resnet import Network, empty_network, folded

Floats = NDArray[np.float32]

PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}
FASTER = 1.2  # bfloat16 is chosen if it is faster by this: 2 with hardware for it, under 1 without
TRIAL = 64  #   positions on which that is measured
TRIALS = 10  #  times

_verdicts: dict[Any, str] = {}
_deciding = threading.Lock()
_preparing = threading.Lock()  # one network is copied by one thread at a time


class CpuForward:
    """Planes → policy and value. One belongs to one thread at a time; several do not disturb each other."""

    def __init__(self, network: Network, capacity: int, threads: int | None, precision: str) -> None:
        self.threads = threads
        self.precision = faster_precision(network) if precision == "auto" else precision
        self.room: Floats = np.zeros((capacity, *network.planes), np.float32)
        self.input = _planes(_padded(capacity), network, self.precision)
        self.update(network)

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
    """Batches come in few sizes, the rest is padding: oneDNN prepares code for every size it meets and keeps only
    so much of it, which costs a small network a quarter of its speed when every batch has another size."""
    return 1 << (n - 1).bit_length() if n <= 16 else -(n // -16) * 16


def _planes(rows: int, network: Network, precision: str) -> Tensor:
    planes = torch.zeros((rows, *network.planes), dtype=PRECISIONS[precision])
    return planes.contiguous(memory_format=torch.channels_last)


def _prepared(network: Network, precision: str, batch: int) -> Network:
    kind = PRECISIONS[precision]
    with _preparing:
        lowered = folded(network).lowered(kind).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        return fuse_for_cpu(lowered, batch) if _can_fuse(kind) else lowered


@functools.cache
def _can_fuse(kind: torch.dtype) -> bool:
    """Whether this torch has the fused convolutions, and they agree with the plain ones."""
    try:
        return all(_agrees(activation, kind) for activation in ("relu", "leaky"))
    except (AttributeError, NotImplementedError, RuntimeError):
        return False


def _agrees(activation: str, kind: torch.dtype) -> bool:
    parameters = NetworkParameters(blocks=1, filters=16, activation=activation, norm="none")
    network = empty_network((2, 5, 5), 4, parameters, margin=False).requires_grad_(False)
    random = torch.Generator().manual_seed(0)
    for tensor in network.parameters():
        tensor.normal_(std=0.2, generator=random)
    plain = folded(network).lowered(kind).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    planes = torch.rand((4, 2, 5, 5), generator=random).to(kind).contiguous(memory_format=torch.channels_last)
    with torch.inference_mode():
        fused = fuse_for_cpu(copy.deepcopy(plain), len(planes))
        return torch.allclose(plain(planes).policy, fused(planes).policy, atol=0.05)


def faster_precision(network: Network) -> str:
    """bfloat16 where the CPU is fast in it, else float32. Measured once for each shape of network, in this
    thread's own time, so that all evaluators agree and other work does not sway it."""
    shape = (network.architecture, network.planes, network.actions)
    with _deciding:
        if shape not in _verdicts:
            _verdicts[shape] = "float32"
            if torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported():
                plain, lowered = _seconds(network, ("float32", "bfloat16"))
                _verdicts[shape] = "bfloat16" if plain > FASTER * lowered else "float32"
        return _verdicts[shape]


def _seconds(network: Network, precisions: tuple[str, ...]) -> list[float]:
    """The shortest time for a batch in each precision, tried in turn: what else the machine does sways both."""
    tried = [(_prepared(network, p, TRIAL), _planes(TRIAL, network, p)) for p in precisions]
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
    """Torch's threads within one operation, for calls of this Python thread."""
    before = torch.get_num_threads()
    if count is None or count == before:
        yield
        return
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
