"""A network in integers of 8 bits as a function of an x86 processor.

A few positions at a time, a *tile*, go through all layers while what goes from layer to layer stays in the processor's
fastest memory. Of a cell of all of them a convolution finds some dozens of filters: a register holds the sums of 8 or 16, as
many registers as there are stay where they are while weights stream by, and to each sum four products are added at once. A
list says which cells a cell's taps see: what lies beyond the board is not there, and costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain

from llvmlite import ir

from nought.compile.native import BYTE, FLOAT, INT, LONG, POINTER, Function, Number
from nought.network.quantised import LARGEST, LARGEST_WEIGHT
from nought.network.x86_shape import DEPTH, Dense, X86Shape, whole


def tower_code(shape: X86Shape, positions: int) -> ir.Module:
    """The function `tower`(planes, found, packed, room, tiles) for tiles of so many positions: float32 planes
    [tiles, positions, planes, rows, columns] → float32 found [tiles, positions, answers]."""
    return _TowerCode(shape, positions).module


class _TowerCode:
    def __init__(self, shape: X86Shape, positions: int) -> None:
        self.shape, self.positions, self.module = shape, positions, ir.Module()
        self.lanes = shape.instructions.lanes
        self.register = 4 * self.lanes  # bytes
        ints, floats = (ir.VectorType(kind, self.lanes) for kind in (INT, FLOAT))
        pairs, bytes_ = (ir.VectorType(ir.IntType(bits), self.lanes * 32 // bits) for bits in (16, 8))
        product = ir.Function(
            self.module, ir.FunctionType(floats, [floats] * 3), f"llvm.fma.v{self.lanes}f32"
        )

        def add_product(code: Function, total: ir.Value, one: ir.Value, other: ir.Value) -> ir.Value:
            return code.call(product, one, other, total)

        if shape.instructions.largest_weight == LARGEST_WEIGHT:
            name = f"llvm.x86.avx512.vpdpbusd.{32 * self.lanes}"
            products = ir.Function(self.module, ir.FunctionType(ints, [ints] * 3), name)

            def add_products(code: Function, total: ir.Value, one: ir.Value, other: ir.Value) -> ir.Value:
                return code.call(products, total, one, other)

        else:
            bytes_in = ir.FunctionType(pairs, [bytes_] * 2), "llvm.x86.avx2.pmadd.ub.sw"
            pairs_in = ir.FunctionType(ints, [pairs] * 2), "llvm.x86.avx2.pmadd.wd"
            of_bytes, of_pairs = (ir.Function(self.module, *given) for given in (bytes_in, pairs_in))
            ones = ir.Constant(pairs, [1] * pairs.count)

            def add_products(code: Function, total: ir.Value, one: ir.Value, other: ir.Value) -> ir.Value:
                two = code.call(of_bytes, *(code.build.bitcast(part, bytes_) for part in (one, other)))
                return code.build.add(total, code.call(of_pairs, two, ones))

        self.add_product, self.add_products = add_product, add_products
        self._tower()

    def _function(self, name: str, arguments: Sequence[ir.Type]) -> Function:
        return Function(self.module, name, arguments, self.lanes)

    def _tower(self) -> None:
        shape, packed, room = self.shape, self.shape.packed, self.shape.room(self.positions)
        read = self._read()
        stem = self._convolution("stem", shape.seen, shape.wide)
        first = self._convolution("first", shape.wide, shape.wide)
        second = self._convolution("second", shape.wide, shape.wide, adding=True)
        heads = self._convolution("heads", shape.wide, shape.heads, floats=True)
        dense = {name: self._dense(name, layer) for name, layer in shape.dense.items()}

        code = self._function("tower", [POINTER] * 4 + [LONG])
        planes, found, given, work, tiles = code.function.args
        place = {name: code.at(given, offset) for name, offset in packed.items()}
        work_place = {name: code.at(work, offset) for name, offset in room.items()}
        one_over_step = code.load(FLOAT, place["steps"])
        empty = shape.empty(shape.group(self.positions)) * self.positions
        for name, numbers in (("planes", shape.seen), ("even", shape.wide), ("odd", shape.wide)):
            self._clear(code, code.at(work_place[name], empty * numbers), self.positions * numbers)

        def tile(number: ir.Value, _: object) -> None:
            seen = code.at(planes, code.times(number, 4 * self.positions * shape.planes * shape.cells))
            said = code.at(found, code.times(number, 4 * self.positions * shape.answers))
            even, odd = work_place["even"], work_place["odd"]
            code.call(read, seen, work_place["planes"], one_over_step)
            weights = place["stem weights"], place["stem numbers"]
            code.call(stem, work_place["planes"], even, *weights, FLOAT(0))

            def block(i: ir.Value, _: object) -> None:
                each = packed.get("tower 2 weights", 0) - packed["tower 0 weights"]
                ahead = code.times(i, each)
                step = code.load(FLOAT, place["steps"], 4, code.times(i, 4))
                for layer, by, source, target in (
                    ("tower 0", first, even, odd),
                    ("tower 1", second, odd, even),
                ):
                    weights = (code.at(place[f"{layer} {part}"], ahead) for part in ("weights", "numbers"))
                    code.call(by, source, target, *weights, step)

            if shape.blocks:
                code.loop(shape.blocks, block)
            weights = place["heads weights"], place["heads numbers"]
            code.call(heads, even, work_place["heads"], *weights, FLOAT(0))
            for name, by in dense.items():
                target = work_place["hidden"] if name == "hidden" else said
                if name == "value":
                    target = code.at(said, 4 * whole(shape.actions))
                source = work_place["hidden" if name == "value" and shape.hidden else "heads"]
                code.call(by, source, target, place[f"{name} weights"], place[f"{name} numbers"])

        code.loop(tiles, tile)
        code.end()

    @staticmethod
    def _clear(code: Function, begin: ir.Value, size: int) -> None:
        code.loop(size // DEPTH, lambda i, _: code.store(INT(0), begin, code.times(i, DEPTH)))

    def _read(self) -> Function:
        """Planes as integers: (planes, target, one over their step)."""
        shape, positions = self.shape, self.positions
        code = self._function("read", [POINTER, POINTER, FLOAT])
        planes, target, factor = code.function.args
        build = code.build

        def store(value: ir.Value, *place: Number) -> None:
            value = build.fadd(value, FLOAT(0.5))
            for kind, limit in ((">", FLOAT(0)), ("<", FLOAT(LARGEST))):
                value = build.select(build.fcmp_ordered(kind, value, limit), value, limit)
            code.store(build.fptoui(value, BYTE), target, *place)

        def number(i: ir.Value, _: object) -> None:
            """Of position p, plane k and cell c: number (p · planes + k) · cells + c."""
            cell, plane = build.urem(i, LONG(shape.cells)), build.udiv(i, LONG(shape.cells))
            position, plane = build.udiv(plane, LONG(shape.planes)), build.urem(plane, LONG(shape.planes))
            place = code.times(build.add(build.mul(cell, LONG(positions)), position), shape.seen)
            value = build.fmul(code.load(FLOAT, planes, code.times(i, 4)), factor)
            store(value, place, plane)
            if shape.signed:
                store(build.fneg(value), place, build.add(plane, LONG(shape.planes)))

        code.loop(positions * shape.planes * shape.cells, number)
        code.end()
        return code

    def _convolution(
        self, name: str, inputs: int, outputs: int, *, adding: bool = False, floats: bool = False
    ) -> Function:
        """A layer: (source, target, weights, numbers, step). What stands in the target already is added, times the step, with
        `adding`; what comes of it is float32 instead of integers, and cells see themselves alone, with `floats`."""
        code = self._function(name, [POINTER] * 4 + [FLOAT])
        source, target, weights, numbers, step = code.function.args
        positions, group = self.positions, self.shape.group(self.positions)
        units = self.shape.together(outputs, positions * group)
        taps = self.shape.taps(1 if floats else self.shape.kernel, group)
        begins = self._table(f"{name} begins", accumulate(map(len, taps), initial=0))
        listed = self._table(
            f"{name} taps", chain.from_iterable((tap, *cells) for of in taps for tap, cells in of)
        )
        line = 4 * (1 + group)  # bytes

        def cells(number: ir.Value, _: object) -> None:
            begin = code.load_long(begins, code.times(number, 4))
            count = code.build.sub(code.load_long(begins, code.times(number, 4), 4), begin)

            def filters(first: ir.Value, _: object) -> None:
                def tap(i: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
                    entry = code.at(listed, code.times(code.build.add(begin, i), line))
                    tap = code.times(code.load_long(entry), inputs * outputs)
                    column = code.at(weights, tap, code.times(first, self.register * units))
                    seen = [
                        code.at(source, code.times(code.load_long(entry, 4 * (1 + i)), positions * inputs))
                        for i in range(group)
                    ]

                    def products(k: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
                        row = code.at(column, code.times(k, DEPTH * outputs))
                        factors = [code.load(code.ints, row, self.register * unit) for unit in range(units)]
                        ahead = code.times(k, DEPTH)
                        parts = (
                            code.load(INT, cell, ahead, p * inputs) for cell in seen for p in range(positions)
                        )
                        return _added(code, self.add_products, sums, parts, factors)

                    return code.loop(inputs // DEPTH, products, sums)

                nothing = ir.Constant(code.ints, [0] * self.lanes)
                sums = code.loop(count, tap, [nothing] * (group * positions * units))
                for unit in range(units):
                    place = code.build.add(code.times(first, self.lanes * units), LONG(self.lanes * unit))
                    ahead = code.times(place, 4)
                    factor, bias = (code.load(code.floats, numbers, ahead, 4 * outputs * i) for i in range(2))
                    place = code.build.add(place, code.times(number, group * positions * outputs))
                    for p in range(group * positions):
                        value = code.build.sitofp(sums[p * units + unit], code.floats)
                        value = code.build.fadd(code.build.fmul(value, factor), bias)
                        if adding:
                            old = code.build.uitofp(
                                code.load(code.bytes, target, place, p * outputs), code.floats
                            )
                            value = code.build.fadd(value, code.build.fmul(old, code.spread(step)))
                        value = _at_least_0(code, value)
                        if floats:
                            code.store(value, target, code.times(place, 4), 4 * p * outputs)
                        else:
                            code.store(_as_integers(code, value), target, place, p * outputs)

            code.loop(outputs // (self.lanes * units), filters)

        code.loop(len(taps), cells)
        code.end()
        return code

    def _table(self, name: str, numbers: Iterable[int]) -> ir.Value:
        """Whole numbers of 32 bits that stand beside the code."""
        values = ir.Constant.literal_array([INT(number) for number in numbers])
        table = ir.GlobalVariable(self.module, values.type, name)
        table.initializer, table.global_constant, table.linkage = values, True, "internal"
        return table.bitcast(POINTER)

    def _dense(self, name: str, layer: Dense) -> Function:
        """A layer in float32: (source, target, weights, biases); the hidden one rectifies."""
        code = self._function(name, [POINTER] * 4)
        source, target, weights, biases = code.function.args
        positions, units = self.positions, self.shape.together(layer.outputs, self.positions)
        beside = whole(self.shape.hidden) if layer.cells == 1 else self.shape.heads  # numbers of a cell
        ends = (
            layer.outputs if name == "hidden" else self.shape.answers
        )  # numbers between two positions' answers

        def group(first: ir.Value, _: object) -> None:
            begin = code.times(first, self.register * units)

            def cell(number: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
                seen = code.at(source, code.times(number, 4 * positions * beside), 4 * layer.first)
                column = code.at(weights, code.times(number, 4 * layer.filters * layer.outputs), begin)

                def products(k: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
                    row = code.at(column, code.times(k, 4 * layer.outputs))
                    factors = [code.load(code.floats, row, self.register * unit) for unit in range(units)]
                    ahead = code.times(k, 4)
                    cells = (code.load(FLOAT, seen, ahead, 4 * beside * p) for p in range(positions))
                    return _added(code, self.add_product, sums, cells, factors)

                return code.loop(layer.filters, products, sums)

            of_unit = [code.load(code.floats, biases, begin, self.register * unit) for unit in range(units)]
            for i, value in enumerate(code.loop(layer.cells, cell, of_unit * positions)):
                value = _at_least_0(code, value) if name == "hidden" else value
                code.store(value, target, begin, self.register * (i % units) + 4 * ends * (i // units))

        code.loop(layer.outputs // (self.lanes * units), group)
        code.end()
        return code


def _added(
    code: Function,
    add: Callable[[Function, ir.Value, ir.Value, ir.Value], ir.Value],
    sums: Sequence[ir.Value],
    cells: Iterable[ir.Value],
    factors: Sequence[ir.Value],
) -> list[ir.Value]:
    """The sums of all positions and registers, with what is multiplied now."""
    found: list[ir.Value] = []
    for cell in map(code.spread, cells):  # one after the other: there are no registers for all
        for factor in factors:
            found.append(add(code, sums[len(found)], cell, factor))
    return found


def _at_least_0(code: Function, value: ir.Value) -> ir.Value:
    return code.build.select(code.build.fcmp_ordered(">", value, code.all_of(0)), value, code.all_of(0))


def _as_integers(code: Function, value: ir.Value) -> ir.Value:
    value = code.build.fadd(value, code.all_of(0.5))
    value = code.build.select(
        code.build.fcmp_ordered("<", value, code.all_of(LARGEST)), value, code.all_of(LARGEST)
    )
    return code.build.trunc(code.build.fptosi(value, code.ints), code.bytes)
