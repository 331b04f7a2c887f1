"""Boards of cells painted with a pen: the one picture that notebooks show as SVG and windows in pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from nought.games.board import Piece, Scene
from nought.games.draw import owned_label
from nought.games.ground import Ground, Point, column_letters, hexagon, owned_edges
from nought.games.look import FIELDS, INK, LAST, PAGE, QUIET, TINTS, Look

WHITE = "#ffffff"
STONE = 0.8  #                    of a cell: how large a stone is
LABEL, COORDINATE = 0.38, 0.24  # of a cell: how high letters are, on pieces and beside the board
SIGN = "+"  #                     marks a legal move that has no name of its own on the board


class Pen(Protocol):
    """Draws in units of a cell, from the board's upper left corner."""

    def circle(
        self, x: float, y: float, size: float, *, fill: str = "none", stroke: str = "none", width: float = 0
    ) -> None:
        """Draw a circle of this diameter."""

    def box(self, x: float, y: float, width: float, height: float, fill: str, *, round: float = 0) -> None:
        """Draw a rectangle with this upper left corner, its own corners rounded by this much."""

    def polygon(self, points: Sequence[Point], fill: str, stroke: str, width: float) -> None:
        """Draw a closed shape."""

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float, colour: str) -> None:
        """Draw a line with round ends."""

    def word(self, x: float, y: float, text: str, size: float, colour: str) -> None:
        """Write a word with its middle at this place."""


def paint_sign(pen: Pen, player: int, x: float, y: float, size: float, colour: str) -> None:
    """Draw a cross or a ring, so that colour is not all that tells players apart."""
    if player == 1:
        pen.circle(x, y, size * 0.46, stroke=colour, width=size * 0.085)
        return
    arm = size * 0.17
    pen.line(x - arm, y - arm, x + arm, y + arm, size * 0.09, colour)
    pen.line(x - arm, y + arm, x + arm, y - arm, size * 0.09, colour)


def paint_stone(pen: Pen, colours: Look, player: int, x: float, y: float, size: float = STONE) -> None:
    """Draw a player's stone."""
    pen.circle(x, y, size, fill=colours.stones[player], stroke=colours.rims[player], width=size * 0.03)
    paint_sign(pen, player, x, y, size, colours.marks[player])


@dataclass(frozen=True)
class CellPainter:
    """Paints a scene of squares, holes, hexagons or pits."""

    pen: Pen
    ground: Ground
    colours: Look
    notation: str

    @property
    def drops(self) -> bool:
        """Whether stones are dropped into columns."""
        return self.notation == "columns"

    def scene(self, shown: Scene, legal: Mapping[int, str], player: int) -> None:
        """Paint what is to be seen; `legal`: what to write on cells that the player to move may fill."""
        if self.ground.shape == "hexagons":
            self._hexagons()
        elif self.ground.shape == "pits":
            self._pits(shown)
        else:
            self._squares()
        for cell, piece in shown.pieces.items():
            self._piece(cell, piece)
        for cell, mark in legal.items():
            if mark == SIGN:
                self.pen.circle(*self.ground.middle(cell), 0.18, fill=self.colours.stones[player])
            else:
                self.pen.word(*self.ground.middle(cell), mark, COORDINATE, QUIET)
        self._last_and_won(shown)

    def coordinates(self) -> None:
        """Write the names of the columns below the board and those of the rows at its left."""
        ground = self.ground
        if self.notation == "numbers":
            return
        _, height = ground.size
        for column in range(ground.columns):
            x, _ = ground.middle((ground.rows - 1) * ground.columns + column)
            name = str(column + 1) if self.drops else column_letters(column)
            self.pen.word(x, height + 0.34, name, COORDINATE, QUIET)
        for row in range(0 if self.drops else ground.rows):
            x, y = ground.middle(row * ground.columns)
            self.pen.word(x - 0.84, y, ground.row_name(row), COORDINATE, QUIET)

    def lifted(self, cell: int, goals: Sequence[int], colour: str) -> None:
        """Mark a piece that was taken up, and where it may go."""
        self._ring(cell, 0.92, colour, 0.06)
        for goal in goals:
            self.pen.circle(*self.ground.middle(goal), 0.31, fill=colour, stroke=WHITE, width=0.03)

    # ---- on the cells ---------------------------------------------------------------------------------------
    def _piece(self, cell: int, piece: Piece) -> None:
        """Draw a stone with its owner's sign or with a label; what is nobody's, or in a pit, is a label alone."""
        x, y = self.ground.middle(cell)
        if piece.owner is None or self.ground.shape == "pits":
            self.pen.word(x, y, piece.label, LABEL, INK)
        elif not piece.label:
            paint_stone(self.pen, self.colours, piece.owner, x, y)
        else:
            stone, rim, mark = (
                pair[piece.owner] for pair in (self.colours.stones, self.colours.rims, self.colours.marks)
            )
            self.pen.circle(x, y, STONE, fill=stone, stroke=rim, width=0.03)
            self.pen.word(x, y, owned_label(piece.owner, piece.label), LABEL, mark)

    def _last_and_won(self, shown: Scene) -> None:
        for cell in shown.won:
            self._ring(cell, 0.88, WHITE, 0.07)
            self._ring(cell, 0.95, INK, 0.035)
        if shown.won or shown.last is None:
            return
        if shown.came_from is not None:
            self._ring(shown.came_from, 0.22, LAST, 0.05)
        piece = shown.pieces.get(shown.last)
        if self.ground.shape == "pits" or (piece is not None and piece.label):
            self._ring(shown.last, 0.88, LAST, 0.05)  # not on what is written there
        elif piece is not None:
            self.pen.circle(*self.ground.middle(shown.last), 0.2, fill=LAST, stroke=INK, width=0.03)

    def _ring(self, cell: int, size: float, colour: str, width: float) -> None:
        self.pen.circle(*self.ground.middle(cell), size, stroke=colour, width=width)

    # ---- the empty board ------------------------------------------------------------------------------------
    def _board(self, roundness: float) -> None:
        width, height = self.ground.size
        self.pen.box(-0.12, -0.12, width + 0.24, height + 0.24, self.colours.board, round=roundness)

    def _squares(self) -> None:
        """Draw holes into which stones drop, or squares."""
        ground, (columns, rows) = self.ground, self.ground.size
        self._board(0.25)
        if self.drops:
            for cell in range(ground.cells):
                self.pen.circle(*ground.middle(cell), STONE, fill=self.colours.cell)
            return
        for cell in range(ground.cells):
            colour = PAGE if ground.colour(cell) == "off" else FIELDS.get(ground.colour(cell))
            if colour is not None:
                self.pen.box(cell % ground.columns, cell // ground.columns, 1, 1, colour)
        for column in range(1, ground.columns):
            self.pen.line(column, 0, column, rows, 0.03, self.colours.cell)
        for row in range(1, ground.rows):
            self.pen.line(0, row, columns, row, 0.03, self.colours.cell)
        ends = ((0, 0, columns, 0), (columns, 0, columns, rows), (0, rows, columns, rows), (0, 0, 0, rows))
        for owner, side in zip(ground.sides, ends, strict=True):
            if owner is not None:
                self.pen.line(*side, 0.1, self.colours.stones[owner])

    def _hexagons(self) -> None:
        """Draw the cells, and strokes along the outer edges of the sides that are somebody's."""
        for cell in range(self.ground.cells):
            if self.ground.colour(cell) != "off":
                fill = FIELDS.get(self.ground.colour(cell), self.colours.board)
                self.pen.polygon(hexagon(self.ground, cell), fill, self.colours.cell, 0.03)
        for owner, ends in owned_edges(self.ground):
            self.pen.line(*ends, 0.1, self.colours.stones[owner])

    def _pits(self, shown: Scene) -> None:
        self._board(0.4)
        for cell, piece in shown.pieces.items():
            fill = FIELDS["light"] if piece.owner is None else TINTS[piece.owner]
            rim = self.colours.cell if piece.owner is None else self.colours.rims[piece.owner]
            self.pen.circle(*self.ground.middle(cell), 0.86, fill=fill, stroke=rim, width=0.05)
