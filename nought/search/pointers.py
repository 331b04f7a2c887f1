"""Memory as bare pointers inside compiled code.

Numba counts references to every array it hands from function to function, and checks every index for
counting from the end; at millions of simulations a second both cost more than the search itself. A pointer
has neither, is one register wide, and is indexed like an array. Uncompiled, pointers are arrays.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic, overload


def pointer(memory: Any, kind: Any) -> Any:
    """The memory of an array, as numbers of this kind."""
    return memory.view(kind)


def view(words: Any, place: Any, kind: Any, shape: int | tuple[int, ...]) -> Any:
    """Numbers of this kind from words[place] on, as an array of this shape: for the rules."""
    return words[int(place) :].view(kind)[: np.prod(shape)].reshape(shape)


def prefetch(memory: Any, place: Any) -> None:
    """Have the cache line of memory[place] fetched while other work goes on."""


def read_tuple(kind: Any, memory: Any, place: Any) -> Any:
    """The named tuple whose fields stand from memory[place] on."""
    return kind(*memory[int(place) : int(place) + len(kind._fields)])


def raise_to(memory: Any, place: Any, value: Any) -> None:
    """Make memory[place] at least `value`, whatever other threads do there at the same time."""
    memory[place] = max(memory[place], value)


def count_up(memory: Any, place: Any) -> Any:
    """Add one to memory[place], whatever other threads do there at the same time; what stood there before."""
    memory[place] += 1
    return memory[place] - 1


def moved(memory: Any, distance: Any) -> Any:
    """The memory that begins so many numbers further on: only in compiled code, where nobody counts how many there are."""
    raise NotImplementedError


def as_bits(number: float) -> Any:
    """The 64 bits of a float."""
    return np.float64(number).view(np.uint64)


def as_float(bits: Any) -> Any:
    """The float that these 64 bits are."""
    return np.uint64(bits).view(np.float64)


def call(function: int, arguments: Any) -> int:
    """Call the C function at this address with words as arguments; the code it returns, 0 for success."""
    kind = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_uint64] * len(arguments))
    return int(kind(int(function))(*map(int, arguments)))


@intrinsic
def _cast(typing_context: Any, array: Any, kind: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.bitcast(data, context.get_value_type(signature.return_type))

    return types.CPointer(kind.dtype)(array, kind), codegen


@intrinsic
def _cast_at(typing_context: Any, memory: Any, place: Any, kind: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.gep(arguments[0], [arguments[1]])
        return builder.bitcast(address, context.get_value_type(signature.return_type))

    return types.CPointer(kind.dtype)(memory, place, kind), codegen


@intrinsic
def _prefetch(typing_context: Any, memory: Any, place: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.gep(arguments[0], [arguments[1]])
        flag = ir.IntType(32)
        signature_ir = ir.FunctionType(ir.VoidType(), [address.type, flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, signature_ir, "llvm.prefetch.p0")
        builder.call(function, [address, flag(0), flag(3), flag(1)])  # for reading, to be kept, data
        return context.get_dummy_value()

    return types.void(memory, place), codegen


@intrinsic
def _raise_to(typing_context: Any, memory: Any, place: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.gep(arguments[0], [arguments[1]])
        builder.atomic_rmw("max", address, arguments[2], "monotonic")
        return context.get_dummy_value()

    return types.void(memory, place, memory.dtype), codegen


@intrinsic
def _count_up(typing_context: Any, memory: Any, place: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.gep(arguments[0], [arguments[1]])
        return builder.atomic_rmw("add", address, ir.IntType(32)(1), "monotonic")

    return types.int32(memory, place), codegen


@intrinsic
def _moved(typing_context: Any, memory: Any, distance: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return memory(memory, distance), codegen


@intrinsic
def _bits(typing_context: Any, number: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.uint64(types.float64), codegen


@intrinsic
def _float(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.uint64), codegen


@intrinsic
def _call(typing_context: Any, function: Any, arguments: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        words = cgutils.unpack_tuple(builder, values[1])
        kind = ir.FunctionType(ir.IntType(32), [word.type for word in words])
        return builder.call(builder.inttoptr(values[0], kind.as_pointer()), words)

    return types.int32(function, arguments), codegen


@overload(pointer, inline="always", strict=False)
def _compiled_pointer(memory, kind):
    return lambda memory, kind: _cast(memory, kind)


@overload(view, inline="always", strict=False)
def _compiled_view(words, place, kind, shape):
    return lambda words, place, kind, shape: carray(_cast_at(words, place, kind), shape)


@overload(prefetch, inline="always", strict=False)
def _compiled_prefetch(memory, place):
    return lambda memory, place: _prefetch(memory, place)


@overload(raise_to, inline="always", strict=False)
def _compiled_raise_to(memory, place, value):
    return lambda memory, place, value: _raise_to(memory, place, value)


@overload(count_up, inline="always", strict=False)
def _compiled_count_up(memory, place):
    return lambda memory, place: _count_up(memory, place)


@overload(moved, inline="always", strict=False)
def _compiled_moved(memory, distance):
    return lambda memory, distance: _moved(memory, distance)


@overload(as_bits, inline="always", strict=False)
def _compiled_as_bits(number):
    return lambda number: _bits(number)


@overload(as_float, inline="always", strict=False)
def _compiled_as_float(bits):
    return lambda bits: _float(bits)


@overload(call, inline="always", strict=False)
def _compiled_call(function, arguments):
    return lambda function, arguments: _call(function, arguments)


@overload(read_tuple, strict=False)
def _compiled_read_tuple(kind, memory, place):
    fields = ", ".join(f"memory[place + U({i})]" for i in range(len(kind.instance_class._fields)))
    scope: dict[str, Any] = {"U": np.uint64}
    exec(f"def read(kind, memory, place):\n    return kind({fields})", scope)
    return scope["read"]
