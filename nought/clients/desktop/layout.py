"""Where things are on a board of any size in pixels, and which move a click means."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from nought.wire.games import GameAnswer, LegalMove, PositionAnswer

LABEL_MARGIN = 0.55  # of a cell: the room beside the board for the names of rows and columns
CLICK_REACH = 0.5  # of the way from dot to dot: how far from an edge's middle a click still means it


@dataclass(frozen=True)
class BoardLayout:
    """A board in a window of this many pixels. Cells are numbered row by row; of dots and boxes, dots are cells, too."""

    game: GameAnswer
    width: int
    height: int

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
        return ((columns - 1) / 2, (rows - 1) / 2) if self.dots else (columns, rows)

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
        row, column = divmod(cell, self.game.columns)
        left, top = self.corner
        if self.dots:
            return left + column * self.cell / 2, top + row * self.cell / 2
        return left + (column + 0.5) * self.cell, top + (row + 0.5) * self.cell

    def edge(self, cell: int) -> tuple[float, float, float, float]:
        """The ends of an edge between two dots."""
        x, y = self.middle(cell)
        half = self.cell / 2
        flat = cell // self.game.columns % 2 == 0
        return (x - half, y, x + half, y) if flat else (x, y - half, x, y + half)

    def move_at(self, position: PositionAnswer, x: float, y: float) -> LegalMove | None:
        """The legal move that a click there means."""
        cells = self.game.cell_of_action
        if cells is None or not self.game.has_a_cell_for_each_move:
            return None
        if self.dots:
            return self._edge_at(position, cells, x, y)
        left, top = self.corner
        column, row = (x - left) // self.cell, (y - top) // self.cell
        if not (0 <= column < self.game.columns and 0 <= row < self.game.rows):
            return None
        for move in position.legal:
            at_row, at_column = divmod(cells[move.action], self.game.columns)
            if at_column == column and (self.drops or at_row == row):
                return move
        return None

    def _edge_at(
        self, position: PositionAnswer, cells: tuple[int, ...], x: float, y: float
    ) -> LegalMove | None:
        """The nearest edge that can be drawn."""

        def away(move: LegalMove) -> float:
            at_x, at_y = self.middle(cells[move.action])
            return abs(at_x - x) + abs(at_y - y)  # so that the border between two edges is a diagonal

        nearest = min(position.legal, key=away, default=None)
        return nearest if nearest is not None and away(nearest) <= CLICK_REACH * self.cell else None
