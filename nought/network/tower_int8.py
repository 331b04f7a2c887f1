"""The tower of a network with 64 or 128 filters in integers of 8 bits, as one kernel of a Hopper GPU: tower_int8.cu says how."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from nought.network.cuda_weights import GpuWeights, IntegerWeights
from nought.network.int8 import CLOSE, LEAST_SAME, MORE, SAMPLE, Likeness, likeness
from nought.network.quantised import CannotQuantise, find_ranges, integer_weights, step_of
from nought.network.resnet import Block, Network, Output
from nought.network.sample import PositionSample, Sampler
from nought.network.tower import TILES_AT_ONCE, OneKernel, TowerShape, why_no_shape

CHUNK = 16  # channels of a cell that stand together


@dataclass(frozen=True)
class IntegerTowerShape(TowerShape):
    """The numbers this kernel is compiled with."""

    text: ClassVar[str] = "tower_int8.cu"
    cells_of: ClassVar[dict[int, int]] = {64: 240, 128: 160}
    bytes_of: ClassVar[int] = 1
    kind: ClassVar[str] = "r"
    threads: ClassVar[int] = 128 * (TILES_AT_ONCE + 1)

    @property
    def tile(self) -> int:
        """Bytes of a tile: a layer in integers, with its margins, and in bfloat16 what blocks add to."""
        return self.filters * (2 * self.margin + self.cells) + self.filters * 2 * self.cells


class IntegerTower(OneKernel):
    """The kernel in integers; `follow` goes on with other weights. `network` has the same as `weights`, for the heads' last
    layers; `sample` sets the steps, and on it answers are compared."""

    def __init__(self, network: Network, weights: GpuWeights, sample: Sampler, spared: float = 0.0) -> None:
        self.sample = sample
        few = torch.from_numpy(sample(SAMPLE).planes).to(network.stem.conv.weight.device)
        packed, _ = quantised_tower(weights.plain, few)
        super().__init__(network, IntegerTowerShape.of(network), packed, spared)

    def follow(self, weights: GpuWeights) -> Likeness:
        """Take over these weights; how like the answers are to those of float32, as the first says who is given them."""
        few = self.sample(SAMPLE)
        if weights.integers is None or weights.integers.sample is not few:
            packed, expected = quantised_tower(weights.plain, self._planes(few))
            self.take(packed)
            weights.integers = IntegerWeights(few, packed, self._likeness(weights.plain, few, expected))
        else:
            self.take(weights.integers.packed)
        return weights.integers.likeness

    def _likeness(self, plain: Network, few: PositionSample, expected: Output) -> Likeness:
        found = self._compared(few, expected)
        if not CLOSE <= found.same < LEAST_SAME:
            return found
        more = self.sample(MORE)
        with _whole_floats(), torch.inference_mode():
            return self._compared(more, plain(self._planes(more)))

    def _compared(self, positions: PositionSample, expected: Output) -> Likeness:
        with torch.inference_mode():
            outputs = self(self._planes(positions)), expected
        one, other = ((of.policy.float().cpu().numpy(), of.value.float().cpu().numpy()) for of in outputs)
        return likeness(positions, one, other)

    def _planes(self, positions: PositionSample) -> Tensor:
        return torch.from_numpy(positions.planes).to(self.device)


def why_no_integers(network: Network) -> str | None:
    """Why a folded network that is on a GPU cannot be this kernel there, or None if it can."""
    weight = network.stem.conv.weight
    if torch.cuda.get_device_capability(weight.device) != (9, 0):
        return "it is written for Hopper GPUs"
    if weight.dtype != torch.bfloat16:
        return "its heads calculate in bfloat16"
    return why_no_shape(network, IntegerTowerShape)


def _whole_floats() -> AbstractContextManager[None]:
    """float32 as it is meant: cuDNN would round it to 10 bits."""
    return torch.backends.cudnn.flags(enabled=True, allow_tf32=False)


@torch.no_grad()
def quantised_tower(network: Network, planes: Tensor) -> tuple[tuple[Tensor, Tensor, Tensor], Output]:
    """A folded float32 network as the kernel takes it, with the steps that these planes ask for: weights, a factor and a
    bias for each filter of each layer, and one over the steps of planes, stem and blocks. And what the network says of them."""
    with _whole_floats():
        ranges, output = find_ranges(network, planes)
    if ranges[network].low < 0:
        raise CannotQuantise("some planes are below 0")
    shown, step = step_of(ranges[network]), step_of(ranges[network.stem])
    filters = network.architecture.filters
    layers, per_step = [_layer([network.stem.conv], filters, shown, ordered=False)], [1 / shown, 1 / step]
    for block in network.blocks:
        assert isinstance(block, Block)
        inner = step_of(ranges[block.first])
        layers += [
            _layer([block.first.conv], filters, step, inner),
            _layer([block.second.conv], filters, inner),
        ]
        step = step_of(ranges[block.second])
        per_step.append(1 / step)
    layers.append(_layer([head.convolution.conv for head in (network.policy, network.value)], filters, step))
    weights, numbers = zip(*layers, strict=True)
    packed = torch.cat(weights), torch.stack(numbers), torch.tensor(per_step, device=planes.device)
    return packed, output


def _layer(
    convolutions: list[nn.Conv2d], filters: int, step: float, stored: float = 1.0, *, ordered: bool = True
) -> tuple[Tensor, Tensor]:
    """Convolutions as the kernel takes them: weights [taps, channels / CHUNK, filters, CHUNK], and two numbers for each
    filter."""
    weights, factors, biases = integer_weights(convolutions, step, stored)
    integers = weights.flatten(2)
    room = (0, 0, 0, filters - integers.shape[1], 0, filters - integers.shape[0])
    integers = nn.functional.pad(integers, room)  # [filters, channels, taps]
    if ordered:
        integers = integers[:, stored_order(filters).to(integers.device)]
    chunks = integers.permute(2, 1, 0).unflatten(1, (-1, CHUNK)).transpose(2, 3)
    numbers = torch.stack([factors, biases], 1)
    return chunks.contiguous(), nn.functional.pad(numbers, (0, 0, 0, filters - len(numbers)))


def stored_order(filters: int) -> Tensor:
    """Which filter stands where: a thread has filters f and f + 8, and stores them side by side."""
    return torch.arange(filters).view(-1, 2, CHUNK // 2).transpose(1, 2).flatten()
