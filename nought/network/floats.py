"""Evaluating planes in float32 or bfloat16 on a CPU, by torch."""

from __future__ import annotations

import contextlib
import functools
import threading

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nought.arithmetic import ceil_div
from nought.network.fused import fuse_for_cpu
from nought.network.resnet import Network
from nought.network.threads import on_threads
from nought.network.trial import lowered, small_network

Floats = NDArray[np.float32]

TYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
_preparing = threading.Lock()  # one network is copied by one thread at a time


class FloatForward:
    """Planes → policy and value, as CpuForward."""

    def __init__(self, network: Network, capacity: int, threads: int | None, precision: str) -> None:
        self.threads = threads
        self.input = _planes(_padded(capacity), network, precision)
        self.network = _prepared(network, precision, len(self.input))

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        n = len(planes)
        with torch.inference_mode(), on_threads(self.threads):
            self.input[:n].copy_(torch.from_numpy(planes))
            output = self.network(self.input[: _padded(n)])
            policy = torch.softmax(output.policy[:n], 1)
            return policy.numpy(), output.value[:n].numpy()


def _padded(n: int) -> int:
    """The size to which a batch is padded. There are few: oneDNN prepares code for every size it meets and keeps only
    so much of it, which costs a small network a quarter of its speed when every batch has another size."""
    return 1 << (n - 1).bit_length() if n <= 16 else ceil_div(n, 16) * 16


def _planes(rows: int, network: Network, precision: str) -> Tensor:
    planes = torch.zeros((rows, *network.planes), dtype=TYPES[precision])
    return planes.contiguous(memory_format=torch.channels_last)


def _prepared(network: Network, precision: str, batch: int) -> Network:
    """A copy with fused layers where those work, else with plain ones."""
    kind = TYPES[precision]
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
