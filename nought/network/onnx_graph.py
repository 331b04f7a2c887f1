"""Writing a graph as ONNX does: the few parts of its format that a quantised network needs.

A file is a protobuf message, and so is all that it holds: fields, each with its number, what kind of bytes follow, and
these bytes. The numbers are those of onnx.proto. The package `onnx` would do the same; it is 18 MB.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable
from typing import Any

import numpy as np

OPSET, FORMAT = 17, 8  # of the operators, and of the file: as every onnxruntime since 1.12 reads them
TYPES: dict[Any, int] = {np.float32: 1, np.uint8: 2, np.int8: 3, np.int32: 6, np.int64: 7}
FLOAT = TYPES[np.float32]


class OnnxGraph:
    """A graph that grows: constants and nodes, each known by the name of what comes out of it."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []

    def constant(self, values: Any, kind: type = np.float32) -> str:
        """Add numbers that are known beforehand."""
        array: Any = np.asarray(values, kind)
        name = self._name()
        self._constants.append(message((1, array.shape), (2, TYPES[kind]), (8, name), (9, array.tobytes())))
        return name

    def node(
        self, operator: str, *inputs: str, called: str = "", **attributes: int | list[int] | float
    ) -> str:
        """Add an operator on what these names stand for."""
        name = called or self._name()
        given = [(5, _attribute(key, value)) for key, value in attributes.items()]
        self._nodes.append(message((1, inputs), (2, name), (3, name), (4, operator), *given))
        return name

    def as_bytes(self, inputs: dict[str, Iterable[int]], outputs: dict[str, Iterable[int]]) -> bytes:
        """The whole file, for any number of rows: names and the shapes [rows, …] of what goes in and comes out."""
        named = [[_value(name, shape) for name, shape in all.items()] for all in (inputs, outputs)]
        graph = message((1, self._nodes), (2, "nought"), (5, self._constants), (11, named[0]), (12, named[1]))
        return message((1, FORMAT), (7, graph), (8, message((1, ""), (2, OPSET))))

    def _name(self) -> str:
        return f"n{next(self._numbers)}"


def message(*fields: tuple[int, Any]) -> bytes:
    """Numbered fields as protobuf has them; a field that is a sequence is there once for each of its items."""
    return b"".join(
        _field(number, one)
        for number, value in fields
        for one in (value if isinstance(value, list | tuple) else (value,))
    )


def _field(number: int, value: int | float | str | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    if isinstance(value, float):
        return _varint(number << 3 | 5) + struct.pack("<f", value)
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    """Seven bits to a byte, the lowest first; a negative number as if it had 64 bits."""
    number &= (1 << 64) - 1
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def _attribute(name: str, value: int | list[int] | float) -> bytes:
    if isinstance(value, list):
        return message((1, name), (8, value), (20, 7))
    if isinstance(value, float):
        return message((1, name), (2, value), (20, 1))
    return message((1, name), (3, value), (20, 2))


def _value(name: str, shape: Iterable[int]) -> bytes:
    sizes = [message((2, "rows")), *(message((1, size)) for size in shape)]
    return message((1, name), (2, message((1, message((1, FLOAT), (2, message((1, sizes))))))))
