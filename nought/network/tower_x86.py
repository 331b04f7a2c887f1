"""A network in integers of 8 bits on an x86 processor, as one function: x86_code.py says how."""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from llvmlite import binding as llvm
from numpy.typing import NDArray
from torch import Tensor, nn

from nought.arithmetic import ceil_div
from nought.compile.native import loaded
from nought.network.processor import processor
from nought.network.quantised import WHOLE, CannotQuantise, Range, Ranges, integer_weights, step_of
from nought.network.resnet import Block, Convolution, Network
from nought.network.x86_code import tower_code
from nought.network.x86_shape import DEPTH, KINDS, LINE, Instructions, X86Shape, whole

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
_compiling = threading.Lock()


class X86Tower:
    """A folded network, made of integers by the ranges of what its layers answer."""

    def __init__(self, network: Network, ranges: Ranges, instructions: Instructions | None = None) -> None:
        kind = instructions or instructions_here()
        assert kind is not None, "there is no function for this processor"
        if (why := why_no_tower(network)) is not None:
            raise CannotQuantise(why)
        self.network, self.shape = network, shape_of(network, ranges, kind)
        self.packed = packed(network, ranges, self.shape)

    def forward(self, threads: int) -> Callable[[Floats], tuple[Floats, Floats]]:
        """Planes → policy and value, for one caller at a time."""
        return _Forward(self, threads)


class _Forward:
    def __init__(self, tower: X86Tower, threads: int) -> None:
        self.tower, self.threads = tower, threads
        size = max(tower.shape.room(positions)["end"] for positions in range(1, tower.shape.positions + 1))
        self.rooms = [_zeros(size) for _ in range(threads)]
        self.others = ThreadPoolExecutor(threads - 1, "nought-int8") if threads > 1 else None

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        shape, network = self.tower.shape, self.tower.network
        with torch.inference_mode():
            found = torch.from_numpy(self._found(np.ascontiguousarray(planes, np.float32)))
            output = network.read(found[:, : shape.actions], found[:, whole(shape.actions) :])
            return torch.softmax(output.policy, 1).numpy(), output.value.numpy()

    def _found(self, planes: Floats) -> Floats:
        """What the function finds of each position, by several threads where there are several tiles."""
        found = np.empty((len(planes), self.tower.shape.answers), np.float32)
        parts = min(self.threads, ceil_div(len(planes), self.tower.shape.positions))
        if parts < 2 or self.others is None:
            self._run(self.rooms[0], planes, found)
            return found
        spans = [slice(i * len(planes) // parts, (i + 1) * len(planes) // parts) for i in range(parts)]
        given = [(room, planes[span], found[span]) for room, span in zip(self.rooms, spans, strict=False)]
        work = [self.others.submit(self._run, *part) for part in given[1:]]
        self._run(*given[0])
        for part in work:
            part.result()
        return found

    def _run(self, room: Bytes, planes: Floats, found: Floats) -> None:
        """Answer in tiles that are as full as one another: some may have one position more than the others."""
        if not len(planes):
            return
        shape, packed = self.tower.shape, self.tower.packed
        size, larger = divmod(len(planes), ceil_div(len(planes), shape.positions))
        edge = larger * (size + 1)
        for positions, rows in ((size + 1, slice(edge)), (size, slice(edge, None))):
            if tiles := len(planes[rows]) // positions:
                given = (array.ctypes.data for array in (planes[rows], found[rows], packed, room))
                _function(shape, positions)(*given, tiles)


def _function(shape: X86Shape, positions: int) -> Any:
    with _compiling:
        return _compiled(shape, positions)


@functools.lru_cache(maxsize=256)
def _compiled(shape: X86Shape, positions: int) -> Any:
    """The function for tiles of so many positions; while it runs, other threads do, too."""
    engine = loaded(str(tower_code(shape, positions)))
    kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4, ctypes.c_int64)
    function = kind(engine.get_function_address("tower"))
    function.code = engine  # type: ignore[attr-defined]  # lives as long as what calls it
    return function


@functools.cache
def instructions_here() -> Instructions | None:
    """The best that this processor and this system have."""
    if processor() is None:
        return None
    there = llvm.get_host_cpu_features()
    return next((kind for kind in KINDS if all(there.get(name, False) for name in kind.needs)), None)


def shape_of(network: Network, ranges: Ranges, instructions: Instructions) -> X86Shape:
    """What a network's function is made for."""
    parts, (planes, height, width) = network.architecture, network.planes
    return X86Shape(
        instructions, planes, ranges[network].low < 0, height, width, parts.kernel, parts.filters, parts.blocks,
        parts.policy_filters, parts.value_filters, parts.value_hidden, network.actions,
        network.results + network.margin,
    )  # fmt: skip


def why_no_tower(network: Network) -> str | None:
    """Why a folded network cannot be this function, or None if it can."""
    parts = network.architecture
    if parts.pooling or parts.signed or parts.value_plane is not None or parts.norm == "layer":
        return "it has more than convolutions"
    activations = [layer.activation for layer in network.modules() if isinstance(layer, Convolution)]
    if not all(isinstance(activation, nn.ReLU) for activation in (*activations, network.value.activation)):
        return "not all its layers rectify"
    return None


@torch.no_grad()
def packed(network: Network, ranges: Ranges, shape: X86Shape) -> Bytes:
    """Everything that the function reads beside planes."""
    found = _zeros(shape.packed["end"])
    for name, array in _parts(network, ranges, shape):
        begin = shape.packed[name]
        found[begin : begin + array.nbytes] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return found


def _parts(network: Network, ranges: Ranges, shape: X86Shape) -> Iterator[tuple[str, NDArray[Any]]]:
    among = ranges[network]
    shown = 1.0 if among == WHOLE else step_of(Range(0, max(map(abs, among))))
    step = step_of(ranges[network.stem])
    layers, steps = [([network.stem.conv], shown, step)], [1 / shown]
    for block in network.blocks:
        assert isinstance(block, Block)
        inner, after = step_of(ranges[block.first]), step_of(ranges[block.second])
        layers += [([block.first.conv], step, inner), ([block.second.conv], inner, after)]
        steps.append(step / after)
        step = after
    layers.append(([head.convolution.conv for head in (network.policy, network.value)], step, 1.0))
    yield "steps", np.array(steps, np.float32)
    for (name, inputs, outputs, _), layer in zip(shape.layers, layers, strict=True):
        integers, *numbers = integer_weights(*layer, shape.instructions.largest_weight)
        if name == "stem" and shape.signed:
            integers = torch.cat([integers, -integers], 1)
        yield f"{name} weights", _in_fours(integers, inputs, outputs)
        yield f"{name} numbers", np.stack([_filled(number, outputs) for number in numbers])

    dense = {"policy": network.policy.last, "hidden": network.value.hidden, "value": network.value.last}
    for name, to in shape.dense.items():
        linear = dense[name]
        assert linear is not None
        weights = (
            linear.weight.unflatten(1, (-1, to.cells)).permute(2, 1, 0).flatten(0, 1)
        )  # a cell's stand together
        yield f"{name} weights", _filled(weights, to.outputs)
        yield f"{name} numbers", _filled(linear.bias, to.outputs)


def _in_fours(integers: Tensor, inputs: int, outputs: int) -> NDArray[np.int8]:
    """Weights [filters, channels, rows, columns] as [taps, inputs / DEPTH, outputs, DEPTH]."""
    missing = (0, 0, 0, inputs - integers.shape[1], 0, outputs - integers.shape[0])
    whole_ones = nn.functional.pad(integers.flatten(2), missing)
    return whole_ones.permute(2, 1, 0).unflatten(1, (-1, DEPTH)).transpose(2, 3).contiguous().numpy()


def _filled(numbers: Tensor, count: int) -> Floats:
    return nn.functional.pad(numbers, (0, count - numbers.shape[-1])).float().numpy()


def _zeros(size: int) -> Bytes:
    """So many bytes from the begin of a line of memory on."""
    room = np.zeros(size + LINE, np.uint8)
    begin = -room.ctypes.data % LINE
    return room[begin : begin + size]
