"""Where things are on a board of any size in pixels, and which move a click means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot

from nought.clients.picking import Pick
from nought.games.ground import Ground
from nought.wire.games import GameAnswer

LABEL_MARGIN = 0.55  # of a cell: the room beside the board for the names of rows and columns
CLICK_REACH = 0.5  # of a cell, or of the way from dot to dot: how far from its middle a click still means it


@dataclass(frozen=True)
class BoardLayout:
    """A board in a window of this many pixels. Cells are numbered row by row; of dots and boxes, dots are cells, too."""

    game: GameAnswer
    width: int
    height: int

    @cached_property
    def ground(self) -> Ground:
        """The empty board, in cells."""
        game = self.game
        return Ground(game.board, game.rows, game.columns, game.a1, game.colours, game.sides)

    @property
    def dots(self) -> bool:
        return self.game.board == "dots"

    @property
    def drops(self) -> bool:
        """Whether stones are dropped into columns."""
        return self.game.notation == "columns"

    @cached_property
    def size(self) -> tuple[float, float]:
        """The board's own width and height, in cells."""
        rows, columns = self.game.rows, self.game.columns
        return ((columns - 1) / 2, (rows - 1) / 2) if self.dots else self.ground.size

    @cached_property
    def cell(self) -> float:
        """The side of a cell, or the way from dot to dot, in pixels."""
        columns, rows = self.size
        return max(
            4.0, min(self.width / (columns + 2 * LABEL_MARGIN), self.height / (rows + 2 * LABEL_MARGIN))
        )

    @cached_property
    def corner(self) -> tuple[float, float]:
        """The board's upper left corner: it stands in the middle of the window."""
        columns, rows = self.size
        return (self.width - columns * self.cell) / 2, (self.height - rows * self.cell) / 2

    def middle(self, cell: int) -> tuple[float, float]:
        """The middle of a cell."""
        if self.dots:
            row, column = divmod(cell, self.game.columns)
            return self.point(column / 2, row / 2)
        return self.point(*self.ground.middle(cell))

    def point(self, across: float, down: float) -> tuple[float, float]:
        """A place so many cells from the board's upper left corner, in pixels."""
        left, top = self.corner
        return left + across * self.cell, top + down * self.cell

    def edge(self, cell: int) -> tuple[float, float, float, float]:
        """The ends of an edge between two dots."""
        x, y = self.middle(cell)
        half = self.cell / 2
        flat = cell // self.game.columns % 2 == 0
        return (x - half, y, x + half, y) if flat else (x, y - half, x, y + half)

    def pick_at(self, among: Sequence[Pick], x: float, y: float) -> Pick | None:
        """What a click there means."""

        def away(pick: Pick) -> float:
            at_x, at_y = self.middle(pick.cell)
            if self.drops:  # anywhere in the column
                return abs(at_x - x) if 0 <= y - self.corner[1] < self.size[1] * self.cell else self.cell
            if self.game.board == "hexagons":
                return hypot(at_x - x, at_y - y)
            if self.dots:
                return abs(at_x - x) + abs(at_y - y)  # so that the border between two edges is a diagonal
            return max(abs(at_x - x), abs(at_y - y))

        nearest = min(among, key=away, default=None)
        return nearest if nearest is not None and away(nearest) <= CLICK_REACH * self.cell else None
