"""Boards as pictures: smooth at any size, players told apart by colour and by shape."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from nought.clients.desktop.layout import BoardLayout
from nought.games.board import Piece, Scene
from nought.games.ground import Ground, Point
from nought.games.look import INK, LAST_EDGE, PAGE, TINTS, look
from nought.games.paint import SIGN, CellPainter, paint_sign, paint_stone
from nought.wire.games import GameAnswer, PositionAnswer

OVERSAMPLING = 3  # pictures are drawn this many times larger and then reduced: smooth edges
ACCENT = "#1f6f54"  # of what can be pressed


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
    large = BoardLayout(layout.game, OVERSAMPLING * layout.width, OVERSAMPLING * layout.height)
    pen = PixelPen(ImageDraw.Draw(image), large.corner, large.cell)
    if layout.dots:
        _dots(pen, large, position)
    else:
        painter = CellPainter(pen, layout.ground, look(layout.game), layout.game.notation)
        painter.scene(
            scene_of(layout.ground, position), _legal(layout, position) if hints else {}, position.player
        )
        if lifted is not None:
            painter.lifted(lifted, goals, ACCENT)
        painter.coordinates()
    return image.reduce(OVERSAMPLING)


def draw_stone(game: GameAnswer, player: int, size: int, *, strength: float = 1.0) -> Image.Image:
    """Draw a player's stone alone on a transparent ground; with less `strength` it is fainter."""
    side = OVERSAMPLING * size
    layer = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    _stone(PixelPen(ImageDraw.Draw(layer), (0, 0), side), game, player, 0.5, 0.5, 0.96)
    small = layer.reduce(OVERSAMPLING)
    small.putalpha(small.getchannel("A").point(lambda a: round(strength * a)))
    return small


def scene_of(ground: Ground, position: PositionAnswer) -> Scene:
    """What a server says is to be seen of a position."""
    labels = position.labels or ("",) * len(position.cells)
    pieces = {
        cell: Piece(owner, label)
        for cell, (owner, label) in enumerate(zip(position.cells, labels, strict=True))
        if owner is not None or label
    }
    return Scene(ground, pieces, position.came_from, position.last, position.line, position.text)


def _legal(layout: BoardLayout, position: PositionAnswer) -> dict[int, str]:
    """A sign on each cell that can be played, where some empty cells cannot be."""
    if layout.drops or layout.ground.shape == "pits":
        return {}
    legal = {move.cell for move in position.legal if move.origin is None and move.cell is not None}
    obvious = legal == {cell for cell, owner in enumerate(position.cells) if owner is None}
    return {} if obvious else dict.fromkeys(legal, SIGN)


def _stone(pen: PixelPen, game: GameAnswer, player: int, x: float, y: float, size: float) -> None:
    """Draw a stone or, between dots, a player's sign alone."""
    colours = look(game)
    if game.board != "dots":
        paint_stone(pen, colours, player, x, y, size)
        return
    pen.box(x - size / 2, y - size / 2, size, size, colours.stones[player], round=size * 0.2)
    paint_sign(pen, player, x, y, size, colours.marks[player])


def _dots(pen: PixelPen, layout: BoardLayout, position: PositionAnswer) -> None:
    """Draw edges between dots, and the boxes that were closed."""
    colours, (columns, rows) = look(layout.game), layout.size
    pen.box(-0.3, -0.3, columns + 0.6, rows + 0.6, colours.board, round=0.2)
    for closed in position.boxes:
        if closed.owner is not None:
            y, x = (place / 2 for place in divmod(closed.cell, layout.game.columns))
            pen.box(x - 0.5, y - 0.5, 1, 1, TINTS[closed.owner])
            _stone(pen, layout.game, closed.owner, x, y, 0.42)
    for edge in position.edges:
        row, column = divmod(edge.cell, layout.game.columns)
        across, down = (0.5, 0.0) if row % 2 == 0 else (0.0, 0.5)
        ends = (column / 2 - across, row / 2 - down, column / 2 + across, row / 2 + down)
        if edge.drawn:
            last = edge.cell == position.last
            pen.line(*ends, 0.085 if last else 0.06, LAST_EDGE if last else INK)
        else:
            pen.line(*ends, 0.02, colours.cell)
    for row in range(0, layout.game.rows, 2):
        for column in range(0, layout.game.columns, 2):
            pen.circle(column / 2, row / 2, 0.16, fill=INK)


class PixelPen:
    """Draws into a picture where a cell has this many pixels, and the board begins in this corner."""

    def __init__(self, ink: ImageDraw.ImageDraw, corner: tuple[float, float], cell: float) -> None:
        self.ink, self.corner, self.cell = ink, corner, cell

    def circle(
        self, x: float, y: float, size: float, *, fill: str = "none", stroke: str = "none", width: float = 0
    ) -> None:
        """Draw a circle of this diameter."""
        box = self._box(x - size / 2, y - size / 2, size, size)
        self.ink.ellipse(box, _colour(fill), _colour(stroke), self._thick(width))

    def box(self, x: float, y: float, width: float, height: float, fill: str, *, round: float = 0) -> None:
        """Draw a rectangle with this upper left corner."""
        self.ink.rounded_rectangle(self._box(x, y, width, height), round * self.cell, fill)

    def polygon(self, points: Sequence[Point], fill: str, stroke: str, width: float) -> None:
        """Draw a closed shape."""
        self.ink.polygon([self._point(x, y) for x, y in points], fill, stroke, self._thick(width))

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float, colour: str) -> None:
        """Draw a line with round ends."""
        self.ink.line((*self._point(x1, y1), *self._point(x2, y2)), colour, self._thick(width))
        self.circle(x1, y1, width, fill=colour)
        self.circle(x2, y2, width, fill=colour)

    def word(self, x: float, y: float, text: str, size: float, colour: str) -> None:
        """Write a word with its middle at this place."""
        font = ImageFont.load_default(max(8, self.cell * size))
        self.ink.text(self._point(x, y), text, colour, font, anchor="mm")

    def _point(self, x: float, y: float) -> tuple[float, float]:
        return self.corner[0] + x * self.cell, self.corner[1] + y * self.cell

    def _box(self, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
        return (*self._point(x, y), *self._point(x + width, y + height))

    def _thick(self, width: float) -> int:
        return max(1, round(width * self.cell))


def _colour(name: str) -> str | None:
    return None if name == "none" else name
