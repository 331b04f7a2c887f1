"""Moves as text, and text as moves: the one place for both.

Columns `44325`, squares `f5d6c3` and numbers `0 7 12` mean the same in every position. Moves from square to square,
`a2-b3`, names that a game gives its moves by itself, and everything on a board that is turned to the player to move
depend on the position: such moves are read one by one among the legal ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from nought.errors import NoughtError
from nought.games.game import Game, IllegalMove, Position
from nought.games.ground import NAMES, column_letters

SEPARATORS = " \t\r\n,;"
ONE_DIGIT = 9  # boards with no more columns are written without spaces
SHOWN_MOVES = 30  # that a message lists
PASS = "pass"  # the name of a move without a cell, where there is one such move
WORD = f"[^{SEPARATORS}]+"
SQUARE = "[a-zA-Z]+[0-9]+|[pP][aA][sS][sS]"


# ---- out ----------------------------------------------------------------------------------------------------
def format_move(position: Position, action: int) -> str:
    """The move as people write it."""
    game = position.game
    if not 0 <= action < game.actions:
        raise NoughtError(f"{game.name}: there is no move {action}; moves are 0 to {game.actions - 1}")
    if game.notation == "columns":
        return str(action + 1)
    if game.notation == "numbers":
        return str(action)
    if game.notation == NAMES:
        return _own_name(position, action)
    cells = [cell for cell in position.cells_of(action) if cell is not None]
    if cells:
        return "-".join(game.ground.square(cell) for cell in cells)
    return PASS if passes(game) == 1 else str(action)


def move_names(position: Position, actions: Iterable[int]) -> list[str]:
    """The names of moves that are played one after the other from this position on."""
    names = []
    for action in actions:
        names.append(format_move(position, action))
        if not is_fixed(position.game):
            position = position.play(action)
    return names


def format_line(position: Position, actions: Iterable[int]) -> str:
    """A line of play from this position on: `325`, `c3d2`, `a2-b3 b5-b4` or `7 12`."""
    return ("" if _joined(position.game) else " ").join(move_names(position, actions))


def format_moves(game: Game, actions: Iterable[int]) -> str:
    """A game from its start."""
    return format_line(_before_all(game), actions)


def _before_all(game: Game) -> Position:
    """A position in which a game's first move can be named; the rules are asked only where that depends on them."""
    return Position(game, game.zero_state()) if is_fixed(game) else game.start()


def legal_names(position: Position, most: int = SHOWN_MOVES) -> str:
    """The legal moves, or the first ones of many."""
    shown = " ".join(format_move(position, move) for move in position.legal[:most])
    return shown + (" …" if len(position.legal) > most else "")


def how_written(position: Position) -> str:
    """How one writes a move, for somebody who is to make one here: `like a2-b3; a1 is at the bottom left`."""
    game = position.game
    where = f"; a1 is at the {game.ground.a1}" if game.notation in ("squares", "moves") else ""
    return f"like {format_move(position, position.legal[0])}{where}" if position.legal else ""


def is_fixed(game: Game) -> bool:
    """Whether a move is called the same in every position."""
    turned = game.notation == "squares" and game.turned is not None
    return game.notation not in ("moves", NAMES) and not turned


def _own_name(position: Position, action: int) -> str:
    name = position.game.call("move_text", position.state.copy(), action)
    if not isinstance(name, str):
        raise NoughtError(f"{position.game.name}: move_text returns {name!r}, not a text")
    return name


@lru_cache(maxsize=64)
def passes(game: Game) -> int:
    """How many actions have no cell."""
    ends, begins = game.cell_of_action, game.origin_of_action
    return sum(
        bool((ends is None or ends[action] < 0) and (begins is None or begins[action] < 0))
        for action in range(game.actions)
    )


# ---- in -----------------------------------------------------------------------------------------------------
def parse_moves(game: Game, text: str) -> list[int]:
    """The moves in `text`, a game from its start."""
    return _parse_fixed(game, text) if is_fixed(game) else parse_line(game.start(), text)


def parse_line(position: Position, text: str) -> list[int]:
    """The moves in `text`, played from this position on; spaces and commas between them are optional where they can
    be. Whether they are legal is asked only where they could not be read otherwise."""
    game, moves = position.game, []
    if is_fixed(game):
        return _parse_fixed(game, text)
    for word in re.finditer(f"{SQUARE}|{WORD}" if _joined(game) else WORD, text):
        try:
            moves.append(_legal(position, word[0]))
        except IllegalMove as error:
            where = f"move {len(moves) + 1}, at character {word.start() + 1}: " if moves else ""
            raise IllegalMove(f"{game.name}: {where}{error}") from None
        position = position.play(moves[-1])
    return moves


def parse_move(position: Position, text: str) -> int:
    """The one move in `text`; an error says how a move that is legal here is written."""
    game = position.game
    words = re.findall(WORD, text)
    try:
        if is_fixed(game):
            moves = _parse_fixed(game, text)
        else:
            moves = [_legal(position, words[0])] if len(words) == 1 else [-1] * len(words)
    except IllegalMove as error:
        raise IllegalMove(f"{game.name}: {error}") from None
    except NoughtError as error:
        raise NoughtError(f"{error}{_example(position)}") from None
    if len(moves) != 1:
        raise NoughtError(f"{game.name}: one move is expected, not {len(moves)}{_example(position)}")
    return moves[0]


def _example(position: Position) -> str:
    return f"; for example {format_move(position, position.legal[0])}" if position.legal else ""


def _legal(position: Position, word: str) -> int:
    """The legal move of this name."""
    known = {format_move(position, move).casefold(): move for move in position.legal}
    name = word.casefold()
    if name not in known and position.game.notation == "moves":  # a2b3 and a2xb3 are a2-b3
        name = re.sub("^([a-z]+[0-9]+)x?([a-z]+[0-9]+)$", r"\1-\2", name)
    if name not in known:
        why = f"legal: {legal_names(position)}" if position.legal else "the game is over"
        raise IllegalMove(f"{_short(word)!r} is not a legal move here; {why}")
    return known[name]


def _parse_fixed(game: Game, text: str) -> list[int]:
    action_of = _fixed_names(game)
    if game.notation == "squares":
        pattern, kind = SQUARE, "square"
    else:
        pattern = "[0-9]" if _joined(game) else "[0-9]+"
        kind = "column" if game.notation == "columns" else "number"
    moves: list[int] = []
    at = _skip(text, 0)
    while at < len(text):
        match = re.compile(pattern).match(text, at)
        word = match[0] if match else re.split(f"[{SEPARATORS}]", text[at:], maxsplit=1)[0]
        action = action_of.get(re.sub("(^|[a-z])0+(?=[0-9])", r"\1", word.lower())) if match else None
        if action is None:
            where = f"move {len(moves) + 1}, at character {at + 1}: " if moves or at else ""
            raise NoughtError(f"{game.name}: {where}{_short(word)!r} is not a {kind} {_range(game)}")
        moves.append(action)
        at = _skip(text, at + len(word))
    return moves


@lru_cache(maxsize=64)
def _fixed_names(game: Game) -> dict[str, int]:
    """The moves of a game by their names, where those are the same in every position."""
    start = _before_all(game)
    return {format_move(start, action): action for action in range(game.actions)}


def _joined(game: Game) -> bool:
    """Whether moves are written without spaces between them."""
    return game.notation == "squares" or (game.notation == "columns" and game.actions <= ONE_DIGIT)


def _range(game: Game) -> str:
    if game.notation == "squares":
        last = f"{column_letters(game.ground.columns - 1)}{game.ground.rows}"
        return f"(a1 to {last}{', or pass' if passes(game) else ''})"
    first = 1 if game.notation == "columns" else 0
    return f"({first} to {game.actions - 1 + first})"


def _short(word: str) -> str:
    return word if len(word) <= 20 else word[:20] + "…"


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in SEPARATORS:
        at += 1
    return at
