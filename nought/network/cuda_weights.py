"""A network's weights as evaluators on a GPU take them, made once for all that are given the same: a learner gives each
version to three."""

from __future__ import annotations

import threading
from typing import NamedTuple

import torch
from torch import Tensor

from nought.network.int8 import Likeness
from nought.network.resnet import Network, folded, widened
from nought.network.sample import PositionSample

FILTER_MULTIPLE = 16  # a tower's filters are filled up to a multiple: 114 take 2.4 times as long as 128


class IntegerWeights(NamedTuple):
    """The weights in integers of 8 bits, by a sample of positions, and how like their answers are to those of float32."""

    sample: PositionSample
    packed: tuple[Tensor, ...]
    likeness: Likeness


class GpuWeights:
    """A network on a GPU, folded and filled up; of what else evaluators have made of it, what others can take over."""

    def __init__(self, network: Network, device: torch.device) -> None:
        self.plain = widened(folded(network, device), FILTER_MULTIPLE)  # in float32
        self.integers: IntegerWeights | None = None


_kept: dict[torch.device, tuple[Tensor, object, GpuWeights]] = {}
_making = threading.Lock()


def gpu_weights(network: Network, device: torch.device) -> GpuWeights:
    """A network's weights for evaluators on this GPU; those that were asked for last, if they are the same number by number."""
    floats = [tensor.flatten() for tensor in network.state_dict().values() if tensor.is_floating_point()]
    numbers, shape = torch.cat(floats).to(device), (network.architecture, network.planes, network.actions)
    with _making:
        kept = _kept.get(device)
        if kept is None or kept[1] != shape or not torch.equal(kept[0], numbers):
            kept = _kept[device] = numbers, shape, GpuWeights(network, device)
        return kept[2]
