"""The tower of a small network as one kernel of a Hopper GPU: tower.cu says how.

The layers of a network with 64 filters are too small for cuDNN: each reads its input from the GPU's memory and writes its
output there, in as much time as it calculates. Here a tile of positions stays in shared memory through all layers.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import torch
from torch import Tensor, nn

from nought.arithmetic import ceil_div
from nought.compile.driver import CudaModule
from nought.compile.nvrtc import compiled
from nought.network.resnet import Block, Convolution, Network, Output

FOLDER = Path(__file__).parent
ARCHITECTURE = "sm_90a"  #    whose matrix unit takes both factors from shared memory
TAPS = 9  #                   cells that a 3×3 convolution sees
HEAD_FILTERS = 64  #          of both heads' 1×1 convolutions, filled up to that
TILES_AT_ONCE = 2  #          in a block of threads
SHARED_MEMORY = 227 * 1024  # of a block of threads
BARRIERS = 16  #              bytes of those of a stage
NOTE = 16  #                  bytes in which the next tiles are told
MOST_STAGES = 6  #            of that ring: more gain nothing, and others' blocks need a little of this memory


@dataclass(frozen=True)
class TowerShape:
    """The numbers the kernel is compiled with."""

    planes: int
    height: int
    width: int
    blocks: int
    filters: int
    policy: int  # filters of the heads' 1×1 convolutions
    value: int

    text: ClassVar[str] = "tower.cu"
    # by filters, the cells of a tile: as many as a group of warps has registers for
    cells_of: ClassVar[dict[int, int]] = {64: 240}
    bytes_of: ClassVar[int] = 2  # a number
    kind: ClassVar[str] = "f"  #   of a thread's sums, as inline assembly names it
    threads: ClassVar[int] = 32 * (4 * TILES_AT_ONCE + 1)  # of a block

    @classmethod
    def of(cls, network: Network) -> TowerShape:
        """Those of a network."""
        parts = network.architecture
        return cls(*network.planes, parts.blocks, parts.filters, parts.policy_filters, parts.value_filters)

    @property
    def heads(self) -> int:
        """Filters of both heads' convolutions, which are one."""
        return self.policy + self.value

    @property
    def boards(self) -> int:
        """Positions of a tile."""
        return self.cells_of[self.filters] // (self.height * (self.width + 1))

    @property
    def cells(self) -> int:
        """Of a tile, with the empty ones, as many as are calculated."""
        return ceil_div(self.boards * self.height * (self.width + 1), 16) * 16

    @property
    def tile(self) -> int:
        """Bytes of a tile: two layers and the margins around them."""
        return self.filters * 2 * (3 * self.margin + 2 * self.cells)

    @property
    def margin(self) -> int:
        """Cells before the first and after the last one, as far as a tap reaches."""
        return self.boards * (self.width + 1) + 1

    @property
    def tap(self) -> int:
        """Bytes of a tap's weights."""
        return self.bytes_of * self.filters**2

    @property
    def stages(self) -> int:
        """How many taps' weights have room beside the tiles."""
        room = SHARED_MEMORY - NOTE - TILES_AT_ONCE * self.tile
        return min(MOST_STAGES, room // (self.tap + BARRIERS))

    @property
    def shared_memory(self) -> int:
        """Bytes of a block of threads."""
        return NOTE + TILES_AT_ONCE * self.tile + self.stages * (self.tap + BARRIERS)

    def source(self) -> str:
        """The kernel's text for this shape."""
        sums = self.cells // 2  # of each thread
        numbers = {
            "PLANES": self.planes, "HEIGHT": self.height, "WIDTH": self.width, "BLOCKS": self.blocks,
            "FILTERS": self.filters, "HEADS": self.heads, "POLICY": self.policy,
            "BOARDS": self.boards, "N": self.cells, "STAGES": self.stages, "NOTE": NOTE,
            "TEXT_N": f'"{self.cells}"', "SUMS_0": f'"{sums}"', "SUMS_1": f'"{sums + 1}"', "SUMS_2": f'"{sums + 2}"',
            "SUMS_LIST": '"{' + ", ".join(f"%{i}" for i in range(sums)) + '}"',
            "SUMS(of)": ", ".join(f'"+{self.kind}"(of[{i}])' for i in range(sums)),
        }  # fmt: skip
        defined = "".join(f"#define {name} {number}\n" for name, number in numbers.items())
        return defined + "".join(
            (FOLDER / name).read_text(encoding="utf-8") for name in ("hopper.cu", self.text)
        )


class OneKernel:
    """Planes → policy and value of a folded network that is on the GPU, by a kernel that is given what was `packed` for it.

    A share of the GPU's processors is `spared` for others, who find no room on one where this kernel runs.
    """

    def __init__(
        self, network: Network, shape: TowerShape, packed: tuple[Tensor, ...], spared: float
    ) -> None:
        self.network, self.shape, self.packed = network, shape, packed
        self.device = network.stem.conv.weight.device
        self.module = _module(shape)
        self.dealt = torch.zeros((), dtype=torch.int32, device=self.device)  # see next_pair in hopper.cu
        processors = torch.cuda.get_device_properties(self.device).multi_processor_count
        self.processors = max(1, round((1 - spared) * processors))

    def take(self, packed: tuple[Tensor, ...]) -> None:
        """Go on with other weights, which graphs find in the same places."""
        for own, new in zip(self.packed, packed, strict=True):
            own.copy_(new)

    def __call__(self, planes: Tensor) -> Output:
        """What the network says, in the stream that is current: the tower's kernel, then torch's layers of the heads."""
        policy, value = self.heads(planes)
        return self.network.read(self.network.policy.conclude(policy), self.network.value.conclude(value))

    def heads(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """What the kernel finds: the heads' convolutions, [positions, filters × cells] of the policy and of the value."""
        assert planes.is_contiguous()
        shape, positions = self.shape, len(planes)
        sizes = [positions * filters * shape.height * shape.width for filters in (shape.policy, shape.value)]
        found = torch.empty(sum(sizes), dtype=torch.bfloat16, device=self.device)
        blocks = min(ceil_div(positions, TILES_AT_ONCE * shape.boards), self.processors)
        stream = torch.cuda.current_stream().cuda_stream
        given = (tensor.data_ptr() for tensor in (planes, *self.packed, found, self.dealt))
        self.module.run("tower", stream, blocks, shape.threads, shape.shared_memory, *given, positions)
        policy, value = (part.view(positions, -1) for part in found.split(sizes))
        return policy, value


class FusedTower(OneKernel):
    """The kernel in bfloat16. The network's weights are copied: `pack` follows changes."""

    def __init__(self, network: Network, spared: float = 0.0) -> None:
        super().__init__(network, TowerShape.of(network), packed(network), spared)

    def pack(self) -> None:
        """Take over the network's weights as they are now."""
        self.take(packed(self.network))


@functools.cache
def _module(shape: TowerShape) -> CudaModule:
    return CudaModule(compiled(shape.source(), ARCHITECTURE), {"tower": shape.shared_memory})


@torch.no_grad()
def packed(network: Network) -> tuple[Tensor, Tensor]:
    """The weights and biases of a network's convolutions as the kernel takes them; the heads' are one, the last."""
    convolutions = [network.stem.conv]
    for block in network.blocks:
        assert isinstance(block, Block)
        convolutions += [block.first.conv, block.second.conv]
    taps = [tap for conv in convolutions for tap in conv.weight.flatten(2).permute(2, 1, 0)]
    heads = [head.convolution.conv for head in (network.policy, network.value)]
    joined = torch.cat([conv.weight[:, :, 0, 0] for conv in heads]).T  # [channels, filters]
    missing = HEAD_FILTERS - joined.shape[1]
    taps.append(nn.functional.pad(joined, (0, missing)))
    biases = [*map(_bias, convolutions), nn.functional.pad(torch.cat([*map(_bias, heads)]), (0, missing))]
    return torch.stack([_chunked(tap) for tap in taps]), torch.stack(biases).float()


def _chunked(weights: Tensor) -> Tensor:
    """Weights [channels, filters] as the matrix unit wants them: [channels / 8, filters, 8 channels]."""
    whole = nn.functional.pad(weights, (0, 0, 0, weights.shape[1] - len(weights)))
    return whole.to(torch.bfloat16).unflatten(0, (-1, 8)).transpose(1, 2)


def _bias(conv: nn.Conv2d) -> Tensor:
    assert conv.bias is not None
    return conv.bias


def why_no_tower(network: Network, precision: torch.dtype) -> str | None:
    """Why a folded network cannot be one kernel here, or None if it can."""
    if torch.cuda.get_device_capability(network.stem.conv.weight.device) != (9, 0):
        return "it is written for Hopper GPUs"
    return "it calculates in bfloat16" if precision != torch.bfloat16 else why_no_shape(network)


def why_no_shape(network: Network, kind: type[TowerShape] = TowerShape) -> str | None:
    """Why no GPU can take a folded network as one kernel, or None if one can."""
    shape, parts = kind.of(network), network.architecture
    layers = [layer for layer in network.modules() if isinstance(layer, Convolution)]
    few = shape.planes <= shape.filters and shape.heads <= HEAD_FILTERS
    if parts.filters not in kind.cells_of or parts.kernel != 3 or not few:
        return f"it has {' or '.join(map(str, kind.cells_of))} filters of 3×3"
    if shape.boards == 0 or shape.stages < 2:
        return "the board is too large"
    if parts.pooling or parts.signed or parts.value_plane is not None or parts.norm == "layer":
        return "it has convolutions only"
    if not all(isinstance(layer.activation, nn.ReLU) for layer in layers):
        return "all its layers rectify"
    return None
