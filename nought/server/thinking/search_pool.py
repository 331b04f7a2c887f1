"""Searches of one agent that wait to be used again."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

from nought.config import SearchParameters
from nought.games import Game
from nought.search import Search

IDLE_BYTES = 64 << 20  # of searches that are kept


class SearchPool:
    """Searches that can be used again, by any thread: making one takes longer than a short search."""

    def __init__(self, game: Game, parameters: Callable[[int], SearchParameters]) -> None:
        self.game, self.parameters = game, parameters
        self.idle: dict[tuple[int, int], list[Search]] = defaultdict(list)
        self.bytes = 0
        self._lock = threading.Lock()

    def take(self, simulations: int) -> Search:
        """A search with an empty graph and room for this many simulations, of which `begin` is told."""
        parameters = self.parameters(simulations)
        room = 64
        while room < simulations + 2:
            room *= 4
        with self._lock:
            waiting = self.idle[room, parameters.leaves]
            search = waiting.pop() if waiting else None
            self.bytes -= search.words.nbytes if search else 0
        if search is not None:
            search.forget(0)
            return search
        # The lane remembers evaluations for all of its searches. `simulations` here is only a table's size.
        return Search(self.game, replace(parameters, simulations=1, nodes=room, cache=0))

    def put_back(self, search: Search) -> None:
        with self._lock:
            if self.bytes + search.words.nbytes <= IDLE_BYTES:
                self.bytes += search.words.nbytes
                self.idle[search.parameters.nodes, search.parameters.leaves].append(search)
