"""The games that a server offers: clients choose among these and nothing else, so that no name reaches a file."""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path

from nought.agents.shipped import shipped_games
from nought.errors import NoughtError
from nought.games import Game, builtin_games, load
from nought.games.finding import find_games
from nought.games.fingerprint import same_rules
from nought.games.registry import load_found
from nought.learning.learned_game import LearnedGame
from nought.server.http.errors import NotFound

log = logging.getLogger("nought.server")
FILE_TIMEOUT = 20.0  # seconds for a game's file to be run
LONGEST_GAME_NAME = 100  # letters: the database has room for so many


class Catalogue:
    """Those with a shipped agent first, then the other built-in ones, then the files that the owner has added, those
    found in the folders, and what else the owner's runs have learned."""

    def __init__(
        self, files: Sequence[str] = (), folders: Sequence[Path] = (), learned: Iterable[LearnedGame] = ()
    ) -> None:
        self.games: dict[str, Game] = {}
        self.aliases: dict[str, str] = {}  # other names of the same game
        self.loaded_by: dict[str, str] = {}  # a game's name: the name by which `load` finds it
        self.compiled: set[str] = set()  # games that nobody has to wait for any more
        for name in (*shipped_games(), *builtin_games()):
            self._add(load(name), name)
        for name in files:
            self._add_file(load_in_time(name), name)
        for folder in folders:
            self._find(folder, {Path(name.partition(":")[0]).resolve() for name in files})
        for found in learned:
            self._add_learned(found)

    def game(self, name: str) -> Game:
        """The game that a client names."""
        found = self.games.get(self.aliases.get(name, name))
        if found is None:
            raise NotFound(f"there is no game {name[:60]!r} here; there are {', '.join(self.games)}")
        return found

    def _add(self, game: Game, name: str) -> None:
        for other in self.games.values():
            if (other.base, other.size) == (game.base, game.size):
                self.aliases[game.name] = other.name
                return
        self.games[game.name] = game
        self.loaded_by[game.name] = name

    def _add_file(self, game: Game, name: str) -> None:
        game.name = Path(name).name  # clients need not know where the file is
        if len(game.name) > LONGEST_GAME_NAME:
            raise NoughtError(f"{game.name[:40]}… is too long a name for a game here; rename the file")
        if game.name in self.games:
            raise NoughtError(f"there are two games called {game.name}; rename one of the files")
        self._add(game, name)

    def _find(self, folder: Path, known: set[Path]) -> None:
        """Add the games of a folder; one that is broken is left out, and the log says why."""
        for path, problem in find_games(folder):
            if path.resolve() in known:
                continue
            try:
                if problem:
                    raise NoughtError(problem)
                self._add_file(load_in_time(str(path)), str(path))
                log.info("%s is offered", path)
            except (NoughtError, SystemExit) as error:  # a file may do anything when it is run
                log.warning("%s is not offered: %s", path, str(error).removeprefix(f"{path}: ") or "it ends")

    def _add_learned(self, learned: LearnedGame) -> None:
        """Add what a run has learned, if that is not here: its file has moved or has other rules now."""
        if any(same_rules(learned.game, game) for game in self.games.values()):
            return
        game = load_found(learned.game.name)  # of our own, for it gets another name
        if learned.copy:
            run, name = Path(learned.copy).parent.name, Path(learned.name).name
            game.name = (name if name not in self.games else f"{name} ({run})")[:LONGEST_GAME_NAME]
        self._add(game, learned.game.name)


def load_in_time(name: str) -> Game:
    """The game of a file. One with a loop that never ends is given up: a server must start without it."""
    found: Future[Game] = Future()

    def work() -> None:
        try:
            found.set_result(load(name))
        except BaseException as error:  # which is the caller's
            found.set_exception(error)

    reading = threading.Thread(target=work, name=f"reading {name}", daemon=True)
    reading.start()
    try:
        return found.result(FILE_TIMEOUT)
    except TimeoutError:
        raise_in(reading, SystemExit)
        raise NoughtError(
            f"{name}: running the file has not ended after {FILE_TIMEOUT:g} seconds; does it have a loop without an end?"
        ) from None


def raise_in(thread: threading.Thread, error: type[BaseException]) -> None:
    """Raise an error in a thread, at the next line of Python that it runs."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(error))
