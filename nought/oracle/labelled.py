"""Labelled positions: with the exact worth of every move, from a CSV file (docs/guide/strength.md has the columns)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from nought.errors import NoughtError
from nought.games import Game, Position
from nought.games.notation import parse_move, parse_moves
from nought.oracle.truth import Truth, ahead, truth

BUILT_IN = Path(__file__).with_name("positions")

Row = dict[str, str]


class Labelled(NamedTuple):
    """A position and the truth about it."""

    position: Position
    category: str
    truth: Truth


def built_in_name(game: Game) -> str:
    """What the test set of a game is called: connect4-6x7x4.csv."""
    size = "-" + "x".join(map(str, game.size)) if game.size else ""
    return f"{Path(game.base).name}{size}.csv"


def built_in_positions(game: Game) -> Path | None:
    """The test set that comes with the package for this game."""
    path = BUILT_IN / built_in_name(game)
    return path if path.is_file() else None


def read_positions(path: Path, game: Game) -> list[Labelled]:
    """The positions of a file; a NoughtError says in which line something is wrong."""
    labelled = []
    for line, row in _rows(path):
        try:
            labelled.append(_labelled(row, game))
        except NoughtError as error:
            raise NoughtError(f"{path}, line {line}: {error}") from None
    if not labelled:
        raise NoughtError(f"{path} has no positions")
    return labelled


def _rows(path: Path) -> Iterator[tuple[int, Row]]:
    """The rows with the numbers of their lines."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise NoughtError(f"there is no file {path}") from None
    except OSError as error:
        raise NoughtError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise NoughtError(f"{path} is not a text file") from None
    reader = csv.DictReader(io.StringIO(text), strict=True)
    try:
        columns = reader.fieldnames or []
        if "moves" not in columns or not {"s1", "edge_values", "scores"} & set(columns):
            raise NoughtError(
                f"{path}, line 1: labelled positions have the columns moves and s1 s2 …, edge_values or scores"
            )
        for row in reader:
            if None in row or None in row.values():
                how = "more" if None in row else "fewer"
                raise NoughtError(f"{path}, line {reader.line_num}: it has {how} fields than line 1")
            yield reader.line_num, row
    except csv.Error as error:
        raise NoughtError(f"{path}, line {reader.reader.line_num}: not CSV: {error}") from None


def _labelled(row: Row, game: Game) -> Labelled:
    if "board" in row and row["board"] != (size := "x".join(map(str, game.size))):
        raise NoughtError(f"the board is {row['board']}, that of {game.name} is {size}")
    position = game.position(parse_moves(game, row["moves"]))
    if position.finished:
        raise NoughtError("the game is over: there is nothing to choose")
    scores = _scores(row, position)
    if sorted(scores) != position.legal:
        raise NoughtError(
            f"it scores {len(scores)} moves, and not exactly the {len(position.legal)} legal ones"
        )
    # Boxes are counted from here on, other scores tell how the game ends.
    found = truth(scores, ahead(position) if "edge_values" in row else 0)
    for column, expected in (
        ("value", found.score), ("outcome", found.outcome), ("net_so_far", ahead(position))
    ):  # fmt: skip
        if column in row and _number(row, column) != expected:
            raise NoughtError(f"{column} is {row[column]}, but by its moves and scores it is {expected}")
    return Labelled(position, row.get("category") or stage(position), found)


def _scores(row: Row, position: Position) -> dict[int, int]:
    """The score of every move, from any of the three kinds of columns in which files have them."""
    game = position.game
    if "s1" in row:
        names = {move: f"s{move + 1}" for move in range(game.actions)}
        if missing := [name for name in names.values() if name not in row]:
            raise NoughtError(f"there is no column {missing[0]}, which {game.name} needs")
        return {move: _number(row, name) for move, name in names.items() if row[name] != ""}
    column = "edge_values" if "edge_values" in row else "scores"
    scores = {}
    for word in row[column].split():
        match = re.fullmatch(r"(\S+?):(-?\d{1,6})", word, re.ASCII)
        if match is None:
            raise NoughtError(f"{column} has {word[:20]!r}, where MOVE:SCORE is expected")
        scores[parse_move(position, match[1])] = int(match[2])
    return scores


def _number(row: Row, column: str) -> int:
    if not re.fullmatch(r"-?\d{1,6}", row[column], re.ASCII):
        raise NoughtError(f"{column} is {row[column][:20]!r}, where a whole number is expected")
    return int(row[column])


def stage(position: Position) -> str:
    """The third of the longest game in which the position is."""
    return ("begin", "middle", "end")[min(2, 3 * len(position.moves) // position.game.longest)]
