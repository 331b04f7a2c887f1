"""Batch norm, what is added to it and the rectifier in one operation, while a network learns on a GPU: norm.cu says how.

torch has a kernel for each of them; forwards and backwards they are more than a third of a gradient step's time, in these
small layers as much as the convolutions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from nought.arithmetic import ceil_div
from nought.compile.driver import CudaModule, GpuFailed
from nought.compile.nvrtc import compiled
from nought.network.resnet import Convolution, Network

SOURCE = Path(__file__).with_name("norm.cu")
THREADS = 512  #            in a block
MOST_CHANNELS = 256
EPSILON, MOMENTUM = 1e-5, 0.1  # torch's own
CHANNELS_OF_A_THREAD = 8
BLOCKS_TO_APPLY = 4  #      for each of the GPU's processors, where they need not wait for each other
TOLERANCE = 0.02  #         how far the trial's answers may be from torch's, as a share

# Runs a function of norm.cu in so many blocks of so many threads, given tensors, numbers, or None for no tensor.
Launch = Callable[..., None]


class Norms(NamedTuple):
    """The kernels, and what all layers share."""

    launch: Launch
    processors: int
    left: Tensor  #     [processors, 2, channels] sums of each block
    arrived: Tensor  #  [1] blocks that have left theirs

    @classmethod
    def of(cls, launch: Launch, processors: int, device: torch.device) -> Norms:
        """With memory on a device."""
        left = torch.zeros(processors * 2 * MOST_CHANNELS, device=device)
        return cls(launch, processors, left, torch.zeros(1, dtype=torch.int32, device=device))


class _NormAndRectify(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, layer: Tensor, added: Tensor | None, weight: Tensor, bias: Tensor, norm: nn.BatchNorm2d, norms: Norms
    ) -> Tensor:  # fmt: skip
        layer = layer.contiguous(memory_format=torch.channels_last)
        if added is not None:
            added = added.contiguous(memory_format=torch.channels_last)
        size = _Size.of(layer)
        line, kept = (weight.new_empty(2 * size.channels) for _ in range(2))
        result = torch.empty_like(layer)
        norms.launch(
            "norm_sums", *size.blocks(norms.processors), layer, size.rows, size.lanes, norms.left, norms.arrived,
            weight, bias, line, kept, norm.running_mean, norm.running_var, norm.num_batches_tracked,
        )  # fmt: skip
        blocks = size.blocks(norms.processors * BLOCKS_TO_APPLY)
        norms.launch("norm_apply", *blocks, layer, added, size.rows, size.lanes, line, result)
        ctx.save_for_backward(layer, result, weight, kept)
        ctx.adds, ctx.norms = added is not None, norms
        return result

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        layer, result, weight, kept = ctx.saved_tensors
        norms: Norms = ctx.norms
        gradient = gradient.contiguous(memory_format=torch.channels_last)
        size = _Size.of(layer)
        found, line = (weight.new_empty(n, size.channels) for n in (2, 3))
        norms.launch(
            "norm_back_sums", *size.blocks(norms.processors), layer, result, gradient, size.rows, size.lanes,
            norms.left, norms.arrived, weight, kept, found, line,
        )  # fmt: skip
        layer_gradient = torch.empty_like(layer)
        added_gradient = torch.empty_like(layer) if ctx.adds else None
        blocks = size.blocks(norms.processors * BLOCKS_TO_APPLY)
        norms.launch(
            "norm_back", *blocks, layer, result, gradient, size.rows, size.lanes, line, layer_gradient, added_gradient
        )  # fmt: skip
        return layer_gradient, added_gradient, found[0], found[1], None, None


class _Size(NamedTuple):
    """Of a layer."""

    rows: int  #    cells of all positions
    channels: int

    @classmethod
    def of(cls, layer: Tensor) -> _Size:
        return cls(layer.numel() // layer.shape[1], layer.shape[1])

    @property
    def lanes(self) -> int:
        """Threads for a row."""
        return self.channels // CHANNELS_OF_A_THREAD

    def blocks(self, most: int) -> tuple[int, int]:
        """How many blocks of how many threads."""
        at_once = THREADS // self.lanes
        return min(ceil_div(self.rows, at_once), most), at_once * self.lanes


def norm_and_rectify(layer: Tensor, added: Tensor | None, norm: nn.BatchNorm2d, norms: Norms) -> Tensor:
    """relu(norm(layer) + added) of bfloat16 numbers, as `norm` does it while it learns."""
    result: Tensor = _NormAndRectify.apply(layer, added, norm.weight, norm.bias, norm, norms)
    return result


def fuse_norms(network: Network, device: torch.device) -> None:
    """Let the layers of a network that learns in bfloat16 on a GPU use this from now on, where they can."""
    norms = _on_gpu(device)
    for layer in network.modules():
        if norms is not None and isinstance(layer, Convolution) and fits(layer):
            layer.fused = functools.partial(_fused, device)


def _fused(device: torch.device, layer: Tensor, added: Tensor | None, norm: nn.BatchNorm2d) -> Tensor | None:
    """Can be copied and sent to others, as networks are: the kernels themselves cannot."""
    norms = _on_gpu(device)
    if norms is None or layer.dtype != torch.bfloat16 or (added is not None and added.shape != layer.shape):
        return None
    return norm_and_rectify(layer, added, norm, norms)


def fits(layer: Convolution) -> bool:
    """Whether the kernels do what a layer does."""
    norm, channels = layer.norm, layer.conv.out_channels
    return (
        isinstance(norm, nn.BatchNorm2d)
        and isinstance(layer.activation, nn.ReLU)
        and (norm.eps, norm.momentum) == (EPSILON, MOMENTUM)
        and channels % CHANNELS_OF_A_THREAD == 0
        and channels <= MOST_CHANNELS
    )


def source() -> str:
    """The kernels' text."""
    numbers = {"THREADS": THREADS, "MOST_CHANNELS": MOST_CHANNELS, "EPSILON": EPSILON, "MOMENTUM": MOMENTUM}
    defined = "".join(f"#define {name} {number}\n" for name, number in numbers.items())
    return defined + SOURCE.read_text(encoding="utf-8")


@functools.cache
def _on_gpu(device: torch.device) -> Norms | None:
    """The kernels on a GPU; None where there is no compiler, or where they do not what torch does."""
    try:
        return made_for(device)
    except Exception:  # whatever it is, torch's layers will do
        return None


def made_for(device: torch.device) -> Norms:
    """The kernels on a GPU, tried; raises GpuFailed or what torch does where they cannot be used."""
    with torch.cuda.device(device):
        torch.cuda.current_stream().synchronize()  # torch chooses the GPU before the driver is asked
        code = compiled(source(), "sm_{}{}".format(*torch.cuda.get_device_capability(device)))
        processors = torch.cuda.get_device_properties(device).multi_processor_count
        norms = Norms.of(_launcher(CudaModule(code)), processors, device)
        if not as_torch(norms, device):
            raise GpuFailed("norms as one operation do not answer as torch's layers do")
        return norms


def _launcher(module: CudaModule) -> Launch:
    def launch(name: str, blocks: int, threads: int, *given: Tensor | int | None) -> None:
        numbers = (0 if one is None else one.data_ptr() if isinstance(one, Tensor) else one for one in given)
        module.run(name, torch.cuda.current_stream().cuda_stream, blocks, threads, 0, *numbers)

    return launch


def as_torch(norms: Norms, device: torch.device, channels: int = 64, positions: int = 300) -> bool:
    """Whether the kernels find what torch's layers do, on numbers drawn by chance: result, gradients, means and variances."""
    random = torch.Generator().manual_seed(channels)
    shape = (positions, channels, 6, 7)
    given = [torch.randn(shape, generator=random).to(device, torch.bfloat16) for _ in range(3)]
    layer, added, gradient = (tensor.contiguous(memory_format=torch.channels_last) for tensor in given)
    layer = layer * 2 + 1
    for more in (added, None):
        norm = nn.BatchNorm2d(channels)
        for tensor in (norm.weight, norm.bias):
            nn.init.uniform_(tensor, 0.5, 2.0, generator=random)
        norm = norm.to(device)
        found = _tried(lambda x, a, n: norm_and_rectify(x, a, n, norms), layer, more, norm, gradient)
        expected = _tried(_plain, layer.double(), more, norm.double(), gradient.double())
        if not all(_near(own, other) for own, other in zip(found, expected, strict=True)):
            return False
    return True


def _plain(layer: Tensor, added: Tensor | None, norm: nn.BatchNorm2d) -> Tensor:
    normed: Tensor = norm(layer)
    return torch.relu(normed if added is None else normed + added)


def _tried(
    how: Callable[[Tensor, Tensor | None, nn.BatchNorm2d], Tensor],
    layer: Tensor,
    added: Tensor | None,
    norm: nn.BatchNorm2d,
    gradient: Tensor,
) -> list[Tensor]:
    """All that a layer and its way back change, in double precision."""
    norm.reset_running_stats()
    norm.zero_grad()
    given = [t.detach().to(layer.dtype).requires_grad_() for t in (layer, added) if t is not None]
    result = how(given[0], given[1] if added is not None else None, norm)
    result.backward(gradient)
    seen = (norm.weight.grad, norm.bias.grad, norm.running_mean, norm.running_var, norm.num_batches_tracked)
    return [t.detach().double().clone() for t in (result, *(g.grad for g in given), *seen) if t is not None]


def _near(own: Tensor, other: Tensor) -> bool:
    return bool((own - other).norm() <= TOLERANCE * other.norm())
