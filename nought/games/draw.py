"""Positions drawn for a terminal, for any game: in colour, and as plain text that says the same."""

from __future__ import annotations

from rich.text import Text

from nought.games.board import Scene, boxes, legal_marks, own_text, scene
from nought.games.game import Position
from nought.games.ground import NAMES, SIDES, Ground, column_letters

STONES = ("X", "O")  # of players 0 and 1: told apart by shape, not only by colour
STYLES = ("bold #d75f00", "bold #0087d7")  # orange and blue, legible on black and on white
QUIET, HINT, LAST, WON = "dim", "green", "bold", " reverse"
WIDEST = 80  # beyond which a board of dots is drawn narrower


def draw(position: Position, *, hints: bool = True) -> Text:
    """The board with coordinates as moves are written, the last move marked and, with `hints`, the legal moves."""
    text = own_text(position)
    if text is not None:
        return Text(text)
    return _dots(position, hints) if position.game.board == "dots" else _cells(position, hints)


def status(position: Position) -> Text:
    """One line: who is to move or who won, and the points in games that count them."""
    ahead = position.margin if position.game.counts_points else 0
    if not position.finished:
        leads = Text.assemble(" · ", stone(0 if ahead > 0 else 1), f" leads by {abs(ahead)}") if ahead else ""
        return Text.assemble(stone(position.player), " to move", leads)
    if position.result == 0:
        return Text("drawn")
    return Text.assemble(stone(0 if position.result > 0 else 1), f" won by {abs(ahead)}" if ahead else " won")


def stone(player: int) -> tuple[str, str]:
    """A player's letter and its style."""
    return STONES[player], STYLES[player]


class Canvas:
    """Characters with their styles, by line and column."""

    def __init__(self) -> None:
        self.marks: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, line: int, end: int, text: str, style: str) -> None:
        """Write `text` so that its last character stands in column `end`."""
        for i, character in enumerate(reversed(text)):
            self.marks[line, end - i] = character, style

    def text(self) -> Text:
        lines = []
        for line in range(max(line for line, _ in self.marks) + 1):
            end = max((column for at, column in self.marks if at == line), default=-1)
            lines.append(Text.assemble(*(self.marks.get((line, column), " ") for column in range(end + 1))))
        return Text("\n").join(lines)


# ---- pieces on cells ----------------------------------------------------------------------------------------
def _cells(position: Position, hints: bool) -> Text:
    """Squares, hexagons or pits with what stands on them."""
    shown, drops = scene(position), position.game.notation == "columns"
    grid = _Grid(position, shown, legal_marks(position, shown) if hints else {})
    canvas = Canvas()
    for cell in range(shown.ground.cells):
        canvas.put(*grid.at(cell), *grid.mark(cell))
    if shown.last is not None:
        line, end = grid.at(shown.last)
        canvas.put(line, end - grid.width_at(shown.last), "(", LAST)
        canvas.put(line, end + 1, ")", LAST)
    if grid.named:
        grid.put_names(canvas)
    if drops:
        _frame(canvas, grid)
    return Text("\n").join([canvas.text(), *_whose_sides(shown.ground)])


class _Grid:
    """Where the cells of a board stand in lines of text, and what is written there."""

    def __init__(self, position: Position, shown: Scene, legal: dict[int, str]) -> None:
        self.shown, self.ground, self.legal = shown, shown.ground, legal
        game, columns = position.game, shown.ground.columns
        self.drops = game.notation == "columns"
        # a board whose moves are numbers has them in its cells
        self.named = game.cell_of_action is not None and game.notation in ("squares", "moves", NAMES)
        self.across = [column_letters(column) if self.named else str(column + 1) for column in range(columns)]
        labels = [piece.label for piece in shown.pieces.values()]
        heads = self.across if self.named or self.drops else []
        self.pitch = 1 + max(len(label) for label in [*heads, *legal.values(), *labels, "X"])
        self.pitch += shown.ground.shape == "pits"
        slanted = shown.ground.shape == "hexagons"
        self.pitch += slanted and self.pitch % 2  # so that half of it is a number of letters
        self.slant = self.pitch // 2 if slanted else 0
        self.top = 1 if self.named else 0
        self.left = len(str(shown.ground.rows)) if self.named else 2 if self.drops else 0

    def at(self, cell: int) -> tuple[int, int]:
        """The line of a cell, and where its last letter stands."""
        row, column = divmod(cell, self.ground.columns)
        return self.top + row, self.left - 1 + self.pitch * (column + 1) + self.slant * row

    def width_at(self, cell: int) -> int:
        return len(self.mark(cell)[0])

    def mark(self, cell: int) -> tuple[str, str]:
        """What is written on a cell, and its style."""
        piece, won = self.shown.pieces.get(cell), WON if cell in self.shown.won else ""
        if piece is not None and piece.owner is not None:
            mark, style = stone(piece.owner)
            return owned_label(piece.owner, piece.label) or mark, style + won
        if piece is not None:
            return piece.label, "bold" + won
        if cell in self.legal:
            return self.legal[cell], HINT
        colour = self.ground.colour(cell)
        if colour == "off" or self.ground.shape == "pits":
            return "", ""
        if cell == self.shown.came_from:
            return "∘", LAST
        return "·", {"first": STYLES[0], "second": STYLES[1]}.get(colour, QUIET)

    def put_names(self, canvas: Canvas) -> None:
        """The letters of the columns above the board, the numbers of the rows at its left."""
        for column, name in enumerate(self.across):
            canvas.put(0, self.at(column)[1], name, QUIET)
        for row in range(self.ground.rows):
            name = self.ground.row_name(row).rjust(self.left)
            canvas.put(self.top + row, self.left - 1 + self.slant * row, name, QUIET)


def owned_label(player: int, label: str) -> str:
    """A label that tells its owner without colour: the first player's letters are large, the second one's small."""
    return label.upper() if player == 0 else label.lower()


def _frame(canvas: Canvas, grid: _Grid) -> None:
    """A frame into which stones are dropped, with the numbers of its columns below."""
    rows, last = grid.ground.rows, grid.at(grid.ground.columns - 1)[1]
    for row in range(rows):
        canvas.put(row, 1, "│", QUIET)
        canvas.put(row, last + 2, "│", QUIET)
    canvas.put(rows, last + 2, "└" + "─" * last + "┘", QUIET)
    for column, name in enumerate(grid.across):
        canvas.put(rows + 1, grid.at(column)[1], name, QUIET)


def _whose_sides(ground: Ground) -> list[Text]:
    """One line that says whose the sides are, where they are somebody's."""
    parts = []
    for player in (0, 1):
        owners = dict(zip(SIDES, ground.sides, strict=True))
        sides = [side for side in ("top", "bottom", "left", "right") if owners[side] == player]
        if sides:
            parts.append(Text.assemble(stone(player), (f": {' and '.join(sides)}", QUIET)))
    return [Text(" · ", QUIET).join(parts)] if parts else []


# ---- edges between dots -------------------------------------------------------------------------------------
def _dots(position: Position, hints: bool) -> Text:
    game = position.game
    _, rows, columns = game.planes_shape
    drawn = position.planes()[-1]
    assert game.cell_of_action is not None  # `board` has seen to it
    digits = len(str(game.actions - 1))
    pitch = digits + 3 if (digits + 3) * columns // 2 <= WIDEST else 4  # from dot to dot
    canvas = Canvas()
    for action, cell in enumerate(game.cell_of_action):
        row, column = divmod(int(cell), columns)
        middle = column * pitch // 2 + 1
        if drawn[row, column]:
            last = bool(position.moves) and action == position.moves[-1]
            if row % 2 == 0:
                line, end = ("━" if last else "─") * (pitch - 1), (column + 1) * pitch // 2
            else:
                line, end = "┃" if last else "│", middle
            canvas.put(row, end, line, LAST if last else "")
        elif hints:
            label = str(action)
            canvas.put(row, middle + len(label) // 2, label, QUIET)
    for row in range(0, rows, 2):
        for column in range(0, columns, 2):
            canvas.put(row, column * pitch // 2 + 1, "•", "")
    for (row, column), owner in boxes(position).items():
        canvas.put(row, column * pitch // 2 + 1, *(("■", QUIET) if owner is None else stone(owner)))
    return canvas.text()
