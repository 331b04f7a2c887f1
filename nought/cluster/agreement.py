"""What must be the same on all machines of a cluster: nought itself and the rules of the game."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nought
from nought.games import Game, load
from nought.games.fingerprint import rules_of
from nought.games.registry import game_from_source

SHOWN = 8  # digits of a hash in messages


class Program(NamedTuple):
    """Which nought a machine has."""

    version: str
    code: str  # a hash of all its text

    def __str__(self) -> str:
        return f"{self.version} ({self.code[:SHOWN]})"


@cache
def this_program() -> Program:
    """Which nought this machine has."""
    folder = Path(nought.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return Program(nought.__version__, digest.hexdigest())


class GameText(NamedTuple):
    """A game as it travels: its name, and the text of its rules, which is run where it arrives."""

    name: str
    source: str

    @classmethod
    def of(cls, game: Game) -> GameText:
        return cls(game.name, game.source)

    def game(self) -> Game:
        """The game; what is no text but a library's is loaded by its name."""
        if self.name.startswith("openspiel:"):
            return load(self.name)
        return game_from_source(self.name, self.source)


def rules(game: Game) -> str:
    """What two machines compare to know that they play the same game."""
    return hashlib.sha256(repr(sorted(rules_of(game).items())).encode()).hexdigest()
