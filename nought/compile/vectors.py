"""Four floats at a time inside compiled code, on every machine that can do that.

Compilers find vectors in plain loops, but not the ones that a network's convolution needs: sums that stay in registers while
weights stream by. Uncompiled, four floats are an array of four.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

FOUR = ir.VectorType(ir.FloatType(), 4)


class FourFloats(types.Type):
    """Numba's type of four floats in one register."""

    def __init__(self) -> None:
        super().__init__("four floats")


FOUR_FLOATS = FourFloats()


@register_model(FourFloats)
class _Register(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: FourFloats) -> None:
        super().__init__(manager, kind, FOUR)


def load_four(floats: Any, place: Any) -> Any:
    """Four floats from floats[place] on."""
    return floats[int(place) : int(place) + 4].copy()


def store_four(floats: Any, place: Any, four: Any) -> None:
    """Write four floats from floats[place] on."""
    floats[int(place) : int(place) + 4] = four


def four_of(number: Any) -> Any:
    """The same float four times."""
    return np.full(4, number, np.float32)


def plus(x: Any, y: Any) -> Any:
    """Sums."""
    return x + y


def minus(x: Any, y: Any) -> Any:
    """Differences."""
    return x - y


def plus_product(total: Any, x: Any, y: Any) -> Any:
    """Total + x · y, each rounded by itself."""
    return total + x * y


def rectified(x: Any, slope: Any) -> Any:
    """The numbers, those below 0 times the slope."""
    return np.where(x > 0, x, x * slope)


@intrinsic
def _load(typing_context: Any, floats: Any, place: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), FOUR.as_pointer())
        return builder.load(address, align=4)

    return FOUR_FLOATS(floats, place), codegen


@intrinsic
def _store(typing_context: Any, floats: Any, place: Any, four: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), FOUR.as_pointer())
        builder.store(arguments[2], address, align=4)
        return context.get_dummy_value()

    return types.void(floats, place, FOUR_FLOATS), codegen


def _spread(builder: Any, number: Any) -> Any:
    nothing = ir.Constant(FOUR, ir.Undefined)
    one = builder.insert_element(nothing, number, ir.IntType(32)(0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(ir.IntType(32), 4), [0] * 4))


@intrinsic
def _four_of(typing_context: Any, number: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _spread(builder, arguments[0])

    return FOUR_FLOATS(types.float32), codegen


@intrinsic
def _plus(typing_context: Any, x: Any, y: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fadd(*arguments)

    return FOUR_FLOATS(FOUR_FLOATS, FOUR_FLOATS), codegen


@intrinsic
def _minus(typing_context: Any, x: Any, y: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fsub(*arguments)

    return FOUR_FLOATS(FOUR_FLOATS, FOUR_FLOATS), codegen


@intrinsic
def _plus_product(typing_context: Any, total: Any, x: Any, y: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fadd(arguments[0], builder.fmul(arguments[1], arguments[2]))

    return FOUR_FLOATS(FOUR_FLOATS, FOUR_FLOATS, FOUR_FLOATS), codegen


@intrinsic
def _rectified(typing_context: Any, x: Any, slope: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lowered = builder.fmul(arguments[0], _spread(builder, arguments[1]))
        above = builder.fcmp_ordered(">", arguments[0], ir.Constant(FOUR, [0.0] * 4))
        return builder.select(above, arguments[0], lowered)

    return FOUR_FLOATS(FOUR_FLOATS, types.float32), codegen


@overload(load_four, inline="always", strict=False)
def _compiled_load_four(floats, place):
    return lambda floats, place: _load(floats, place)


@overload(store_four, inline="always", strict=False)
def _compiled_store_four(floats, place, four):
    return lambda floats, place, four: _store(floats, place, four)


@overload(four_of, inline="always", strict=False)
def _compiled_four_of(number):
    return lambda number: _four_of(number)


@overload(plus, inline="always", strict=False)
def _compiled_plus(x, y):
    return lambda x, y: _plus(x, y)


@overload(minus, inline="always", strict=False)
def _compiled_minus(x, y):
    return lambda x, y: _minus(x, y)


@overload(plus_product, inline="always", strict=False)
def _compiled_plus_product(total, x, y):
    return lambda total, x, y: _plus_product(total, x, y)


@overload(rectified, inline="always", strict=False)
def _compiled_rectified(x, slope):
    return lambda x, slope: _rectified(x, slope)
