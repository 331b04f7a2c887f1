"""The tower of a network in integers of 8 bits as a function of an x86 processor with AVX-512 and VNNI.

A few positions at a time, a *tile*, go through all layers while what goes from layer to layer stays in the processor's
fastest memory. Of a cell of all of them a convolution finds up to 7 · 16 filters: a register holds 16 sums of a position,
two dozen of them stay where they are while weights stream by, and an instruction (VPDPBUSD) adds to a register's 16 sums
four products each. A list says which cells a cell's taps see: what lies beyond the board is not there, and costs
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from llvmlite import ir

from nought.arithmetic import ceil_div
from nought.compile.native import (
    BYTE,
    BYTES,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    LANES,
    LONG,
    POINTER,
    Function,
    Number,
    all_of,
)
from nought.network.quantised import LARGEST

REGISTERS = 24  #  of 32 hold sums; the others weights and what these are multiplied by
MOST_UNITS = 7  #  registers of a position's sums
DEPTH = 4  #       products that an instruction adds to a sum
LINE = 64  #       bytes that memory hands over at once, and of a register
SOME_INTS = ir.FunctionType(INTS, [INTS, INTS, INTS])
SOME_FLOATS = ir.FunctionType(FLOATS, [FLOATS, FLOATS, FLOATS])


def whole(count: int, of: int = LANES) -> int:
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
class VnniShape:
    """The numbers the function is made for. Counts that end in registers are filled up to what these hold."""

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
        return REGISTERS // _together(self.wide, 1)

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


def tower_code(shape: VnniShape, positions: int) -> ir.Module:
    """The function `tower`(planes, found, packed, room, tiles) for tiles of so many positions: float32 planes
    [tiles, positions, planes, rows, columns] → float32 found [tiles, positions, answers]."""
    return _TowerCode(shape, positions).module


class _TowerCode:
    def __init__(self, shape: VnniShape, positions: int) -> None:
        self.shape, self.positions, self.module = shape, positions, ir.Module()
        self.products = ir.Function(self.module, SOME_INTS, "llvm.x86.avx512.vpdpbusd.512")
        self.product = ir.Function(self.module, SOME_FLOATS, "llvm.fma.v16f32")
        self._tower()

    def _tower(self) -> None:
        shape, packed, room = self.shape, self.shape.packed, self.shape.room(self.positions)
        read = self._read()
        stem = self._convolution("stem", shape.seen, shape.wide)
        first = self._convolution("first", shape.wide, shape.wide)
        second = self._convolution("second", shape.wide, shape.wide, adding=True)
        heads = self._convolution("heads", shape.wide, shape.heads, floats=True)
        dense = {name: self._dense(name, layer) for name, layer in shape.dense.items()}

        code = Function(self.module, "tower", [POINTER] * 4 + [LONG])
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
        code = Function(self.module, "read", [POINTER, POINTER, FLOAT])
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
        code = Function(self.module, name, [POINTER] * 6 + [FLOAT])
        source, target, weights, numbers, starts, neighbours, step = code.function.args
        positions, units = self.positions, _together(outputs, self.positions)

        def cell(number: ir.Value, _: object) -> None:
            begin = code.load_long(starts, code.times(number, 4))
            count = code.build.sub(code.load_long(starts, code.times(number, 4), 4), begin)

            def group(first: ir.Value, _: object) -> None:
                def tap(i: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
                    neighbour = code.at(neighbours, code.times(code.build.add(begin, i), 8))
                    seen = code.at(source, code.times(code.load_long(neighbour), positions * inputs))
                    tap = code.times(code.load_long(neighbour, 4), inputs * outputs)
                    column = code.at(weights, tap, code.times(first, LINE * units))

                    def products(k: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
                        row = code.at(column, code.times(k, DEPTH * outputs))
                        factors = [code.load(INTS, row, LINE * unit) for unit in range(units)]
                        ahead = code.times(k, DEPTH)
                        cells = (code.load(INT, seen, ahead, p * inputs) for p in range(positions))
                        return self._added(code, self.products, sums, cells, factors)

                    return code.loop(inputs // DEPTH, products, sums)

                nothing = ir.Constant(INTS, [0] * LANES)
                sums = code.loop(count, tap, [nothing] * (positions * units))
                for unit in range(units):
                    filters = code.build.add(code.times(first, LANES * units), LONG(LANES * unit))
                    factor, bias = (
                        code.load(FLOATS, numbers, code.times(filters, 4), 4 * outputs * i) for i in range(2)
                    )
                    for p in range(positions):
                        place = code.build.add(code.times(number, positions * outputs), filters)
                        place = code.build.add(place, LONG(p * outputs))
                        value = code.build.sitofp(sums[p * units + unit], FLOATS)
                        value = code.build.fadd(code.build.fmul(value, factor), bias)
                        if adding:
                            old = code.build.uitofp(code.load(BYTES, target, place), FLOATS)
                            value = code.build.fadd(value, code.build.fmul(old, code.spread(step)))
                        value = _at_least_0(code, value)
                        if floats:
                            code.store(value, target, code.times(place, 4))
                        else:
                            code.store(_as_integers(code, value), target, place)

            code.loop(outputs // (LANES * units), group)

        code.loop(self.shape.cells, cell)
        code.end()
        return code

    def _dense(self, name: str, layer: Dense) -> Function:
        """A layer in float32: (source, target, weights, biases); the hidden one rectifies."""
        code = Function(self.module, name, [POINTER] * 4)
        source, target, weights, biases = code.function.args
        positions, units = self.positions, _together(layer.outputs, self.positions)
        beside = whole(self.shape.hidden) if layer.cells == 1 else self.shape.heads  # numbers of a cell
        ends = (
            layer.outputs if name == "hidden" else self.shape.answers
        )  # numbers between two positions' answers

        def group(first: ir.Value, _: object) -> None:
            begin = code.times(first, LINE * units)

            def cell(number: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
                seen = code.at(source, code.times(number, 4 * positions * beside), 4 * layer.first)
                column = code.at(weights, code.times(number, 4 * layer.filters * layer.outputs), begin)

                def products(k: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
                    row = code.at(column, code.times(k, 4 * layer.outputs))
                    factors = [code.load(FLOATS, row, LINE * unit) for unit in range(units)]
                    ahead = code.times(k, 4)
                    cells = (code.load(FLOAT, seen, ahead, 4 * beside * p) for p in range(positions))
                    return self._added(code, self.product, sums, cells, factors)

                return code.loop(layer.filters, products, sums)

            of_unit = [code.load(FLOATS, biases, begin, LINE * unit) for unit in range(units)]
            for i, value in enumerate(code.loop(layer.cells, cell, of_unit * positions)):
                value = _at_least_0(code, value) if name == "hidden" else value
                code.store(value, target, begin, LINE * (i % units) + 4 * ends * (i // units))

        code.loop(layer.outputs // (LANES * units), group)
        code.end()
        return code

    @staticmethod
    def _added(
        code: Function,
        add: ir.Function,
        sums: Sequence[ir.Value],
        cells: Iterable[ir.Value],
        factors: Sequence[ir.Value],
    ) -> list[ir.Value]:
        """The sums of all positions and registers, with one product more."""
        first = add.function_type == SOME_INTS  # whether it takes the sum first
        found: list[ir.Value] = []
        for cell in map(code.spread, cells):  # one after the other: there are no registers for all
            for factor in factors:
                total = sums[len(found)]
                found.append(code.call(add, *((total, cell, factor) if first else (cell, factor, total))))
        return found


def _together(outputs: int, positions: int) -> int:
    """How many registers of a position's sums are found at once."""
    units = outputs // LANES
    most = min(MOST_UNITS, max(1, REGISTERS // positions))
    return max(count for count in range(1, most + 1) if units % count == 0)


def _at_least_0(code: Function, value: ir.Value) -> ir.Value:
    return code.build.select(code.build.fcmp_ordered(">", value, all_of(0)), value, all_of(0))


def _as_integers(code: Function, value: ir.Value) -> ir.Value:
    value = code.build.fadd(value, all_of(0.5))
    value = code.build.select(code.build.fcmp_ordered("<", value, all_of(LARGEST)), value, all_of(LARGEST))
    return code.build.trunc(code.build.fptosi(value, INTS), BYTES)


def _placed(sizes: dict[str, int]) -> dict[str, int]:
    """Where each part begins, at the begin of a line of memory."""
    places, end = {}, 0
    for name, size in sizes.items():
        places[name] = end
        end += whole(size, LINE)
    return places | {"end": end}
