"""A small network as one kernel of a Hopper GPU: tower.cu says how.

The layers of a network with 64 filters are too small for cuDNN: each reads its input from the GPU's memory and writes its
output there, in as much time as it calculates. Here a tile of positions stays in shared memory through all layers.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from nought.arithmetic import ceil_div
from nought.compile.driver import CudaModule
from nought.compile.nvrtc import compiled
from nought.network.resnet import Block, Convolution, Network

SOURCE = Path(__file__).with_name("tower.cu")
ARCHITECTURE = "sm_90a"  #    whose matrix unit takes both factors from shared memory
FILTERS, TAPS = 64, 9
MOST_CELLS = 240  #           of a tile: as many sums as a group of warps has registers for
TILES_AT_ONCE = 2  #          in a block of threads
THREADS = 32 * (4 * TILES_AT_ONCE + 1)
SHARED_MEMORY = 227 * 1024  # of a block of threads
WEIGHTS = 2 * FILTERS**2 + 16  # bytes of a tap's weights in the ring, with its barriers
MOST_STAGES = 6  #            of that ring: more gain nothing, and others' blocks need a little of this memory


@dataclass(frozen=True)
class TowerShape:
    """The numbers the kernel is compiled with."""

    planes: int
    height: int
    width: int
    blocks: int
    actions: int
    policy_filters: int
    value_filters: int
    hidden: int
    results: int  # 1, or 3 for win, draw and loss

    @classmethod
    def of(cls, network: Network) -> TowerShape:
        """Those of a network."""
        parts = network.architecture
        heads = (parts.policy_filters, parts.value_filters, parts.value_hidden)
        return cls(*network.planes, parts.blocks, network.actions, *heads, network.results)

    @property
    def chunks(self) -> tuple[int, int]:
        """Of 8 filters each, for the policy and for the value."""
        return ceil_div(self.policy_filters, 8), ceil_div(self.value_filters, 8)

    @property
    def boards(self) -> int:
        """Positions of a tile."""
        return MOST_CELLS // (self.height * (self.width + 1))

    @property
    def cells(self) -> int:
        """Of a tile, with the empty ones, as many as are calculated."""
        return ceil_div(self.boards * self.height * (self.width + 1), 16) * 16

    @property
    def tile(self) -> int:
        """Bytes of a tile: two layers and the margins around them, and what the heads find."""
        margin = self.boards * (self.width + 1) + 1
        return FILTERS * 2 * (3 * margin + 2 * self.cells) + 4 * self.boards * (self.actions + self.hidden)

    @property
    def stages(self) -> int:
        """How many taps' weights have room beside the tiles."""
        return min(MOST_STAGES, (SHARED_MEMORY - TILES_AT_ONCE * self.tile) // WEIGHTS)

    @property
    def shared_memory(self) -> int:
        """Bytes of a block of threads."""
        return TILES_AT_ONCE * self.tile + self.stages * WEIGHTS

    def source(self) -> str:
        """The kernel's text for this shape."""
        sums = self.cells // 2  # of each thread
        policy, value = self.chunks
        numbers = {
            "PLANES": self.planes, "HEIGHT": self.height, "WIDTH": self.width, "BLOCKS": self.blocks,
            "ACTIONS": self.actions, "HIDDEN": self.hidden, "RESULTS": self.results,
            "POLICY_CHUNKS": policy, "VALUE_CHUNKS": value,
            "BOARDS": self.boards, "N": self.cells, "STAGES": self.stages,
            "TEXT_N": f'"{self.cells}"', "SUMS_0": f'"{sums}"', "SUMS_1": f'"{sums + 1}"', "SUMS_2": f'"{sums + 2}"',
            "SUMS_LIST": '"{' + ", ".join(f"%{i}" for i in range(sums)) + '}"',
            "SUMS(of)": ", ".join(f'"+f"(of[{i}])' for i in range(sums)),
        }  # fmt: skip
        defined = "".join(f"#define {name} {number}\n" for name, number in numbers.items())
        return defined + SOURCE.read_text(encoding="utf-8")


class FusedTower:
    """Planes → policy and value of a folded network that is on the GPU. Its weights are copied: `pack` follows changes."""

    def __init__(self, network: Network) -> None:
        self.network, self.shape = network, TowerShape.of(network)
        self.device = network.stem.conv.weight.device
        self.module = _module(self.shape)
        self.processors = torch.cuda.get_device_properties(self.device).multi_processor_count
        self.packed = packed(network, self.shape)

    def pack(self) -> None:
        """Take over the network's weights as they are now."""
        for own, new in zip(self.packed, packed(self.network, self.shape), strict=True):
            own.copy_(new)

    def __call__(self, planes: Tensor, policy: Tensor, value: Tensor) -> None:
        """Planes → policy [n, actions] or [games, leaves, actions] and value, in the stream that is current."""
        shape, positions = self.shape, len(planes)
        leaves = policy.shape[1] if policy.dim() == 3 else 1
        assert planes.is_contiguous() and policy[0].is_contiguous() and value[0].is_contiguous()
        # Each block of threads takes one tile after the other: blocks in a queue would keep others' kernels waiting.
        blocks = min(ceil_div(positions, TILES_AT_ONCE * shape.boards), self.processors)
        self.module.run(
            "tower", torch.cuda.current_stream().cuda_stream, blocks, THREADS, shape.shared_memory,
            *(tensor.data_ptr() for tensor in (planes, *self.packed, policy, value)),
            policy.stride(0), value.stride(0), leaves, positions,
        )  # fmt: skip


@functools.cache
def _module(shape: TowerShape) -> CudaModule:
    return CudaModule(compiled(shape.source(), ARCHITECTURE), {"tower": shape.shared_memory})


@torch.no_grad()
def packed(network: Network, shape: TowerShape) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """A network's weights as the kernel takes them: of the convolutions weights and biases, and the same of the heads."""
    convolutions = [network.stem.conv]
    for block in network.blocks:
        assert isinstance(block, Block)
        convolutions += [block.first.conv, block.second.conv]
    taps = [tap for conv in convolutions for tap in conv.weight.flatten(2).permute(2, 1, 0)]
    biases = [_bias(conv) for conv in convolutions]
    heads, places = (
        [head.convolution.conv for head in (network.policy, network.value)],
        (0, 8 * shape.chunks[0]),
    )
    joined = torch.zeros((FILTERS, FILTERS), device=taps[0].device)  # [channels, filters]
    joined_bias = torch.zeros(FILTERS, device=taps[0].device)
    for conv, first in zip(heads, places, strict=True):
        joined[:, first : first + conv.out_channels] = conv.weight[:, :, 0, 0].T
        joined_bias[first : first + conv.out_channels] = _bias(conv)
    weights = torch.stack([_chunked(tap) for tap in (*taps, joined)])
    return weights, torch.stack([*biases, joined_bias]).float(), *_outputs(network, shape)


def _outputs(network: Network, shape: TowerShape) -> tuple[Tensor, Tensor]:
    """The layers after the heads' convolutions: weights, then biases together with the last layer."""
    policy, hidden, last = network.policy.last, network.value.hidden, network.value.last
    assert hidden is not None
    weights = []
    for layer, chunks in zip((policy, hidden), shape.chunks, strict=True):
        known = layer.weight.float().unflatten(
            1, (-1, shape.height * shape.width)
        )  # [outputs, filters, cells]
        filled = nn.functional.pad(known, (0, 0, 0, 8 * chunks - known.shape[1]))
        weights.append(filled.unflatten(1, (chunks, 8)).permute(3, 1, 0, 2).flatten())
    results = slice(shape.results)
    others = (policy.bias, hidden.bias, last.weight[results].flatten(), last.bias[results])
    return torch.cat(weights), torch.cat([other.float() for other in others])


def _chunked(weights: Tensor) -> Tensor:
    """Weights [channels, filters] as the matrix unit wants them: [channels / 8, filters, 8 channels]."""
    whole = nn.functional.pad(weights, (0, 0, 0, FILTERS - len(weights)))
    return whole.to(torch.bfloat16).unflatten(0, (-1, 8)).transpose(1, 2)


def _bias(conv: nn.Conv2d) -> Tensor:
    assert conv.bias is not None
    return conv.bias


def why_no_tower(network: Network, precision: torch.dtype) -> str | None:
    """Why a folded network cannot be one kernel here, or None if it can."""
    if torch.cuda.get_device_capability(network.stem.conv.weight.device) != (9, 0):
        return "it is written for Hopper GPUs"
    return "it calculates in bfloat16" if precision != torch.bfloat16 else why_no_shape(network)


def why_no_shape(network: Network) -> str | None:
    """Why no GPU can take a folded network as one kernel, or None if one can."""
    shape, parts = TowerShape.of(network), network.architecture
    layers = [layer for layer in network.modules() if isinstance(layer, Convolution)]
    if (
        parts.filters != FILTERS
        or parts.kernel != 3
        or shape.planes > FILTERS
        or 8 * sum(shape.chunks) > FILTERS
    ):
        return "it has 64 filters of 3×3"
    if shape.boards == 0 or shape.stages < 2:
        return "the board is too large"
    if parts.pooling or parts.value_plane is not None or parts.norm == "layer" or not shape.hidden:
        return "it has convolutions, and a hidden layer for the value"
    if not all(isinstance(layer.activation, nn.ReLU) for layer in layers):
        return "all its layers rectify"
    return None
