"""Functions for this machine's processor that are written instruction by instruction, for loops of which a compiler makes
too little: where many sums must stay in registers, each a vector of 8 or 16 numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from llvmlite import binding as llvm
from llvmlite import ir

BYTE, INT, LONG, FLOAT, NOTHING = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.FloatType(), ir.VoidType()
POINTER = BYTE.as_pointer()
Number: TypeAlias = int | Any  # an int that is known now, or a value when the function runs


class Function:
    """A function that is being written, with vectors of so many `lanes`. Pointers are to bytes, and offsets count them."""

    def __init__(self, module: ir.Module, name: str, arguments: Sequence[ir.Type], lanes: int) -> None:
        self.lanes = lanes
        self.bytes, self.ints, self.floats = (ir.VectorType(kind, lanes) for kind in (BYTE, INT, FLOAT))
        self.function = ir.Function(module, ir.FunctionType(NOTHING, arguments), name)
        self.build: Any = ir.IRBuilder(self.function.append_basic_block())

    def loop(
        self,
        count: Number,
        body: Callable[[ir.Value, list[ir.Value]], Sequence[ir.Value] | None],
        carried: Sequence[ir.Value] = (),
    ) -> list[ir.Value]:
        """Repeat at least once: body(i, carried) gives what is carried on, and what it gave last is the answer."""
        build, before = self.build, self.build.block
        again, after = (self.function.append_basic_block() for _ in range(2))
        build.branch(again)
        build.position_at_end(again)
        variables = [build.phi(kind) for kind in (LONG, *(value.type for value in carried))]
        values = list(body(variables[0], variables[1:]) or ())
        following = build.add(variables[0], LONG(1))
        for variable, first, then in zip(variables, (LONG(0), *carried), (following, *values), strict=True):
            variable.add_incoming(first, before)
            variable.add_incoming(then, build.block)
        build.cbranch(build.icmp_unsigned("<", following, _long(count)), again, after)
        build.position_at_end(after)
        return values

    def times(self, one: Number, other: int) -> Number:
        """A product."""
        return one * other if isinstance(one, int) else self.build.mul(one, LONG(other))

    def at(self, pointer: ir.Value, *offsets: Number) -> ir.Value:
        """A pointer some bytes further."""
        for offset in offsets:
            pointer = self.build.gep(pointer, [_long(offset)])
        return pointer

    def load(self, kind: ir.Type, pointer: ir.Value, *offsets: Number) -> ir.Value:
        """What stands there."""
        return self.build.load(self.build.bitcast(self.at(pointer, *offsets), kind.as_pointer()), align=1)

    def load_long(self, pointer: ir.Value, *offsets: Number) -> ir.Value:
        """The whole number of 32 bits that stands there."""
        return self.build.sext(self.load(INT, pointer, *offsets), LONG)

    def store(self, value: ir.Value, pointer: ir.Value, *offsets: Number) -> None:
        """Write a value there."""
        place = self.build.bitcast(self.at(pointer, *offsets), value.type.as_pointer())
        self.build.store(value, place, align=1)

    def spread(self, value: ir.Value) -> ir.Value:
        """A vector that holds a value in each of its places."""
        empty = ir.Constant(ir.VectorType(value.type, self.lanes), ir.Undefined)
        one = self.build.insert_element(empty, value, INT(0))
        return self.build.shuffle_vector(one, empty, ir.Constant(self.ints, [0] * self.lanes))

    def all_of(self, number: float) -> ir.Constant:
        """A vector of floats that are all this number."""
        return ir.Constant(self.floats, [float(number)] * self.lanes)

    def call(self, function: Function | ir.Function, *arguments: ir.Value) -> ir.Value:
        """What another function answers."""
        return self.build.call(getattr(function, "function", function), arguments)

    def end(self) -> None:
        """No more comes after this."""
        self.build.ret_void()


def loaded(text: str, *, everything: bool = True) -> Any:
    """LLVM's text as code of this process, with `everything` by all that this processor can do. The code lives as long as
    what is returned, which knows where each function begins (`get_function_address`)."""
    with suppress(RuntimeError):  # newer versions have done so already, and say it
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    here = {"cpu": llvm.get_host_cpu_name(), "features": llvm.get_host_cpu_features().flatten()}
    machine = llvm.Target.from_default_triple().create_target_machine(opt=3, **(here if everything else {}))
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    engine.finalize_object()
    return engine


def _long(number: Number) -> ir.Value:
    return LONG(number) if isinstance(number, int) else number
