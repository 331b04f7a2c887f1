"""What no position shows alone: who is ever to move, how games end, what the network can tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from nought.games.conformance.view import View

LEAST_GAMES = 20  # of which something can be said
REMEMBERED = 50_000  # boards as the network sees them


class Overall:
    """Looks at all positions of all games. `line` writes moves down for a message."""

    def __init__(self, line: Callable[[Sequence[int]], str]) -> None:
        self.line = line
        self.movers: set[int] = set()
        self.results: Counter[float] = Counter()
        self.seen: dict[
            bytes, tuple[bytes, tuple[int, ...]]
        ] = {}  # by planes: the legal moves, and the way there

    def look(self, view: View, moves: Sequence[int]) -> str | None:
        """Take note of a position; what is wrong if the network sees another one just alike."""
        if view.result is not None:
            self.results[view.result] += 1
            return None
        self.movers.add(view.player)
        key = view.planes.tobytes()
        if key not in self.seen and len(self.seen) >= REMEMBERED:
            return None
        legal, first = self.seen.setdefault(key, (view.legal.tobytes(), tuple(moves)))
        if legal == view.legal.tobytes():
            return None
        return (
            f"the network sees the same as after {self.line(first)}, but other moves are legal: the planes do not show "
            "something that matters"
        )

    def idle_player(self) -> str | None:
        """Whether a player is never to move."""
        if self.results.total() < LEAST_GAMES or len(self.movers) > 1:
            return None
        (only,) = self.movers
        return f"player {1 - only} was not to move even once in {self.results.total()} games"

    def only_end(self) -> str | None:
        """Whether all games end alike."""
        if self.results.total() < LEAST_GAMES or len(self.results) > 1:
            return None
        (result,) = self.results
        how = {1.0: "won by player 0", -1.0: "won by player 1", 0.0: "drawn"}.get(
            result, f"of result {result:g}"
        )
        return (
            f"all {self.results.total()} games were {how}: is result as player 0 sees it, whoever is to move? From ends "
            "that are all alike nothing can be learned"
        )
