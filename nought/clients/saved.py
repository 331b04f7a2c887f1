"""A game that was played here, as a small file: a line of JSON that `nought replay` reads."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import NamedTuple

from nought.errors import NoughtError
from nought.files import write_whole
from nought.games import Game
from nought.games.notation import format_moves
from nought.selfplay.record import GameRecord, read_games


class SavedGame(NamedTuple):
    """A game that can be gone on with."""

    record: GameRecord
    players: tuple[str, str]  # who moves first first; the person is "you"

    @property
    def human(self) -> int:
        return 1 if self.players[1] == "you" else 0


def save(
    path: Path, game: Game, moves: tuple[int, ...], players: tuple[str, str], result: float | None
) -> None:
    """Write the game whole. Its moves are the text that the web page reads, too."""
    fields = {
        "game": _lasting_name(game.name),
        "moves": format_moves(game, moves),
        "players": players,
        "result": result if result is None else round(result, 6),
        "saved": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
    }
    try:
        write_whole(path, (json.dumps(fields, ensure_ascii=False) + "\n").encode())
    except OSError as error:
        raise NoughtError(f"the game cannot be saved in {path}: {error.strerror}") from None


def read_saved(path: Path) -> SavedGame:
    """A game that `save` wrote."""
    record = read_games(path)[0]
    players = players_of(path)
    if players is None:
        raise NoughtError(f"{path} does not say who played: only a game saved by `nought play` goes on")
    return SavedGame(record, players)


def players_of(path: Path, number: int = 1) -> tuple[str, str] | None:
    """Who played a game of a file of games, where it says so."""
    line = path.read_text(encoding="utf-8").splitlines()[number - 1]
    match json.loads(line).get("players"):
        case [str(first), str(second)]:
            return first, second
    return None


def require_new(path: Path) -> None:
    """A game is not written over another file."""
    if path.exists():
        raise NoughtError(f"{path} is there already: choose another name")
    if not path.absolute().parent.is_dir():
        raise NoughtError(f"there is no folder {path.absolute().parent}")


def _lasting_name(name: str) -> str:
    """The game's name, so that it means the same in another folder."""
    file, dot_py, size = name.partition(".py")
    return f"{Path(file).expanduser().absolute()}{dot_py}{size}" if dot_py else name
