"""A network in integers of 8 bits, as a graph in ONNX.

An integer q of 8 bits stands for step · (q − zero). The weights of a convolution have a step for each output channel,
by the largest of them; what goes from layer to layer has one step, by the range that a sample of positions has
there. The few weights of linear layers stay float32. ONNX has no integer networks: around each layer stands what
makes numbers of integers (DequantizeLinear) and integers of numbers (QuantizeLinear), and onnxruntime sees that they
can be left out.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from nought.network.onnx_graph import OnnxGraph
from nought.network.resnet import SLOPE, Block, Convolution, Head, Network, Output

LARGEST_WEIGHT = 127
SHARE = 0.98  # of the positions whose numbers all fit into a layer's range: the rest would cost the others precision


class CannotQuantise(Exception):
    """A network that has something of which there are no integers here."""


class Range(NamedTuple):
    """Between which numbers a layer's output lies."""

    low: float
    high: float


# Whole numbers, which most planes hold, stay what they are.
WHOLE, NATURAL = Range(-128, 127), Range(0, 255)
LARGEST = 255  # of the integers that stand for what goes from layer to layer
Ranges = dict[nn.Module, Range]


class Integers(NamedTuple):
    """Integers in a graph: the names of them, of their step and of their zero."""

    name: str
    step: str
    zero: str
    step_size: float


def find_ranges(network: Network, planes: Tensor) -> tuple[Ranges, Output]:
    """The ranges of all convolutions, before and after their activation, and what the network says of these planes."""
    seen: dict[nn.Module, tuple[Tensor, Tensor]] = {}  # the lowest and the highest number of each position

    def look(layer: nn.Module, _: Any, output: Tensor) -> None:
        seen[layer] = output.amin((1, 2, 3)), output.amax((1, 2, 3))

    def look_at_block(block: Any, inputs: tuple[Tensor], output: Tensor) -> None:
        if isinstance(block.second.activation, nn.ReLU):  # what it makes 0 need not be told apart
            look(block.second.conv, None, output - inputs[0])

    layers = [layer for layer in network.modules() if isinstance(layer, Convolution)]
    hooks = [part.register_forward_hook(look) for layer in layers for part in (layer.conv, layer)]
    hooks += [block.register_forward_hook(look_at_block) for block in network.blocks]
    try:
        output: Output = network(planes)
    finally:
        for hook in hooks:
            hook.remove()
    lows, highs = (torch.stack(numbers) for numbers in zip(*seen.values(), strict=True))
    limits = torch.stack([lows.quantile(1 - SHARE, 1), highs.quantile(SHARE, 1)], 1)  # a GPU is asked once
    ranges: Ranges = dict(zip(seen, itertools.starmap(Range, limits.tolist()), strict=True))
    if network.architecture.signed:
        planes = 2 * planes - 1
    shown = Range(*map(float, torch.aminmax(planes)))
    whole = bool((planes == planes.round()).all())
    fitting = (
        kind for kind in (NATURAL, WHOLE) if whole and kind.low <= shown.low and shown.high <= kind.high
    )
    ranges[network] = next(fitting, shown)
    return ranges, output


def step_of(among: Range) -> float:
    """The step of numbers that are not below 0."""
    return among.high / LARGEST or 1.0


def integer_weights(
    convolutions: list[nn.Conv2d], step: float, stored: float = 1.0, largest: int = LARGEST_WEIGHT
) -> tuple[Tensor, Tensor, Tensor]:
    """Convolutions of the same cells as one: integers [filters, channels, rows, columns], and for each filter by what its
    sum is multiplied and what is added then. `step` is that of the cells, `stored` of what the layer stores."""
    weight = torch.cat([conv.weight for conv in convolutions])
    bias = torch.cat([conv.bias for conv in convolutions if conv.bias is not None])
    steps = weight.abs().amax((1, 2, 3)) / largest
    steps = torch.where(steps == 0, 1.0, steps)
    integers = (weight / steps[:, None, None, None]).round().to(torch.int8)
    return integers, steps * (step / stored), bias / stored


def quantise(network: Network, ranges: Ranges, largest_weight: int = LARGEST_WEIGHT) -> bytes:
    """A folded network as ONNX: planes [rows, planes, rows, columns] → policy [rows, actions] and value [rows]."""
    if network.architecture.norm == "layer":
        raise CannotQuantise("a network with layer norm is not made of integers")
    graph = OnnxGraph()
    QuantisedNetwork(graph, ranges, largest_weight).write(network)
    return graph.as_bytes({"planes": network.planes}, {"policy": (network.actions,), "value": ()})


class QuantisedNetwork:
    """Writes a network's layers into a graph."""

    def __init__(self, graph: OnnxGraph, ranges: Ranges, largest_weight: int) -> None:
        self.graph, self.ranges, self.largest_weight = graph, ranges, largest_weight

    def write(self, network: Network) -> None:
        """All of it, from `planes` to `policy` and `value`."""
        planes, told = "planes", None
        if network.architecture.signed:
            twice = self.graph.node("Mul", planes, self.graph.constant(2.0))
            planes = self.graph.node("Sub", twice, self.graph.constant(1.0))
        if (n := network.architecture.value_plane) is not None:
            told = self.graph.node("Flatten", self._taken(planes, [n]))
            told = self._taken(told, [0])
            planes = self._taken(planes, [i for i in range(network.planes[0]) if i != n])
        x = self._convolve(network.stem, self._integers(planes, self.ranges[network]))
        for block in network.blocks:
            x = self._block(block, x)  # type: ignore[arg-type]
        self.graph.node("Softmax", self._head(network.policy, x), axis=1, called="policy")
        self._value(self._head(network.value, x, told), outcomes=network.architecture.outcomes)

    def _block(self, block: Block, x: Integers) -> Integers:
        added = None
        if block.pool is not None:
            numbers = self._numbers(x)
            pooled = [self.graph.node(f"Global{kind}Pool", numbers) for kind in ("Average", "Max")]
            whole = self._linear(
                block.pool, self.graph.node("Flatten", self.graph.node("Concat", *pooled, axis=1))
            )
            added = self.graph.node("Unsqueeze", whole, self.graph.constant([2, 3], np.int64))
        return self._convolve(block.second, self._convolve(block.first, x, added), self._numbers(x))

    def _convolve(self, layer: Convolution, x: Integers, added: str | None = None) -> Integers:
        conv, graph = layer.conv, self.graph
        y = graph.node(
            "Conv", self._numbers(x), *self._weights(conv, x.step_size), pads=[conv.kernel_size[0] // 2] * 4
        )
        if added is not None:
            y = graph.node("Add", self._numbers(self._integers(y, self.ranges[conv])), added)
        out = self.ranges[layer]
        if isinstance(layer.activation, nn.LeakyReLU):
            before = self._integers(y, Range(out.low / SLOPE, out.high))
            y = graph.node("LeakyRelu", self._numbers(before), alpha=SLOPE)
        # The plain rectifier needs no node: its range begins at 0, and what is below becomes the smallest integer.
        return self._integers(y, out)

    def _weights(self, conv: nn.Conv2d, step_size: float) -> tuple[str, str]:
        """The names of a convolution's weight and bias. Their products' step is that of the bias."""
        assert conv.bias is not None
        weight, bias = conv.weight.double().numpy(), conv.bias.double().numpy()
        steps = np.abs(weight).max((1, 2, 3)) / self.largest_weight
        steps[steps == 0] = 1.0
        steps = steps.astype(np.float32).astype(np.float64)
        kernel = np.rint(weight / steps[:, None, None, None])
        return (
            self._channels(kernel, steps, np.int8),
            self._channels(np.rint(bias / (steps * step_size)), steps * step_size, np.int32),
        )

    def _channels(self, integers: Any, steps: Any, kind: type) -> str:
        """Constants with a step for each of their first index."""
        graph, zero = self.graph, self.graph.constant(np.zeros(len(steps)), kind)
        return graph.node(
            "DequantizeLinear", graph.constant(integers, kind), graph.constant(steps), zero, axis=0
        )

    def _head(self, head: Head, x: Integers, told: str | None = None) -> str:
        y = self.graph.node("Flatten", self._numbers(self._convolve(head.convolution, x)))
        if told is not None:
            y = self.graph.node("Concat", y, told, axis=1)
        if head.hidden is not None:
            y = self._linear(head.hidden, y)
            leaky = isinstance(head.activation, nn.LeakyReLU)
            y = self.graph.node("LeakyRelu", y, alpha=SLOPE) if leaky else self.graph.node("Relu", y)
        return self._linear(head.last, y)

    def _linear(self, layer: nn.Linear, x: str) -> str:
        weight, bias = (self.graph.constant(tensor.numpy()) for tensor in (layer.weight, layer.bias))
        return self.graph.node("Gemm", x, weight, bias, transB=1)

    def _value(self, answer: str, *, outcomes: bool) -> None:
        if not outcomes:
            self.graph.node("Tanh", self._taken(answer, 0), called="value")
            return
        chances = self.graph.node("Softmax", self._taken(answer, [0, 1, 2]), axis=1)
        self.graph.node("Sub", self._taken(chances, 0), self._taken(chances, 2), called="value")

    def _taken(self, x: str, which: int | list[int]) -> str:
        """Some of the second index; with one number that index is gone."""
        return self.graph.node("Gather", x, self.graph.constant(which, np.int64), axis=1)

    def _integers(self, x: str, among: Range) -> Integers:
        low, high = min(0.0, among.low), max(0.0, among.high)
        size = float(np.float32((high - low) / 255)) or 1.0
        step, zero = self.graph.constant(size), self.graph.constant(round(-low / size), np.uint8)
        return Integers(self.graph.node("QuantizeLinear", x, step, zero), step, zero, size)

    def _numbers(self, x: Integers) -> str:
        return self.graph.node("DequantizeLinear", x.name, x.step, x.zero)
