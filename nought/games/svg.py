"""Positions drawn as SVG, for any game: what a notebook shows. Legible on light and on dark pages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import product

from nought.games.board import boxes, legal_marks, scene
from nought.games.draw import draw, status
from nought.games.game import Position
from nought.games.ground import Point
from nought.games.look import INK, LAST_EDGE, QUIET, TINTS, look
from nought.games.paint import CellPainter, paint_sign

CELL, BOX = (
    44,
    64,
)  # sides in pixels of a cell and of a box between dots, as long as the board is not larger than
LARGEST = 480  #      pixels
LETTER = 8.5, 18  #   of a board that is text: how wide a letter is and how high a line, in pixels


def draw_svg(position: Position) -> str:
    """The board with coordinates as moves are written, the last move and the winning line marked, and the legal moves
    where they are not obvious. A game that only draws itself, by its `text`, is shown as that."""
    if position.game.board == "text":
        return _text(position)
    return _dots(position) if position.game.board == "dots" else _cells(position)


class Picture:
    """A picture under way. A cell, or a box, has sides of 1."""

    def __init__(self, position: Position, unit: int) -> None:
        self.title = _title(position)
        self.unit = unit  # in pixels
        self.parts: list[str] = []

    def circle(
        self, x: float, y: float, size: float, *, fill: str = "none", stroke: str = "none", width: float = 0
    ) -> None:
        """Add a circle of this diameter."""
        self._add("circle", cx=x, cy=y, r=size / 2, fill=fill, **_stroke(stroke, width))

    def box(self, x: float, y: float, width: float, height: float, fill: str, *, round: float = 0) -> None:
        """Add a rectangle with this left upper corner."""
        self._add("rect", x=x, y=y, width=width, height=height, rx=round, fill=fill)

    def polygon(self, points: Sequence[Point], fill: str, stroke: str, width: float) -> None:
        """Add a closed shape."""
        corners = " ".join(f"{x:.4g},{y:.4g}" for x, y in points)
        self._add("polygon", points=corners, fill=fill, **_stroke(stroke, width))

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float, colour: str) -> None:
        """Add a line with round ends."""
        self._add("line", x1=x1, y1=y1, x2=x2, y2=y2, **_stroke(colour, width))

    def word(self, x: float, y: float, text: str, size: float, colour: str) -> None:
        """Add a word with its middle at this place."""
        self._add("text", text, x=x, y=y, font_size=size, fill=colour)

    def _add(self, tag: str, text: str = "", /, **paint: str | float) -> None:
        values = " ".join(
            f'{name.replace("_", "-")}="{value if isinstance(value, str) else f"{value:.4g}"}"'
            for name, value in paint.items()
        )
        self.parts.append(f"<{tag} {values}>{escape(text)}</{tag}>" if text else f"<{tag} {values}/>")

    def svg(self, left: float, top: float, width: float, height: float) -> str:
        """The part of the picture that begins at this corner."""
        scale = min(self.unit, LARGEST / max(width, height))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.0f}" height="{height * scale:.0f}" '
            f'viewBox="{left:.4g} {top:.4g} {width:.4g} {height:.4g}" role="img">\n'
            f"<title>{escape(self.title)}</title>\n"
            f'<g fill="{QUIET}" stroke-linecap="round" text-anchor="middle" dominant-baseline="central" '
            f'font-family="sans-serif">\n{"".join(self.parts)}\n</g></svg>'
        )


def _stroke(colour: str, width: float) -> dict[str, str | float]:
    return {} if colour == "none" else {"stroke": colour, "stroke_width": width}


def _title(position: Position) -> str:
    """What the picture shows, in words."""
    return f"{position.game.name} after {len(position.moves)} moves: {status(position).plain}"


# ---- pieces on cells ----------------------------------------------------------------------------------------
def _cells(position: Position) -> str:
    game, shown, picture = position.game, scene(position), Picture(position, CELL)
    painter = CellPainter(picture, game.ground, look(game), game.notation)
    painter.scene(shown, legal_marks(position, shown), position.player)
    width, height = game.ground.size
    left = below = 0.0
    if game.cell_of_action is not None and game.notation != "numbers":
        painter.coordinates()
        left, below = 0.0 if painter.drops else 0.4, 0.4
    return picture.svg(-0.15 - left, -0.15, width + 0.3 + left, height + 0.3 + below)


# ---- edges between dots -------------------------------------------------------------------------------------
def _dots(position: Position) -> str:
    game, colours, picture = position.game, look(position.game), Picture(position, BOX)
    _, rows, columns = game.planes_shape
    drawn = position.planes()[-1]
    assert game.cell_of_action is not None  # `board` has seen to it
    width, height = columns // 2, rows // 2
    picture.box(-0.3, -0.3, width + 0.6, height + 0.6, colours.board, round=0.2)
    for (row, column), owner in boxes(position).items():
        x, y = column / 2, row / 2
        picture.box(x - 0.5, y - 0.5, 1, 1, colours.cell if owner is None else TINTS[owner])
        if owner is not None:
            picture.box(x - 0.21, y - 0.21, 0.42, 0.42, colours.stones[owner], round=0.08)
            paint_sign(picture, owner, x, y, 0.42, colours.marks[owner])
    last = position.moves[-1] if position.moves else None
    for action, cell in enumerate(game.cell_of_action):
        row, column = divmod(int(cell), columns)
        x, y = column / 2, row / 2
        across, down = (0.5, 0.0) if row % 2 == 0 else (0.0, 0.5)
        ends = (x - across, y - down, x + across, y + down)
        if drawn[row, column]:
            thick, colour = (0.085, LAST_EDGE) if action == last else (0.06, INK)
            picture.line(*ends, thick, colour)
        else:
            picture.line(*ends, 0.02, colours.cell)
            picture.box(x - 0.17, y - 0.12, 0.34, 0.24, colours.board)
            picture.word(x, y, str(action), 0.2, QUIET)
    for x, y in product(range(width + 1), range(height + 1)):
        picture.circle(x, y, 0.16, fill=INK)
    return picture.svg(-0.35, -0.35, width + 0.7, height + 0.7)


# ---- a game's own text --------------------------------------------------------------------------------------
def _text(position: Position) -> str:
    lines = draw(position).plain.splitlines()
    width, height = LETTER
    rows = "".join(
        f'<tspan x="8" y="{height * (i + 1)}">{escape(line)}</tspan>' for i, line in enumerate(lines)
    )
    across, down = 16 + width * max(map(len, lines), default=0), height * (len(lines) + 0.5)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across:.0f}" height="{down:.0f}" role="img">\n'
        f"<title>{escape(_title(position))}</title>\n"
        f'<text xml:space="preserve" font-family="monospace" font-size="14" fill="{QUIET}">{rows}</text></svg>'
    )
