"""Positions drawn as SVG, for any game: what a notebook shows. Legible on light and on dark pages."""

from __future__ import annotations

from html import escape
from itertools import product

from nought.games.board import Piece, Scene, boxes, legal_marks, scene
from nought.games.draw import draw, owned_label, status
from nought.games.game import Position
from nought.games.ground import Ground, column_letters, hexagon, owned_edges
from nought.games.look import FIELDS, INK, LAST, LAST_EDGE, PAGE, QUIET, TINTS, Look, look

CELL, BOX = (
    44,
    64,
)  # sides in pixels of a cell and of a box between dots, as long as the board is not larger than
LARGEST = 480  #      pixels
LABEL = 0.38  #       of a cell: how high the letters on pieces are
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

    def circle(self, x: float, y: float, size: float, **paint: str | float) -> None:
        """Add a circle of this diameter."""
        self._add("circle", cx=x, cy=y, r=size / 2, **paint)

    def box(self, x: float, y: float, width: float, height: float, **paint: str | float) -> None:
        """Add a rectangle with this left upper corner."""
        self._add("rect", x=x, y=y, width=width, height=height, **paint)

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float, colour: str) -> None:
        """Add a line with round ends."""
        self._add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=width)

    def shape(self, points: str, **paint: str | float) -> None:
        """Add a polygon."""
        self._add("polygon", points=points, **paint)

    def label(self, x: float, y: float, text: str, size: float = 0.26, colour: str = QUIET) -> None:
        """Add a word with its middle at this place."""
        self._add("text", text, x=x, y=y, font_size=size, fill=colour)

    def sign(self, player: int, x: float, y: float, size: float, colour: str) -> None:
        """Add a cross or a ring, so that colour is not all that tells players apart."""
        if player == 1:
            self.circle(x, y, size * 0.46, fill="none", stroke=colour, stroke_width=size * 0.085)
        else:
            arm = size * 0.17
            self.line(x - arm, y - arm, x + arm, y + arm, size * 0.09, colour)
            self.line(x - arm, y + arm, x + arm, y - arm, size * 0.09, colour)

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


def _title(position: Position) -> str:
    """What the picture shows, in words."""
    return f"{position.game.name} after {len(position.moves)} moves: {status(position).plain}"


# ---- pieces on cells ----------------------------------------------------------------------------------------
def _cells(position: Position) -> str:
    """Squares, hexagons or pits with what stands on them."""
    shown, colours, picture = scene(position), look(position.game), Picture(position, CELL)
    ground = shown.ground
    if ground.shape == "hexagons":
        _hexagons(picture, ground, colours)
    elif ground.shape == "pits":
        _pits(picture, shown, colours)
    else:
        _squares(picture, position, colours)
    for cell, piece in shown.pieces.items():
        _piece(picture, ground, cell, piece, colours)
    for cell, mark in legal_marks(position, shown).items():
        x, y = ground.middle(cell)
        if mark == "+":
            picture.circle(x, y, 0.18, fill=colours.stones[position.player])
        else:
            picture.label(x, y, mark)
    _last_and_won(picture, shown)
    left, below = _coordinates(picture, position)
    width, height = ground.size
    return picture.svg(-0.15 - left, -0.15, width + 0.3 + left, height + 0.3 + below)


def _piece(picture: Picture, ground: Ground, cell: int, piece: Piece, colours: Look) -> None:
    """A stone with its owner's sign or with a label; what is nobody's, or in a pit, is a label alone."""
    x, y = ground.middle(cell)
    if piece.owner is None or ground.shape == "pits":
        picture.label(x, y, piece.label, LABEL, INK)
        return
    stone, rim, mark = (pair[piece.owner] for pair in (colours.stones, colours.rims, colours.marks))
    picture.circle(x, y, 0.8, fill=stone, stroke=rim, stroke_width=0.03)
    if piece.label:
        picture.label(x, y, owned_label(piece.owner, piece.label), LABEL, mark)
    else:
        picture.sign(piece.owner, x, y, 0.8, mark)


def _last_and_won(picture: Picture, shown: Scene) -> None:
    for cell in shown.won:
        picture.circle(*shown.ground.middle(cell), 0.86, fill="none", stroke="#ffffff", stroke_width=0.08)
    if shown.won or shown.last is None:
        return
    if shown.came_from is not None:
        picture.circle(
            *shown.ground.middle(shown.came_from), 0.2, fill="none", stroke=LAST, stroke_width=0.05
        )
    x, y = shown.ground.middle(shown.last)
    piece = shown.pieces.get(shown.last)
    if shown.ground.shape == "pits" or (piece is not None and piece.label):  # not on what is written there
        picture.circle(x, y, 0.86, fill="none", stroke=LAST, stroke_width=0.05)
    elif piece is not None:
        picture.circle(x, y, 0.2, fill=LAST, stroke=INK, stroke_width=0.03)


def _squares(picture: Picture, position: Position, colours: Look) -> None:
    """The empty board: holes into which stones drop, or squares."""
    ground = position.game.ground
    rows, columns = ground.rows, ground.columns
    picture.box(-0.12, -0.12, columns + 0.24, rows + 0.24, rx=0.25, fill=colours.board)
    if position.game.notation == "columns":
        for cell in range(ground.cells):
            picture.circle(*ground.middle(cell), 0.8, fill=colours.cell)
        return
    for cell in range(ground.cells):
        colour = PAGE if ground.colour(cell) == "off" else FIELDS.get(ground.colour(cell))
        if colour:
            picture.box(cell % columns, cell // columns, 1, 1, fill=colour)
    for column in range(1, columns):
        picture.line(column, 0, column, rows, 0.03, colours.cell)
    for row in range(1, rows):
        picture.line(0, row, columns, row, 0.03, colours.cell)
    ends = ((0, 0, columns, 0), (columns, 0, columns, rows), (0, rows, columns, rows), (0, 0, 0, rows))
    for owner, side in zip(ground.sides, ends, strict=True):
        if owner is not None:
            picture.line(*side, 0.1, colours.stones[owner])


def _hexagons(picture: Picture, ground: Ground, colours: Look) -> None:
    """The empty cells, and the sides that are somebody's as strokes along their outer edges."""
    for cell in range(ground.cells):
        if ground.colour(cell) == "off":
            continue
        fill = FIELDS.get(ground.colour(cell), colours.board)
        points = " ".join(f"{x:.4g},{y:.4g}" for x, y in hexagon(ground, cell))
        picture.shape(points, fill=fill, stroke=colours.cell, stroke_width=0.03)
    for owner, ends in owned_edges(ground):
        picture.line(*ends, 0.12, colours.stones[owner])


def _pits(picture: Picture, shown: Scene, colours: Look) -> None:
    width, height = shown.ground.size
    picture.box(-0.12, -0.12, width + 0.24, height + 0.24, rx=0.4, fill=colours.board)
    for cell, piece in shown.pieces.items():
        fill = FIELDS["light"] if piece.owner is None else TINTS[piece.owner]
        rim = colours.cell if piece.owner is None else colours.rims[piece.owner]
        picture.circle(*shown.ground.middle(cell), 0.86, fill=fill, stroke=rim, stroke_width=0.05)


def _coordinates(picture: Picture, position: Position) -> tuple[float, float]:
    """The names of rows and columns; how much room they take on the left and below."""
    ground, notation = position.game.ground, position.game.notation
    if notation == "numbers" or position.game.cell_of_action is None:
        return 0.0, 0.0
    _, height = ground.size
    for column in range(ground.columns):
        name = str(column + 1) if notation == "columns" else column_letters(column)
        x, _ = ground.middle((ground.rows - 1) * ground.columns + column)
        picture.label(x, height + 0.36, name)
    if notation == "columns":
        return 0.0, 0.4
    for row in range(ground.rows):
        x, y = ground.middle(row * ground.columns)
        picture.label(x - 0.86, y, ground.row_name(row))
    return 0.4, 0.4


# ---- edges between dots -------------------------------------------------------------------------------------
def _dots(position: Position) -> str:
    game, colours, picture = position.game, look(position.game), Picture(position, BOX)
    _, rows, columns = game.planes_shape
    drawn = position.planes()[-1]
    assert game.cell_of_action is not None  # `board` has seen to it
    width, height = columns // 2, rows // 2
    picture.box(-0.3, -0.3, width + 0.6, height + 0.6, rx=0.2, fill=colours.board)
    for (row, column), owner in boxes(position).items():
        x, y = column / 2, row / 2
        picture.box(x - 0.5, y - 0.5, 1, 1, fill=colours.cell if owner is None else TINTS[owner])
        if owner is not None:
            picture.box(x - 0.21, y - 0.21, 0.42, 0.42, rx=0.08, fill=colours.stones[owner])
            picture.sign(owner, x, y, 0.42, colours.marks[owner])
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
            picture.box(x - 0.17, y - 0.12, 0.34, 0.24, fill=colours.board)
            picture.label(x, y, str(action), 0.2)
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
