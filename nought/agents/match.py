"""A match between players by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from nought.agents.players import agent, named_simulations
from nought.arithmetic import ceil_div
from nought.games import Game, Position
from nought.rating import MatchResult, play_match
from nought.rating.match import LOT

SIMULATIONS_AT_ONCE = 100_000  # a move, of all games: each is a position that a search must remember


class PlayMatch(Protocol):
    """Plays a match of two players by name: `named_match` here, others elsewhere."""

    def __call__(
        self,
        game: Game,
        names: tuple[str, str],
        games: int,
        *,
        openings: Sequence[Position] | None = None,
        seed: int = 0,
        device: str = "auto",
        bounds: tuple[float, float] | None = None,
        notes: bool = False,
        progress: Callable[[float], None] = lambda _: None,
    ) -> MatchResult: ...


def named_match(
    game: Game,
    names: tuple[str, str],
    games: int,
    *,
    openings: Sequence[Position] | None = None,
    seed: int = 0,
    device: str = "auto",
    bounds: tuple[float, float] | None = None,
    notes: bool = False,
    progress: Callable[[float], None] = lambda _: None,
) -> MatchResult:
    """Make the players of these names, and let them play: see `play_match`."""
    simulations = max(named_simulations(name) or 1 for name in names)
    lot = max(1, min(LOT, ceil_div(games, 2), SIMULATIONS_AT_ONCE // simulations))
    a, b = (
        agent(name, game, games=2 * lot, seed=2 * seed + i, device=device) for i, name in enumerate(names)
    )
    return play_match(
        game, a, b, games, openings=openings, bounds=bounds, lot=lot, notes=notes, progress=progress
    )
