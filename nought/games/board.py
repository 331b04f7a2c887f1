"""What is to be seen on a board, for any game: whose pieces, the last move, the winning line, closed boxes.

A `Scene` holds all of it for boards of cells: the terminal, a notebook, the server and through it the page and the window
draw the same one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nought.errors import NoughtError
from nought.games.game import Position
from nought.games.ground import Ground
from nought.games.notation import format_move

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # row and column steps
LONGEST_LABEL = 4  # letters
Planes = NDArray[np.float32]


class Piece(NamedTuple):
    """Something on a cell: a player's, or with None nobody's; a stone, or what the label says."""

    owner: int | None
    label: str = ""


@dataclass(frozen=True)
class Scene:
    """A position as it stands on the table, whoever is to move. Cells are numbered as `Ground` says."""

    ground: Ground
    pieces: Mapping[int, Piece]  #   by cell
    came_from: int | None = None  #  where the last move began
    last: int | None = None  #       where it ended
    won: tuple[int, ...] = ()  #     the cells of the row that won
    text: str | None = None  #       the game's own drawing

    def owner(self, cell: int) -> int | None:
        """Whose piece is on a cell."""
        return self.pieces[cell].owner if cell in self.pieces else None

    def label(self, cell: int) -> str:
        """What is written on the piece on a cell."""
        return self.pieces[cell].label if cell in self.pieces else ""


def scene(position: Position) -> Scene:
    """What is to be seen of a position. A board of dots has no pieces: see `boxes`."""
    game = position.game
    found = {} if game.board in ("dots", "text") else pieces(position)
    owned = {cell: piece.owner for cell, piece in found.items() if piece.owner is not None}
    begin, end = last_cells(position, owned)
    return Scene(game.ground, found, begin, end, tuple(winning_line(position, owned)), own_text(position))


def own_text(position: Position) -> str | None:
    """The position as the game draws it by itself, if it does."""
    if not hasattr(position.game.rules, "text"):
        return None
    return str(position.game.call("text", position.state.copy())).rstrip("\n")


# ---- pieces -------------------------------------------------------------------------------------------------
def pieces(position: Position, planes: Planes | None = None) -> dict[int, Piece]:
    """What stands on which cell: what the game's `picture` says, or the stones in planes 0 and 1."""
    game = position.game
    if not hasattr(game.rules, "picture"):
        return {cell: Piece(owner) for cell, owner in owners(position, planes).items()}
    shown = game.call("picture", position.state.copy())
    if not isinstance(shown, list | tuple) or len(shown) != game.ground.cells:
        raise NoughtError(
            f"{game.name}: picture returns {_cut(shown)}, not a list of {game.ground.cells}: one thing for each cell"
        )
    found = {}
    for seen, thing in enumerate(shown):
        cell = game.place(seen, position.player)
        piece = _piece(position, seen, thing)
        if piece is not None and cell is not None:
            found[cell] = piece
    return found


def _piece(position: Position, cell: int, thing: Any) -> Piece | None:
    """None, a player, a label, or (player, label), as a game's `picture` may say."""
    owner, label = thing if isinstance(thing, tuple) and len(thing) == 2 else (thing, "")
    if isinstance(thing, str):
        owner, label = None, thing
    label = "" if label is None else str(label)
    if owner is not None and (isinstance(owner, bool | np.ndarray) or owner not in (0, 1)):
        raise NoughtError(
            f"{position.game.name}: picture has {_cut(thing)} on cell {cell}; a thing is None, a player (0 or 1), "
            "a label, or (player, label)"
        )
    if len(label) > LONGEST_LABEL:
        raise NoughtError(
            f"{position.game.name}: picture has the label {label[:20]!r} on cell {cell}; {LONGEST_LABEL} letters fit"
        )
    return Piece(None if owner is None else int(owner), label) if owner is not None or label else None


def _cut(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"


def owners(position: Position, planes: Planes | None = None) -> dict[int, int]:
    """Whose stone stands on a cell. Planes 0 and 1 are the mover's and the opponent's by custom. `planes`: those of the
    position, where they are known already."""
    game, player = position.game, position.player
    planes = position.planes() if planes is None else planes
    stones = planes[:2].reshape(-1, game.planes_shape[1] * game.planes_shape[2])
    found = {}
    for i, plane in enumerate(stones):
        for seen in plane.nonzero()[0]:
            cell = game.place(int(seen), player)
            assert cell is not None
            found[cell] = (player, 1 - player)[i]
    return found


# ---- moves --------------------------------------------------------------------------------------------------
def last_cells(position: Position, stones: Mapping[int, int] | None = None) -> tuple[int | None, int | None]:
    """Where the last move began and where it ended. `stones`: the owners, where they are known already."""
    game = position.game
    if not position.moves:
        return None, None
    mover = position.movers[-1] if position.movers else 0
    begin, end = (
        None if cells is None else game.place(int(cells[position.moves[-1]]), mover)
        for cells in (game.origin_of_action, game.cell_of_action)
    )
    if game.notation != "columns" or end is None:
        return begin, end
    stones = owners(position) if stones is None else stones
    # a dropped stone has come to rest below the cell of its action
    column = range(end, game.ground.cells, game.ground.columns)
    return None, next((below for below in column if below in stones), None)


def last_cell(position: Position, stones: Mapping[int, int] | None = None) -> int | None:
    """The cell on which the last move ended."""
    return last_cells(position, stones)[1]


def cells_of_move(position: Position, action: int) -> tuple[int | None, int | None]:
    """Where a legal move begins, and the cell that it would fill; None where the game does not say."""
    if position.game.notation == "columns":
        return None, last_cell(position.play(action))
    begin, end = position.cells_of(action)
    return (begin, end) if end is not None else (None, begin)  # what begins only is shown where it begins


def winning_line(position: Position, stones: Mapping[int, int]) -> list[int]:
    """The cells of the row, or rows, that won; none in games whose file does not say how long a row wins."""
    length = getattr(position.game.rules, "LENGTH", None)
    if not isinstance(length, int) or not position.finished or position.result == 0:
        return []
    last = last_cell(position, stones)
    if last is None or last not in stones:
        return []
    cells: set[int] = set()
    for direction in DIRECTIONS:
        row = _row_through(position.game.ground, stones, last, direction)
        cells |= set(row) if len(row) >= length else set()
    return sorted(cells)


def _row_through(
    ground: Ground, stones: Mapping[int, int], cell: int, direction: tuple[int, int]
) -> list[int]:
    """The cells in a straight line through `cell` that hold stones of the same player."""
    found = [cell]
    for way in (1, -1):
        row, column = divmod(cell, ground.columns)
        while True:
            row, column = row + way * direction[0], column + way * direction[1]
            inside = 0 <= row < ground.rows and 0 <= column < ground.columns
            if not inside or stones.get(row * ground.columns + column) != stones[cell]:
                break
            found.append(row * ground.columns + column)
    return found


def legal_marks(position: Position, shown: Scene) -> dict[int, str]:
    """What to write on the cells of legal moves: their numbers, or a sign where some empty cells are not legal."""
    game = position.game
    if game.cell_of_action is None or game.origin_of_action is not None or game.notation == "columns":
        return {}
    moves = {cells_of_move(position, move)[1]: format_move(position, move) for move in position.legal}
    marks = {cell: name for cell, name in moves.items() if cell is not None and cell not in shown.pieces}
    if game.notation == "numbers":
        several = len(moves) < len(position.legal)  # moves on one cell, which then has no one number
        return {} if several else marks
    empty = {
        cell
        for cell in range(game.ground.cells)
        if cell not in shown.pieces and game.ground.colour(cell) != "off"
    }
    return dict.fromkeys(marks, "+") if set(marks) != empty else {}


# ---- dots and boxes -----------------------------------------------------------------------------------------
def boxes(position: Position) -> dict[tuple[int, int], int | None]:
    """The closed boxes, by place on the grid, and who closed them: known only from the moves, not from the state."""
    found: dict[tuple[int, int], int | None] = {}
    at = position.game.start()
    for move in position.moves:
        mover, at = at.player, at.play(move)
        found |= dict.fromkeys(_closed(at) - set(found), mover)
    closed = _closed(position)
    return found if set(found) == closed else dict.fromkeys(closed)


def _closed(position: Position) -> set[tuple[int, int]]:
    drawn = position.planes()[-1]
    _, rows, columns = position.game.planes_shape
    sides = ((-1, 0), (1, 0), (0, -1), (0, 1))
    inside = [(row, column) for row in range(1, rows, 2) for column in range(1, columns, 2)]
    return {(r, c) for r, c in inside if all(drawn[r + dr, c + dc] for dr, dc in sides)}
