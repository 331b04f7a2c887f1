"""A convolution, what is added to it and its activation in one pass over memory.

These take the place of a folded network's `Convolution`s; the network itself stays as it is. They are what
torch.compile would choose, without its seconds of compiling: oneDNN's on a CPU, cuDNN's on a GPU. Where a
machine has them not, or they do not pay, the network runs without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nought.network.resnet import SLOPE, Convolution, Network

ONE = [1, 1]  # stride, dilation


class OneDnnConvolution(nn.Module):
    """A fused convolution on a CPU, with weights laid out once for all batches."""

    def __init__(self, layer: Convolution, batch: int, board: tuple[int, int]) -> None:
        super().__init__()
        conv = layer.conv
        self.padding = [int(p) for p in conv.padding]
        self.leaky = isinstance(layer.activation, nn.LeakyReLU)
        self.linear = isinstance(layer.activation, nn.Identity)
        shape = [batch, conv.in_channels, *board]
        self.weight = torch.ops.mkldnn._reorder_convolution_weight(
            conv.weight.detach(), self.padding, ONE, ONE, 1, shape
        )
        assert conv.bias is not None
        self.bias = conv.bias.detach()

    def forward(self, x: Tensor, added: Tensor | None = None) -> Tensor:
        if added is None:
            kind = "none" if self.linear else "leaky_relu" if self.leaky else "relu"
            return self._convolve(x, kind, [SLOPE] if self.leaky else [])
        if added.shape[2:] != x.shape[2:]:  # the same for the whole board
            x = self._convolve(x, "none", []).add_(added)
            return F.leaky_relu_(x, SLOPE) if self.leaky else x.relu_()
        # written over `added`, a block's input, which nobody needs any more
        after = None if self.leaky else "relu"
        joined: Tensor = torch.ops.mkldnn._convolution_pointwise_.binary(
            added, x, self.weight, self.bias, self.padding, ONE, ONE, 1, "add", 1.0, after, [], ""
        )  # fmt: skip
        return F.leaky_relu_(joined, SLOPE) if self.leaky else joined

    def _convolve(self, x: Tensor, activation: str, numbers: list[float]) -> Tensor:
        convolved: Tensor = torch.ops.mkldnn._convolution_pointwise.default(
            x, self.weight, self.bias, self.padding, ONE, ONE, 1, activation, numbers, ""
        )
        return convolved


class CuDnnConvolution(nn.Module):
    """A fused convolution on a GPU, with the plain rectifier; its weights stay parameters that can be replaced."""

    def __init__(self, layer: Convolution) -> None:
        super().__init__()
        self.conv = layer.conv
        self.padding = [int(p) for p in layer.conv.padding]

    def forward(self, x: Tensor, added: Tensor | None = None) -> Tensor:
        weight, bias = self.conv.weight, self.conv.bias
        if added is None:
            return torch.cudnn_convolution_relu(x, weight, bias, ONE, self.padding, ONE, 1)
        if added.shape[2:] != x.shape[2:]:
            return (self.conv(x) + added).relu_()
        return torch.cudnn_convolution_add_relu(x, weight, added, 1.0, bias, ONE, self.padding, ONE, 1)


def fuse_for_cpu(network: Network, batch: int) -> Network:
    """Fuse the layers of a folded network in place; raises RuntimeError or AttributeError where this torch cannot."""
    board = network.planes[1:]
    return _replaced(network, lambda layer: OneDnnConvolution(layer, batch, board))


def fuse_for_cuda(network: Network) -> Network:
    """Fuse the layers of a folded network in place."""
    return _replaced(
        network, lambda layer: CuDnnConvolution(layer) if isinstance(layer.activation, nn.ReLU) else layer
    )


def _replaced(network: Network, fused: Callable[[Convolution], Any]) -> Network:
    for module in list(network.modules()):
        for name, layer in list(module.named_children()):
            if isinstance(layer, Convolution) and isinstance(layer.norm, nn.Identity):
                setattr(module, name, fused(layer))
    return network
