"""Games as files: a line of JSON each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nought.errors import NoughtError, Untrusted
from nought.games import Game, Position
from nought.games.notation import parse_line
from nought.games.registry import load_found
from nought.selfplay.notes import Notes, read_notes
from nought.selfplay.worker import PlayedGame


@dataclass(frozen=True)
class GameRecord:
    """A game that can be stepped through."""

    game: Game
    start: Position  #              where the record begins
    moves: tuple[int, ...]
    values: tuple[float, ...]  #    the search's before each move, for player 0; may be empty
    result: float | None
    notes: Notes = ()  #            what the search had found before each move, of a tournament

    def positions(self) -> Iterator[Position]:
        """All positions, the first and the last included."""
        position = self.start
        yield position
        for move in self.moves:
            position = position.play(move)
            yield position


def to_line(game: str, played: PlayedGame) -> str:
    """A finished game of self-play as a line; `game` is the name by which its rules are found again."""
    line: dict[str, Any] = {"game": game, "moves": played.actions, "result": played.result}
    if played.margin:
        line["margin"] = played.margin
    if played.opening:  # random moves that are not recorded: the position after them is
        line |= {"opening": played.opening, "start": [int(n) for n in played.start]}
    return json.dumps(line | {"values": played.values})


def read_games(path: Path) -> list[GameRecord]:
    """The games in a file of lines."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise NoughtError(f"cannot read {path}: {error}") from None
    if not lines:
        raise NoughtError(f"there are no games in {path}")
    games: dict[str, Game] = {}
    return [_record(line, f"{path}, line {number}", games) for number, line in enumerate(lines, 1)]


def _record(line: str, where: str, games: dict[str, Game]) -> GameRecord:
    try:
        fields = json.loads(line)
        name = str(fields["game"])
        game = games.setdefault(name, load_found(name)) if name not in games else games[name]
        start = game.start()
        if "start" in fields:
            start = Position(game, np.array(fields["start"], game.state_dtype))
        record = GameRecord(
            game,
            start,
            _moves(start, fields["moves"]),
            tuple(map(float, fields.get("values", ()))),
            fields.get("result"),
            read_notes(fields.get("searched", ())),
        )
        for _ in record.positions():
            pass
    except Untrusted:
        raise
    except NoughtError as error:
        raise NoughtError(f"{where}: {error}") from None
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise NoughtError(f"{where} is not a game: {type(error).__name__}: {error}") from None
    return record


def _moves(start: Position, moves: str | list[int]) -> tuple[int, ...]:
    """Moves as text, as people save them, or as numbers."""
    return tuple(parse_line(start, moves) if isinstance(moves, str) else map(int, moves))
