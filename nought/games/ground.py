"""What a game's file says about its board and its moves for people: shape, names and colours of cells, whose the sides
are, where a move begins and ends. All of it is optional, and none of it is part of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nought.errors import NoughtError

if TYPE_CHECKING:
    from nought.games.game import Game

NOTATIONS = ("squares", "moves", "columns", "numbers")
NAMES = "names"  #   the notation of a game with a `move_text` of its own
SHAPES = ("stones", "hexagons", "pits", "dots")
TEXT = "text"  #     the shape of a board that only the game itself can draw
CORNERS = ("top left", "bottom left")
COLOURS = ("plain", "light", "dark", "first", "second", "off")
SIDES = ("top", "right", "bottom", "left")
SLANT = sqrt(3) / 2  # from row to row of hexagons, in widths of one


@dataclass(frozen=True)
class Ground:
    """An empty board. Cells are numbered row by row from the upper left one, as player 0 sees them."""

    shape: str  #                              of SHAPES, or TEXT
    rows: int
    columns: int
    a1: str = CORNERS[0]  #                    where the cell is that is called a1
    colours: tuple[str, ...] = ()  #           [cells] of COLOURS; empty: all plain
    sides: tuple[int | None, ...] = (None,) * 4  # which player's are the top, right, bottom and left

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    def colour(self, cell: int) -> str:
        """The word for a cell's colour; "off" for a place that is not part of the board."""
        return self.colours[cell] if self.colours else COLOURS[0]

    def row_name(self, row: int) -> str:
        """The number of a row, counted from the top, whichever end row 1 is at."""
        return str(row + 1 if self.a1 == CORNERS[0] else self.rows - row)

    def square(self, cell: int) -> str:
        """The name of a cell: the letters of its column and the number of its row."""
        return f"{column_letters(cell % self.columns)}{self.row_name(cell // self.columns)}"

    def middle(self, cell: int) -> tuple[float, float]:
        """Across and down to the middle of a cell, in cells from the upper left corner."""
        row, column = divmod(cell, self.columns)
        if self.shape == "hexagons":
            return column + 0.5 + row / 2, row * SLANT + 1 / sqrt(3)
        return column + 0.5, row + 0.5

    @property
    def size(self) -> tuple[float, float]:
        """How wide and how high the board is, in cells."""
        if self.shape == "hexagons":
            return self.columns + (self.rows - 1) / 2, (self.rows - 1) * SLANT + 2 / sqrt(3)
        return float(self.columns), float(self.rows)


def column_letters(column: int) -> str:
    """The letters of a column: a to z, then aa, ab and so on."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


# ---- hexagons -----------------------------------------------------------------------------------------------
Point = tuple[float, float]


def hexagon(ground: Ground, cell: int) -> list[Point]:
    """The corners of a cell, clockwise from the top."""
    x, y = ground.middle(cell)
    high, flat = 1 / sqrt(3), 1 / (2 * sqrt(3))
    return [
        (x, y - high),
        (x + 0.5, y - flat),
        (x + 0.5, y + flat),
        (x, y + high),
        (x - 0.5, y + flat),
        (x - 0.5, y - flat),
    ]


def owned_edges(ground: Ground) -> list[tuple[int, tuple[float, float, float, float]]]:
    """The outer edges of the cells along each side that is somebody's: whose, and the ends of the edge."""
    rows, columns = ground.rows, ground.columns
    along = {  # the cells of a side, and which of their edges are the outer ones
        "top": (range(columns), (5, 0)),
        "right": (range(columns - 1, rows * columns, columns), (0, 1)),
        "bottom": (range((rows - 1) * columns, rows * columns), (2, 3)),
        "left": (range(0, rows * columns, columns), (3, 4)),
    }
    found: dict[tuple[float, float, float, float], int] = {}
    for side, owner in zip(SIDES, ground.sides, strict=True):
        if owner is None:
            continue
        for cell in along[side][0]:
            corners = hexagon(ground, cell)
            for edge in along[side][1]:
                found.setdefault((*corners[edge], *corners[(edge + 1) % 6]), owner)
    return [(owner, ends) for ends, owner in found.items()]


# ---- the facts of a game's file -------------------------------------------------------------------------------
def ground_of(game: Game) -> Ground:
    """The board that a game's file describes; squares, as many as the planes have, where it says nothing."""
    rules = game.rules
    rows, columns = _grid(game)
    a1 = _one_of(game, "BOARD_A1", CORNERS, CORNERS[0])
    return Ground(_shape(game), rows, columns, a1, _colours(game, rows, columns), _sides(game, rules))


def _grid(game: Game) -> tuple[int, int]:
    given = getattr(game.rules, "BOARD_SIZE", game.planes_shape[1:])
    try:
        rows, columns = (int(n) for n in given)
    except (TypeError, ValueError):
        rows = columns = 0
    if min(rows, columns) < 1:
        raise NoughtError(
            f"{game.name}: BOARD_SIZE is (rows, columns) of the board that is drawn, not {given!r}"
        )
    if (rows, columns) != game.planes_shape[1:] and not hasattr(game.rules, "picture"):
        raise NoughtError(
            f"{game.name}: BOARD_SIZE differs from PLANES, so that picture(state) must say what is on it"
        )
    return rows, columns


def _shape(game: Game) -> str:
    only_text = hasattr(game.rules, "text") and not hasattr(game.rules, "picture")
    shape = _one_of(game, "BOARD", SHAPES, TEXT if only_text else SHAPES[0])
    if shape == "dots" and (game.cell_of_action is None or game.cell_of_action.min() < 0):
        raise NoughtError(f'{game.name}: BOARD "dots" needs CELL_OF_ACTION: the cell of each edge')
    if shape == "pits" and not hasattr(game.rules, "picture"):
        raise NoughtError(f'{game.name}: BOARD "pits" needs picture(state): what is in each pit')
    return shape


def _colours(game: Game, rows: int, columns: int) -> tuple[str, ...]:
    given = getattr(game.rules, "BOARD_COLOURS", "plain")
    cells = range(rows * columns)
    if given == "checkered":  # the corner at the lower left is dark, as in chess
        return tuple(
            "light" if (cell // columns + cell % columns + rows) % 2 == 0 else "dark" for cell in cells
        )
    if given == "plain":
        return ()
    if isinstance(given, str) or len(given) != len(cells) or any(word not in COLOURS for word in given):
        raise NoughtError(
            f'{game.name}: BOARD_COLOURS is "plain", "checkered" or one word for each of the {len(cells)} cells: '
            + ", ".join(COLOURS)
        )
    return tuple(given)


def _sides(game: Game, rules: Any) -> tuple[int | None, ...]:
    given = getattr(rules, "BOARD_SIDES", (None,) * 4)
    if not isinstance(given, tuple | list) or len(given) != 4 or any(s not in (0, 1, None) for s in given):
        raise NoughtError(
            f"{game.name}: BOARD_SIDES is whose are the {', '.join(SIDES)}: 0, 1 or None for each"
        )
    return tuple(given)


def _one_of(game: Game, fact: str, words: tuple[str, ...], default: str) -> str:
    given = getattr(game.rules, fact, default)
    if given not in (*words, default):
        raise NoughtError(f"{game.name}: {fact} is {', '.join(words)}, not {given!r}")
    return str(given)


def notation_of(game: Game) -> str:
    """How moves are written: one of NOTATIONS, or NAMES."""
    if hasattr(game.rules, "move_text"):
        return NAMES
    default = "numbers"
    if game.origin_of_action is not None:
        default = "moves"
    elif game.cell_of_action is not None and _a_square_each(game.cell_of_action):
        default = "squares"
    kind = _one_of(game, "NOTATION", NOTATIONS, default)
    if kind == "columns" and game.turned is not None:
        raise NoughtError(f'{game.name}: NOTATION "columns" is for boards that are not turned')
    if kind == "squares" and (game.cell_of_action is None or not _a_square_each(game.cell_of_action)):
        raise NoughtError(
            f'{game.name}: NOTATION "squares" needs a CELL_OF_ACTION with a cell for each action'
        )
    if kind == "moves" and (game.cell_of_action is None or game.origin_of_action is None):
        raise NoughtError(f'{game.name}: NOTATION "moves" needs ORIGIN_OF_ACTION and CELL_OF_ACTION')
    return kind


def _a_square_each(cells: NDArray[np.intp]) -> bool:
    """Whether each action has a cell of its own; one of them may have none: a pass."""
    return len(set(cells.tolist())) == len(cells)


def cells_of_actions(game: Game, fact: str) -> NDArray[np.intp] | None:
    """[actions] a fact that names a cell for each action, -1 for those without one; None when the game does not say."""
    rows, columns = _grid(game)
    given = getattr(game.rules, fact, None)
    if given is None:
        every_cell = fact == "CELL_OF_ACTION" and game.actions == rows * columns
        return np.arange(game.actions) if every_cell else None
    try:
        cells = np.array(list(given), np.intp)
    except (TypeError, ValueError):
        cells = np.array([-2], np.intp)
    if cells.shape != (game.actions,) or cells.min() < -1 or cells.max() >= rows * columns:
        raise NoughtError(
            f"{game.name}: {fact} must give a cell, 0 to {rows * columns - 1}, for each action "
            "(-1 where it has none)"
        )
    return cells


def turned_cells(game: Game) -> NDArray[np.intp] | None:
    """[cells] where a cell stands that player 1 sees as number i; None where both see the same board."""
    given = getattr(game.rules, "BOARD_TURNED", None)
    if given is None:
        return None
    rows, columns = _grid(game)
    grid = np.arange(rows * columns).reshape(rows, columns)
    if isinstance(given, str):
        seen = {"half": grid[::-1, ::-1], "flip": grid[::-1]}.get(given)
        if seen is not None:
            return seen.reshape(-1).copy()
    else:
        try:
            cells = np.array(list(given), np.intp)
        except (TypeError, ValueError):
            cells = np.array([], np.intp)
        if sorted(cells.tolist()) == list(range(rows * columns)):
            return cells
    raise NoughtError(
        f'{game.name}: BOARD_TURNED is "half" (half a turn), "flip" (upside down) or a list that says on which cell each '
        "one stands that player 1 sees"
    )
