"""The runs of a folder as opponents: what each has learned, how far it is, and what `nought rate` has measured."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import NamedTuple

from nought.agents.ladder import RATINGS_FILE, measured
from nought.errors import NoughtError
from nought.games import Game
from nought.games.fingerprint import same_rules
from nought.learning.learned_game import LearnedGame
from nought.learning.run import RUN_NAME, Run

log = logging.getLogger("nought.server")
Stamp = tuple[
    tuple[str, float, float], ...
]  # of each run: its name, when it learned last, when it was rated last


class OwnRun(NamedTuple):
    """A run that has learned something."""

    name: str
    learned: LearnedGame
    version: int  # of its best network
    ratings: dict[str, list[float]]  # by a player's name: a rating and its 95 % interval


class OwnRuns:
    """The runs in a folder, read again when one of them has changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._runs: list[OwnRun] = []
        self._read: Stamp | None = None
        self._lock = threading.Lock()
        self._said: set[str] = set()

    def stamp(self) -> Stamp:
        """Another one when there is something new."""
        paths = self.folder.iterdir() if self.folder.is_dir() else ()
        found = (path for path in paths if RUN_NAME.fullmatch(path.name) and (path / "game.json").is_file())
        return tuple(
            sorted((path.name, _changed(path / "state"), _changed(path / RATINGS_FILE)) for path in found)
        )

    def all(self) -> list[OwnRun]:
        """Those with a network that has learned something, the one that learned last first."""
        stamp = self.stamp()
        with self._lock:
            if stamp != self._read:
                newest = sorted(stamp, key=lambda run: run[1], reverse=True)
                self._runs = [run for name, *_ in newest if (run := self._open(name)) is not None]
                self._read = stamp
            return self._runs

    def of(self, game: Game) -> list[OwnRun]:
        """Those that have learned this game as it is."""
        return [run for run in self.all() if same_rules(run.learned.game, game)]

    def ratings(self, game: Game) -> dict[str, list[float]]:
        """All that has been measured of this game's runs; where two have met the same player, by the newer of them."""
        found: dict[str, list[float]] = {}
        for run in self.of(game):
            found = run.ratings | found
        return found

    def _open(self, name: str) -> OwnRun | None:
        try:
            run = Run(self.folder / name)
            version = run.progress().version
            return OwnRun(name, run.learned, version, measured(run.folder)) if version else None
        except (NoughtError, OSError) as error:
            if name not in self._said:
                log.warning("the run %s is not offered: %s", name, error)
                self._said.add(name)
            return None


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
