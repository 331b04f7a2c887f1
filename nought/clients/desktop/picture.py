"""Boards as pictures: smooth at any size, players told apart by colour and by shape."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFont

from nought.clients.desktop.layout import BoardLayout
from nought.games.look import INK, LAST, LAST_EDGE, QUIET, TINTS, look
from nought.games.notation import column_letters
from nought.wire.games import GameAnswer, PositionAnswer

OVERSAMPLING = 3  # pictures are drawn this many times larger and then reduced: smooth edges
PAGE = "#f5f3ee"  # around the board


def draw_board(layout: BoardLayout, position: PositionAnswer, *, hints: bool = True) -> Image.Image:
    """Draw a position; with `hints` also the legal moves, where they are not obvious."""
    image = Image.new("RGB", (OVERSAMPLING * layout.width, OVERSAMPLING * layout.height), PAGE)
    brush = _Brush(
        BoardLayout(layout.game, OVERSAMPLING * layout.width, OVERSAMPLING * layout.height),
        ImageDraw.Draw(image),
    )
    if layout.dots:
        brush.dots(position)
    else:
        brush.stones(position, hints)
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
        self.cell = layout.cell

    # ---- stones on cells ------------------------------------------------------------------------------------
    def stones(self, position: PositionAnswer, hints: bool) -> None:
        self._ground()
        for cell, owner in enumerate(position.cells):
            if owner is not None:
                self.stone(owner, *self.layout.middle(cell), self.cell * 0.8)
        if hints:
            self._legal(position)
        for cell in position.line:
            self._circle(
                *self.layout.middle(cell), self.cell * 0.88, outline="#ffffff", width=self.cell * 0.07
            )
            self._circle(*self.layout.middle(cell), self.cell * 0.95, outline=INK, width=self.cell * 0.035)
        if position.last is not None and not position.line and position.cells[position.last] is not None:
            self._circle(
                *self.layout.middle(position.last),
                self.cell * 0.2,
                fill=LAST,
                outline=INK,
                width=self.cell * 0.03,
            )

    def _ground(self) -> None:
        """Draw the empty board."""
        game, (left, top) = self.layout.game, self.layout.corner
        right, bottom = left + game.columns * self.cell, top + game.rows * self.cell
        pad = self.cell * 0.12
        self.ink.rounded_rectangle(
            (left - pad, top - pad, right + pad, bottom + pad), self.cell * 0.25, self.look.board
        )
        if self.layout.drops:
            for cell in range(game.rows * game.columns):
                self._circle(*self.layout.middle(cell), self.cell * 0.8, fill=self.look.cell)
            return
        width = max(1, round(self.cell * 0.025))
        for column in range(1, game.columns):
            x = left + column * self.cell
            self.ink.line((x, top, x, bottom), self.look.cell, width)
        for row in range(1, game.rows):
            y = top + row * self.cell
            self.ink.line((left, y, right, y), self.look.cell, width)

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
        cells = self.layout.game.cell_of_action
        if cells is None or self.layout.drops:
            return
        legal = {cells[move.action] for move in position.legal}
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
        game, (left, top) = self.layout.game, self.layout.corner
        if self.layout.dots or game.notation == "numbers":
            return
        font = ImageFont.load_default(max(8, self.cell * 0.2))
        for column in range(game.columns):
            name = str(column + 1) if self.layout.drops else column_letters(column)
            x = left + (column + 0.5) * self.cell
            self.ink.text((x, top + (game.rows + 0.3) * self.cell), name, QUIET, font, anchor="mm")
        if not self.layout.drops:
            for row in range(game.rows):
                y = top + (row + 0.5) * self.cell
                self.ink.text((left - 0.3 * self.cell, y), str(row + 1), QUIET, font, anchor="mm")

    # ---- strokes --------------------------------------------------------------------------------------------
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
