"""Moves as text: columns `44325`, squares `f5d6c3`, or numbers `0 7 12`. Whether a move is legal is not asked."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nought.errors import NoughtError
from nought.games.game import Game

SEPARATORS = " \t\r\n,;"
ONE_DIGIT = 9  # boards with no more columns are written without spaces


def format_move(game: Game, action: int) -> str:
    """The move as people write it."""
    if not 0 <= action < game.actions:
        raise NoughtError(f"{game.name}: there is no move {action}; moves are 0 to {game.actions - 1}")
    if game.notation == "columns":
        return str(action + 1)
    if game.notation == "squares":
        return square(int(_cells(game)[action]), game.planes_shape[2])
    return str(action)


def format_moves(game: Game, actions: Iterable[int]) -> str:
    """A game or line of play: `44325`, `f5d6c3` or `0 7 12`."""
    return ("" if _joined(game) else " ").join(format_move(game, action) for action in actions)


def parse_moves(game: Game, text: str) -> list[int]:
    """The moves in `text`; spaces and commas between them are optional where they can be."""
    if game.notation == "squares":
        columns = game.planes_shape[2]
        action_of = {square(int(cell), columns): action for action, cell in enumerate(_cells(game))}
        pattern, kind = "[a-zA-Z]+[0-9]+", "square"
    else:
        first = 1 if game.notation == "columns" else 0
        action_of = {str(first + action): action for action in range(game.actions)}
        pattern, kind = ("[0-9]" if _joined(game) else "[0-9]+"), "column" if first else "number"
    moves: list[int] = []
    at = _skip(text, 0)
    while at < len(text):
        match = re.compile(pattern).match(text, at)
        word = match[0] if match else re.split(f"[{SEPARATORS}]", text[at:], maxsplit=1)[0]
        action = action_of.get(re.sub("(^|[a-z])0+(?=[0-9])", r"\1", word.lower())) if match else None
        if action is None:
            shown = word if len(word) <= 20 else word[:20] + "…"
            where = f"move {len(moves) + 1}, at character {at + 1}: " if moves or at else ""
            raise NoughtError(f"{game.name}: {where}{shown!r} is not a {kind} {_range(game)}")
        moves.append(action)
        at = _skip(text, at + len(word))
    return moves


def parse_move(game: Game, text: str) -> int:
    """The one move in `text`."""
    moves = parse_moves(game, text)
    if len(moves) != 1:
        raise NoughtError(f"{game.name}: one move is expected, {_range(game)}, not {len(moves)}")
    return moves[0]


def column_letters(column: int) -> str:
    """The letters of a column: a to z, then aa, ab and so on."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def square(cell: int, columns: int) -> str:
    """The name of a cell: the letter of its column and the number of its row, from the top."""
    return f"{column_letters(cell % columns)}{cell // columns + 1}"


def _cells(game: Game) -> list[int]:
    cells = game.cell_of_action
    if cells is None or len(set(cells.tolist())) < game.actions:
        raise NoughtError(
            f'{game.name}: NOTATION "squares" needs a CELL_OF_ACTION with a cell for each action'
        )
    return [int(cell) for cell in cells]


def _joined(game: Game) -> bool:
    """Whether moves are written without spaces between them."""
    return game.notation == "squares" or (game.notation == "columns" and game.actions <= ONE_DIGIT)


def _range(game: Game) -> str:
    if game.notation == "squares":
        _, rows, columns = game.planes_shape
        return f"(a1 to {square(rows * columns - 1, columns)})"
    return f"({format_move(game, 0)} to {format_move(game, game.actions - 1)})"


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in SEPARATORS:
        at += 1
    return at
