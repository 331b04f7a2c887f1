"""What the function of a network in integers is made for (x86_code.py), and where it finds what it works with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from nought.arithmetic import ceil_div
from nought.network.quantised import LARGEST_WEIGHT

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

    def taps(self, kernel: int, group: int) -> list[list[tuple[int, list[int]]]]:
        """Of each group of so many cells in a row: the taps that see anything of the board, and the cell that each of the
        group's sees by it. What lies beyond the board, and beyond the last cell, is `empty(group)`."""
        reach = range(-(kernel // 2), kernel // 2 + 1)
        around = list(enumerate((y, x) for y in reach for x in reach))

        def seen(cell: int, y: int, x: int) -> int:
            row, column = cell // self.width + y, cell % self.width + x
            there = cell < self.cells and 0 <= row < self.height and 0 <= column < self.width
            return row * self.width + column if there else self.empty(group)

        groups = [range(first, first + group) for first in range(0, self.cells, group)]
        by_tap = [[(tap, [seen(cell, *to) for cell in cells]) for tap, to in around] for cells in groups]
        return [[(tap, cells) for tap, cells in taps if min(cells) < self.cells] for taps in by_tap]

    def empty(self, group: int) -> int:
        """The number of a cell that is always 0: the one after all groups."""
        return whole(self.cells, group)

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
            # float32: one over the planes' step; of each block's input in its output's
            "steps": 4 * (1 + self.blocks),
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
        cells = positions * (self.empty(self.group(positions)) + 1)
        sizes = {"planes": cells * self.seen, "even": cells * self.wide, "odd": cells * self.wide}
        return _placed(
            sizes | {"heads": 4 * cells * self.heads, "hidden": 4 * positions * whole(self.hidden)}
        )

    def group(self, positions: int) -> int:
        """How many cells a tile of so few positions finds at once: as weights come from far, each should be used often."""
        return max(1, self.positions // positions)


def _placed(sizes: dict[str, int]) -> dict[str, int]:
    """Where each part begins, at the begin of a line of memory."""
    places, end = {}, 0
    for name, size in sizes.items():
        places[name] = end
        end += whole(size, LINE)
    return places | {"end": end}
