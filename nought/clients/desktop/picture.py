"""Boards as pictures: smooth at any size, players told apart by colour and by shape."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from nought.clients.desktop.layout import BoardLayout
from nought.games.draw import owned_label
from nought.games.ground import column_letters, hexagon, owned_edges
from nought.games.look import FIELDS, INK, LAST, LAST_EDGE, PAGE, QUIET, TINTS, look
from nought.wire.games import GameAnswer, PositionAnswer

OVERSAMPLING = 3  # pictures are drawn this many times larger and then reduced: smooth edges
ACCENT = "#1f6f54"  # of what can be pressed
LABEL, COORDINATE = 0.38, 0.2  # of a cell: how high letters are, on pieces and beside the board


def draw_board(
    layout: BoardLayout,
    position: PositionAnswer,
    *,
    hints: bool = True,
    lifted: int | None = None,
    goals: Sequence[int] = (),
) -> Image.Image:
    """Draw a position; with `hints` also the legal moves, where they are not obvious; and a piece that was taken up with
    where it may go."""
    image = Image.new("RGB", (OVERSAMPLING * layout.width, OVERSAMPLING * layout.height), PAGE)
    brush = _Brush(
        BoardLayout(layout.game, OVERSAMPLING * layout.width, OVERSAMPLING * layout.height),
        ImageDraw.Draw(image),
    )
    if layout.dots:
        brush.dots(position)
    else:
        brush.cells(position, hints)
    if lifted is not None:
        brush.lifted(lifted, goals)
    brush.labels()
    return image.reduce(OVERSAMPLING)


def draw_stone(game: GameAnswer, player: int, size: int, *, strength: float = 1.0) -> Image.Image:
    """Draw a player's stone alone on a transparent ground; with less `strength` it is fainter."""
    side = OVERSAMPLING * size
    layer = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    whole = BoardLayout(game, side, side)
    _Brush(whole, ImageDraw.Draw(layer)).stone(player, side / 2, side / 2, side * 0.96)
    small = layer.reduce(OVERSAMPLING)
    small.putalpha(small.getchannel("A").point(lambda a: round(strength * a)))
    return small


class _Brush:
    """Draws the parts of a board."""

    def __init__(self, layout: BoardLayout, ink: ImageDraw.ImageDraw) -> None:
        self.layout, self.ink, self.look = layout, ink, look(layout.game)
        self.cell, self.ground = layout.cell, layout.ground

    # ---- pieces on cells ------------------------------------------------------------------------------------
    def cells(self, position: PositionAnswer, hints: bool) -> None:
        """Draw squares, hexagons or pits with what stands on them."""
        if self.ground.shape == "hexagons":
            self._hexagons()
        elif self.ground.shape == "pits":
            self._pits(position)
        else:
            self._squares()
        labels = position.labels or ("",) * len(position.cells)
        for cell, (owner, label) in enumerate(zip(position.cells, labels, strict=True)):
            self._piece(cell, owner, label)
        if hints:
            self._legal(position)
        self._last_and_won(position)

    def _piece(self, cell: int, owner: int | None, label: str) -> None:
        """Draw a stone with its owner's sign or with a label; what is nobody's, or in a pit, is a label alone."""
        place = self.layout.middle(cell)
        if owner is None or self.ground.shape == "pits":
            self._word(place, label, INK, LABEL)
        elif label:
            self._circle(
                *place, self.cell * 0.8, fill=self.look.stones[owner], outline=self.look.rims[owner],
                width=self.cell * 0.024,
            )  # fmt: skip
            self._word(place, owned_label(owner, label), self.look.marks[owner], LABEL)
        else:
            self.stone(owner, *place, self.cell * 0.8)

    def _last_and_won(self, position: PositionAnswer) -> None:
        for cell in position.line:
            self._ring(cell, 0.88, "#ffffff", 0.07)
            self._ring(cell, 0.95, INK, 0.035)
        last = position.last
        if last is None or position.line:
            return
        if position.came_from is not None:
            self._ring(position.came_from, 0.24, LAST, 0.05)
        if self.ground.shape == "pits" or (position.labels and position.labels[last]):
            self._ring(last, 0.9, LAST, 0.05)  # not on what is written there
        elif position.cells[last] is not None:
            place = self.layout.middle(last)
            self._circle(*place, self.cell * 0.2, fill=LAST, outline=INK, width=self.cell * 0.03)

    def lifted(self, cell: int, goals: Sequence[int]) -> None:
        """Mark a piece that was taken up, and where it may go."""
        self._ring(cell, 0.92, ACCENT, 0.06)
        for goal in goals:
            self._ring(goal, 0.34, "#ffffff", 0.03)
            self._circle(*self.layout.middle(goal), self.cell * 0.28, fill=ACCENT)

    def _ring(self, cell: int, size: float, colour: str, width: float) -> None:
        self._circle(*self.layout.middle(cell), self.cell * size, outline=colour, width=self.cell * width)

    def _squares(self) -> None:
        """Draw the empty board: holes into which stones drop, or squares."""
        (left, top), ground = self.layout.corner, self.ground
        right, bottom = self.layout.point(*ground.size)
        pad = self.cell * 0.12
        self.ink.rounded_rectangle(
            (left - pad, top - pad, right + pad, bottom + pad), self.cell * 0.25, self.look.board
        )
        if self.layout.drops:
            for cell in range(ground.cells):
                self._circle(*self.layout.middle(cell), self.cell * 0.8, fill=self.look.cell)
            return
        for cell in range(ground.cells):
            colour = PAGE if ground.colour(cell) == "off" else FIELDS.get(ground.colour(cell))
            if colour:
                row, column = divmod(cell, ground.columns)
                corners = (*self.layout.point(column, row), *self.layout.point(column + 1, row + 1))
                self.ink.rectangle(corners, colour)
        width = max(1, round(self.cell * 0.025))
        for column in range(1, ground.columns):
            x, _ = self.layout.point(column, 0)
            self.ink.line((x, top, x, bottom), self.look.cell, width)
        for row in range(1, ground.rows):
            _, y = self.layout.point(0, row)
            self.ink.line((left, y, right, y), self.look.cell, width)
        sides = ((left, top, right, top), (right, top, right, bottom), (left, bottom, right, bottom),
                 (left, top, left, bottom))  # fmt: skip
        for owner, side in zip(ground.sides, sides, strict=True):
            if owner is not None:
                self._stroke(side, self.look.stones[owner], self.cell * 0.08)

    def _hexagons(self) -> None:
        """Draw the empty cells, and the sides that are somebody's as strokes along their outer edges."""
        for cell in range(self.ground.cells):
            if self.ground.colour(cell) != "off":
                corners = [self.layout.point(*corner) for corner in hexagon(self.ground, cell)]
                fill = FIELDS.get(self.ground.colour(cell), self.look.board)
                self.ink.polygon(corners, fill, self.look.cell, max(1, round(self.cell * 0.025)))
        for owner, (x1, y1, x2, y2) in owned_edges(self.ground):
            ends = (*self.layout.point(x1, y1), *self.layout.point(x2, y2))
            self._stroke(ends, self.look.stones[owner], self.cell * 0.1)

    def _pits(self, position: PositionAnswer) -> None:
        (left, top), (right, bottom) = self.layout.corner, self.layout.point(*self.ground.size)
        pad = self.cell * 0.12
        self.ink.rounded_rectangle(
            (left - pad, top - pad, right + pad, bottom + pad), self.cell * 0.4, self.look.board
        )
        labels = position.labels or ("",) * len(position.cells)
        for cell, (owner, label) in enumerate(zip(position.cells, labels, strict=True)):
            if owner is None and not label:
                continue
            fill, rim = (
                (FIELDS["light"], self.look.cell) if owner is None else (TINTS[owner], self.look.rims[owner])
            )
            self._circle(
                *self.layout.middle(cell), self.cell * 0.86, fill=fill, outline=rim, width=self.cell * 0.05
            )

    def stone(self, player: int, x: float, y: float, size: float) -> None:
        """Draw a stone: a disc with a cross or a ring, so that colour is not all that tells players apart."""
        colour, mark = self.look.stones[player], self.look.marks[player]
        if self.layout.dots:  # a player's sign alone
            self.ink.rounded_rectangle(
                (x - size / 2, y - size / 2, x + size / 2, y + size / 2), size * 0.2, colour
            )
        else:
            self._circle(x, y, size, fill=colour, outline=self.look.rims[player], width=size * 0.03)
        if player == 0:
            arm = size * 0.17
            for way in (1, -1):
                self._stroke((x - arm, y - way * arm, x + arm, y + way * arm), mark, size * 0.09)
        else:
            self._circle(x, y, size * 0.46, outline=mark, width=size * 0.085)

    def _legal(self, position: PositionAnswer) -> None:
        """Draw a dot on each cell that can be played, where some empty cells cannot be."""
        if self.layout.drops or self.ground.shape == "pits":
            return
        legal = {move.cell for move in position.legal if move.origin is None and move.cell is not None}
        if legal != {cell for cell, owner in enumerate(position.cells) if owner is None}:
            for cell in legal:
                self._circle(
                    *self.layout.middle(cell), self.cell * 0.18, fill=self.look.stones[position.player]
                )

    # ---- edges between dots ---------------------------------------------------------------------------------
    def dots(self, position: PositionAnswer) -> None:
        columns, rows = self.layout.size
        left, top = self.layout.corner
        pad = self.cell * 0.3
        box = (left - pad, top - pad, left + columns * self.cell + pad, top + rows * self.cell + pad)
        self.ink.rounded_rectangle(box, self.cell * 0.2, self.look.board)
        for closed in position.boxes:
            if closed.owner is not None:
                x, y = self.layout.middle(closed.cell)
                half = self.cell / 2
                self.ink.rectangle((x - half, y - half, x + half, y + half), TINTS[closed.owner])
                self.stone(closed.owner, x, y, self.cell * 0.42)
        for edge in position.edges:
            if edge.drawn:
                last = edge.cell == position.last
                self._stroke(
                    self.layout.edge(edge.cell),
                    LAST_EDGE if last else INK,
                    self.cell * (0.085 if last else 0.06),
                )
            else:
                self._stroke(self.layout.edge(edge.cell), self.look.cell, self.cell * 0.02)
        for row in range(0, self.layout.game.rows, 2):
            for column in range(0, self.layout.game.columns, 2):
                middle = self.layout.middle(row * self.layout.game.columns + column)
                self._circle(*middle, self.cell * 0.16, fill=INK)

    # ---- the names of rows and columns ----------------------------------------------------------------------
    def labels(self) -> None:
        ground = self.ground
        if self.layout.dots or self.layout.game.notation == "numbers":
            return
        _, height = ground.size
        for column in range(ground.columns):
            name = str(column + 1) if self.layout.drops else column_letters(column)
            x, _ = ground.middle((ground.rows - 1) * ground.columns + column)
            self._word(self.layout.point(x, height + 0.3), name, QUIET, COORDINATE)
        for row in range(ground.rows if not self.layout.drops else 0):
            x, y = ground.middle(row * ground.columns)
            self._word(self.layout.point(x - 0.8, y), ground.row_name(row), QUIET, COORDINATE)

    # ---- strokes --------------------------------------------------------------------------------------------
    def _word(self, place: tuple[float, float], text: str, colour: str, size: float) -> None:
        """Write a word in the middle of a place, this high in cells."""
        font = ImageFont.load_default(max(8, self.cell * size))
        self.ink.text(place, text, colour, font, anchor="mm")

    def _circle(
        self,
        x: float,
        y: float,
        size: float,
        *,
        fill: str | None = None,
        outline: str | None = None,
        width: float = 0,
    ) -> None:
        half = size / 2
        self.ink.ellipse((x - half, y - half, x + half, y + half), fill, outline, max(1, round(width)))

    def _stroke(self, ends: tuple[float, float, float, float], colour: str, width: float) -> None:
        """Draw a line with round ends."""
        self.ink.line(ends, colour, max(1, round(width)))
        self._circle(*ends[:2], width, fill=colour)
        self._circle(*ends[2:], width, fill=colour)
