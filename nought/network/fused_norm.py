"""Batch norm, what is added to it and the rectifier in one operation, while a network learns on a GPU: norm.cu says how.

torch has a kernel for each of them; forwards and backwards they are two fifths of a gradient step's time, in these small
layers as much as the convolutions.
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


class LearningConvolution(Convolution):
    """A convolution whose norm, addition and rectifier are one operation as it learns; when it plays it is as any other."""

    def __init__(self, layer: Convolution, norms: Callable[[], Norms]) -> None:
        nn.Module.__init__(self)
        self.conv, self.norm, self.activation = layer.conv, layer.norm, layer.activation
        self.norms = norms  # a function: networks are copied and sent, kernels cannot be

    def forward(self, x: Tensor, added: Tensor | None = None) -> Tensor:
        if not self.training:
            return super().forward(x, added)
        layer = self.conv(x)
        if layer.dtype == torch.bfloat16 and (added is None or added.shape == layer.shape):
            assert isinstance(self.norm, nn.BatchNorm2d)
            return norm_and_rectify(layer, added, self.norm, self.norms())
        normed = self.norm(layer)
        activated: Tensor = self.activation(normed if added is None else normed + added)
        return activated


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
    if device.type == "cuda" and _tried(device):
        replace_layers(network, functools.partial(_on_gpu, device))


def replace_layers(network: Network, norms: Callable[[], Norms]) -> None:
    """Let the layers for which the kernels are written use those that `norms` gives."""
    for module in list(network.modules()):
        for name, layer in list(module.named_children()):
            if isinstance(layer, Convolution) and fits(layer):
                setattr(module, name, LearningConvolution(layer, norms))


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


# ---- on this GPU ---------------------------------------------------------------------------------------------
@functools.cache
def _on_gpu(device: torch.device) -> Norms:
    """The kernels on a GPU; raises GpuFailed where there is no compiler, or the GPU does not take what it makes."""
    with torch.cuda.device(device):
        torch.cuda.current_stream().synchronize()  # torch chooses the GPU before the driver is asked
        code = compiled(source(), "sm_{}{}".format(*torch.cuda.get_device_capability(device)))
        processors = torch.cuda.get_device_properties(device).multi_processor_count
        return Norms.of(_launcher(CudaModule(code)), processors, device)


@functools.cache
def _tried(device: torch.device) -> bool:
    """Whether a GPU has the kernels, and they do there what torch's layers do. Whatever is wrong, torch's will do."""
    try:
        with torch.cuda.device(device):
            return as_torch(_on_gpu(device), device)
    except (GpuFailed, RuntimeError, OSError):
        return False


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
        found = _changed(lambda x, a, n: norm_and_rectify(x, a, n, norms), layer, more, norm, gradient)
        expected = _changed(_plain, layer.double(), more, norm.double(), gradient.double())
        if not all(_near(own, other) for own, other in zip(found, expected, strict=True)):
            return False
    return True


def _plain(layer: Tensor, added: Tensor | None, norm: nn.BatchNorm2d) -> Tensor:
    normed: Tensor = norm(layer)
    return torch.relu(normed if added is None else normed + added)


def _changed(
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
