"""A network in integers of 8 bits as a function of an x86 processor.

A few positions at a time, a *tile*, go through all layers while what goes from layer to layer stays in the processor's
fastest memory. Of a cell of all of them a convolution finds some dozens of filters: a register holds the sums of 8 or 16, as
many registers as there are stay where they are while weights stream by, and to each sum four products are added at once. A
list says which cells a cell's taps see: what lies beyond the board is not there, and costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from llvmlite import ir

from nought.arithmetic import ceil_div
from nought.compile.native import BYTE, FLOAT, INT, LONG, POINTER, Function, Number
from nought.network.quantised import LARGEST, LARGEST_WEIGHT

UNIT = 16  #  filters are filled up to a multiple
DEPTH = 4  #  products that are added to a sum at once
LINE = 64  #  bytes that memory hands over at once


@dataclass(frozen=True)
class Instructions:
    """What a processor has for sums of products of 8 bits."""

    name: str
    needs: tuple[str, ...]  #  of processor and system, as LLVM calls it
    lanes: int  #              sums in a register
    sums: int  #               registers that hold sums; the others are for weights and what these are multiplied by
    most: int  #               registers of a position's sums
    largest_weight: int = LARGEST_WEIGHT


# The last adds two products in 16 bits first: with weights of 7 bits they always fit.
KINDS = (
    Instructions("AVX-512 with VNNI", ("avx512f", "avx512bw", "avx512vl", "avx512vnni"), 16, 24, 7),
    Instructions("AVX-VNNI", ("avx2", "fma", "avxvnni"), 8, 12, 3),
    Instructions("AVX2", ("avx2", "fma"), 8, 10, 3, largest_weight=63),
)


def whole(count: int, of: int = UNIT) -> int:
    """So many filled up to a multiple."""
    return ceil_div(count, of) * of


@dataclass(frozen=True)
class Dense:
    """A layer that sees all of what is before it: `filters` numbers of each cell from number `first` on."""

    cells: int
    first: int
    filters: int
    outputs: int

    @property
    def inputs(self) -> int:
        return self.cells * self.filters


@dataclass(frozen=True)
class X86Shape:
    """What the function is made for. Counts that end in registers are filled up to what these hold."""

    instructions: Instructions
    planes: int
    signed: bool  #  whether planes hold numbers below 0, too: then their opposites follow them
    height: int
    width: int
    kernel: int
    filters: int
    blocks: int
    policy_filters: int
    value_filters: int
    hidden: int  #   numbers in the value head's hidden layer; 0: there is none
    actions: int
    results: int  #  numbers that the value head ends in

    @property
    def cells(self) -> int:
        return self.height * self.width

    @property
    def seen(self) -> int:
        """Planes and their opposites, filled up."""
        return whole(self.planes * (1 + self.signed), DEPTH)

    @property
    def wide(self) -> int:
        """Filters of the tower, filled up."""
        return whole(self.filters)

    @property
    def heads(self) -> int:
        """Filters of both heads' convolutions, filled up."""
        return whole(self.policy_filters + self.value_filters)

    @property
    def answers(self) -> int:
        """Numbers found of a position: of each action, and from `whole(actions)` on the results; filled up."""
        return whole(self.actions) + whole(self.results)

    @property
    def positions(self) -> int:
        """Of a full tile."""
        return self.instructions.sums // self.together(self.wide, 1)

    def together(self, outputs: int, positions: int) -> int:
        """How many registers of a position's sums are found at once."""
        units, kind = outputs // self.instructions.lanes, self.instructions
        most = min(kind.most, max(1, kind.sums // positions))
        return max(count for count in range(1, most + 1) if units % count == 0)

    @cached_property
    def dense(self) -> dict[str, Dense]:
        """The heads' last layers; the value's hidden one is the second."""
        value = Dense(self.cells, self.policy_filters, self.value_filters, whole(self.hidden))
        if self.hidden:
            last = {"hidden": value, "value": Dense(1, 0, self.hidden, whole(self.results))}
        else:
            last = {"value": Dense(self.cells, self.policy_filters, self.value_filters, whole(self.results))}
        return {"policy": Dense(self.cells, 0, self.policy_filters, whole(self.actions)), **last}

    @cached_property
    def neighbours(self) -> list[list[tuple[int, int]]]:
        """Of each cell: the cells that its taps see, and by which tap."""
        reach = range(-(self.kernel // 2), self.kernel // 2 + 1)
        around = [(y, x) for y in reach for x in reach]
        return [
            [
                ((row + y) * self.width + column + x, tap)
                for tap, (y, x) in enumerate(around)
                if 0 <= row + y < self.height and 0 <= column + x < self.width
            ]
            for row in range(self.height)
            for column in range(self.width)
        ]

    @property
    def layers(self) -> list[tuple[str, int, int, int]]:
        """The convolutions in order: a name, channels in and out, taps."""
        taps, wide = self.kernel**2, self.wide
        tower = [(f"tower {i}", wide, wide, taps) for i in range(2 * self.blocks)]
        return [("stem", self.seen, wide, taps), *tower, ("heads", wide, self.heads, 1)]

    @cached_property
    def packed(self) -> dict[str, int]:
        """Where in what is packed for the function each part begins, and under `end` where all of it does."""
        sizes = {
            "starts": 4 * (self.cells + 1),  #  int32: the number of each cell's first neighbour
            "neighbours": 8 * sum(map(len, self.neighbours)),  # two int32: cell, tap
            "own starts": 4 * (self.cells + 1),  # the same where a cell sees itself alone
            "own": 8 * self.cells,
            "steps": 4
            * (1 + self.blocks),  #  float32: one over the planes' step; of each block's input in its output's
        }
        for name, inputs, outputs, taps in self.layers:
            sizes[f"{name} weights"] = taps * inputs * outputs  # int8 [taps, inputs / DEPTH, outputs, DEPTH]
            sizes[f"{name} numbers"] = 2 * 4 * outputs  #         float32: factors, biases
        for name, dense in self.dense.items():
            sizes[f"{name} weights"] = 4 * dense.inputs * dense.outputs  # float32 [inputs, outputs]
            sizes[f"{name} numbers"] = 4 * dense.outputs  #               float32: biases
        return _placed(sizes)

    def room(self, positions: int) -> dict[str, int]:
        """Where each part begins of what the function works in, for a tile of so many positions."""
        cells = positions * self.cells
        sizes = {"planes": cells * self.seen, "even": cells * self.wide, "odd": cells * self.wide}
        return _placed(
            sizes | {"heads": 4 * cells * self.heads, "hidden": 4 * positions * whole(self.hidden)}
        )


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
        everywhere = place["starts"], place["neighbours"]
        one_over_step = code.load(FLOAT, place["steps"])

        def tile(number: ir.Value, _: object) -> None:
            seen = code.at(planes, code.times(number, 4 * self.positions * shape.planes * shape.cells))
            said = code.at(found, code.times(number, 4 * self.positions * shape.answers))
            even, odd = work_place["even"], work_place["odd"]
            code.call(read, seen, work_place["planes"], one_over_step)
            weights = place["stem weights"], place["stem numbers"]
            code.call(stem, work_place["planes"], even, *weights, *everywhere, FLOAT(0))

            def block(i: ir.Value, _: object) -> None:
                each = packed.get("tower 2 weights", 0) - packed["tower 0 weights"]
                ahead = code.times(i, each)
                step = code.load(FLOAT, place["steps"], 4, code.times(i, 4))
                for layer, by, source, target in (
                    ("tower 0", first, even, odd),
                    ("tower 1", second, odd, even),
                ):
                    weights = (code.at(place[f"{layer} {part}"], ahead) for part in ("weights", "numbers"))
                    code.call(by, source, target, *weights, *everywhere, step)

            if shape.blocks:
                code.loop(shape.blocks, block)
            weights = place["heads weights"], place["heads numbers"]
            itself = place["own starts"], place["own"]
            code.call(heads, even, work_place["heads"], *weights, *itself, FLOAT(0))
            for name, by in dense.items():
                target = work_place["hidden"] if name == "hidden" else said
                if name == "value":
                    target = code.at(said, 4 * whole(shape.actions))
                source = work_place["hidden" if name == "value" and shape.hidden else "heads"]
                code.call(by, source, target, place[f"{name} weights"], place[f"{name} numbers"])

        code.loop(tiles, tile)
        code.end()

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
        """A layer: (source, target, weights, numbers, starts, neighbours, step). What stands in the target already is added,
        times the step, with `adding`; what comes of it is float32 instead of integers with `floats`."""
        code = self._function(name, [POINTER] * 6 + [FLOAT])
        source, target, weights, numbers, starts, neighbours, step = code.function.args
        positions, units = self.positions, self.shape.together(outputs, self.positions)

        def cell(number: ir.Value, _: object) -> None:
            begin = code.load_long(starts, code.times(number, 4))
            count = code.build.sub(code.load_long(starts, code.times(number, 4), 4), begin)

            def group(first: ir.Value, _: object) -> None:
                def tap(i: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
                    neighbour = code.at(neighbours, code.times(code.build.add(begin, i), 8))
                    seen = code.at(source, code.times(code.load_long(neighbour), positions * inputs))
                    tap = code.times(code.load_long(neighbour, 4), inputs * outputs)
                    column = code.at(weights, tap, code.times(first, self.register * units))

                    def products(k: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
                        row = code.at(column, code.times(k, DEPTH * outputs))
                        factors = [code.load(code.ints, row, self.register * unit) for unit in range(units)]
                        ahead = code.times(k, DEPTH)
                        cells = (code.load(INT, seen, ahead, p * inputs) for p in range(positions))
                        return _added(code, self.add_products, sums, cells, factors)

                    return code.loop(inputs // DEPTH, products, sums)

                nothing = ir.Constant(code.ints, [0] * self.lanes)
                sums = code.loop(count, tap, [nothing] * (positions * units))
                for unit in range(units):
                    filters = code.build.add(code.times(first, self.lanes * units), LONG(self.lanes * unit))
                    factor, bias = (
                        code.load(code.floats, numbers, code.times(filters, 4), 4 * outputs * i)
                        for i in range(2)
                    )
                    for p in range(positions):
                        place = code.build.add(code.times(number, positions * outputs), filters)
                        place = code.build.add(place, LONG(p * outputs))
                        value = code.build.sitofp(sums[p * units + unit], code.floats)
                        value = code.build.fadd(code.build.fmul(value, factor), bias)
                        if adding:
                            old = code.build.uitofp(code.load(code.bytes, target, place), code.floats)
                            value = code.build.fadd(value, code.build.fmul(old, code.spread(step)))
                        value = _at_least_0(code, value)
                        if floats:
                            code.store(value, target, code.times(place, 4))
                        else:
                            code.store(_as_integers(code, value), target, place)

            code.loop(outputs // (self.lanes * units), group)

        code.loop(self.shape.cells, cell)
        code.end()
        return code

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


def _placed(sizes: dict[str, int]) -> dict[str, int]:
    """Where each part begins, at the begin of a line of memory."""
    places, end = {}, 0
    for name, size in sizes.items():
        places[name] = end
        end += whole(size, LINE)
    return places | {"end": end}
