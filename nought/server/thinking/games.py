"""The games that a server offers: clients choose among these and nothing else, so that no name reaches a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nought.agents.shipped import shipped_games
from nought.errors import NoughtError
from nought.games import Game, builtin_games, load
from nought.server.http.errors import NotFound


class Catalogue:
    """Those with a shipped agent first, then the other built-in ones, then the files that the owner has added."""

    def __init__(self, files: Sequence[str] = ()) -> None:
        self.games: dict[str, Game] = {}
        self.aliases: dict[str, str] = {}  # other names of the same game
        self.loaded_by = [*shipped_games(), *builtin_games(), *files]  # names as `load` takes them
        for name in (*shipped_games(), *builtin_games()):
            self._add(load(name))
        for name in files:
            game = load(name)
            game.name = Path(name).name  # clients need not know where the file is
            if game.name in self.games:
                raise NoughtError(f"there are two games called {game.name}; rename one of the files")
            self._add(game)

    def _add(self, game: Game) -> None:
        for other in self.games.values():
            if (other.base, other.size) == (game.base, game.size):
                self.aliases[game.name] = other.name
                return
        self.games[game.name] = game

    def game(self, name: str) -> Game:
        found = self.games.get(self.aliases.get(name, name))
        if found is None:
            raise NotFound(f"there is no game {name[:60]!r} here; there are {', '.join(self.games)}")
        return found
