"""Positions drawn for a terminal, for any game: in colour, and as plain text that says the same."""

from __future__ import annotations

from rich.text import Text

from nought.games.board import boxes, last_cell, legal_marks, owners, winning_line
from nought.games.game import Position
from nought.games.notation import column_letters

STONES = ("X", "O")  # of players 0 and 1: told apart by shape, not only by colour
STYLES = ("bold #d75f00", "bold #0087d7")  # orange and blue, legible on black and on white
QUIET, HINT, LAST, WON = "dim", "green", "bold", " reverse"
WIDEST = 80  # beyond which a board of dots is drawn narrower


def draw(position: Position, *, hints: bool = True) -> Text:
    """The board with coordinates as moves are written, the last move marked and, with `hints`, the legal moves."""
    if hasattr(position.game.rules, "text"):
        return Text(str(position.game.call("text", position.state.copy())).rstrip("\n"))
    return _dots(position, hints) if position.game.board == "dots" else _stones(position, hints)


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


# ---- stones on cells ----------------------------------------------------------------------------------------
def _stones(position: Position, hints: bool) -> Text:
    game = position.game
    _, rows, columns = game.planes_shape
    stones = owners(position)
    legal = legal_marks(position, stones) if hints else {}
    labels = {
        "squares": [column_letters(column) for column in range(columns)],
        "columns": [str(column + 1) for column in range(columns)],
        "numbers": [""] * columns,  # the numbers stand in the cells
    }[game.notation]
    width = 1 + max(len(label) for label in [*labels, *legal.values(), "X"])
    left = {"squares": len(str(rows)), "columns": 2, "numbers": 0}[game.notation]
    top = 1 if game.notation == "squares" else 0
    ends = [left - 1 + width * (column + 1) for column in range(columns)]

    canvas = Canvas()
    won = winning_line(position, stones)
    for cell in range(rows * columns):
        line, end = top + cell // columns, ends[cell % columns]
        if cell in stones:
            mark, style = stone(stones[cell])
            canvas.put(line, end, mark, style + WON if cell in won else style)
        else:
            canvas.put(line, end, *((legal[cell], HINT) if cell in legal else ("·", QUIET)))
    last = last_cell(position, stones)
    if last is not None:
        line, end = top + last // columns, ends[last % columns]
        canvas.put(line, end - 1, "(", LAST)
        canvas.put(line, end + 1, ")", LAST)

    for end, label in zip(ends, labels, strict=True):
        canvas.put(0 if top else rows + 1, end, label, QUIET)
    for row in range(rows):
        if game.notation == "squares":
            canvas.put(top + row, left - 1, str(row + 1).rjust(left), QUIET)
        elif game.notation == "columns":  # a frame into which stones are dropped
            canvas.put(row, 1, "│", QUIET)
            canvas.put(row, ends[-1] + 2, "│", QUIET)
    if game.notation == "columns":
        canvas.put(rows, ends[-1] + 2, "└" + "─" * ends[-1] + "┘", QUIET)
    return canvas.text()


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
