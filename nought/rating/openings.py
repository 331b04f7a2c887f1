"""Openings for a match: varied, no two alike, and none of them already won."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from nought.games import Game, Position
from nought.search import Rollout, Search
from nought.search.analysis import root
from nought.selfplay.players import rollout_parameters

OPENING_MOVES = 4  # random moves in an opening, or fewer in a short game
TRIES = 50  #         random openings in a row that were there before: there are hardly any others
SIMULATIONS = 400  # of the search that values an opening; a tenth where it cannot be compiled
EVEN_VALUE = 0.25  # it is even enough if the search gives neither side a better value than this
LOT = 1024  # openings searched at once: each is a search that must fit in memory


def random_opening(game: Game, moves: int, random: np.random.Generator) -> Position:
    """The position after this many random moves, in which the game is not over."""
    while True:
        position = game.start()
        for _ in range(moves):
            position = position.play(int(random.choice(position.legal)))
            if position.finished:
                break
        if not position.finished:
            return position
        moves -= 1


def varied_openings(
    game: Game,
    count: int,
    *,
    moves: int | None = None,
    seed: int = 0,
    known: Iterable[Position] = (),
    progress: Callable[[float], None] = lambda _: None,
) -> list[Position]:
    """Make `count` openings that are even and unlike each other and the known ones, or as many as there are.

    They have `moves` random moves; where the game has too few such openings, others have more, and where it has
    too few even ones, the least uneven are taken.
    """
    random = np.random.default_rng(seed)
    seen = {_without_symmetry(position) for position in known}
    even: list[Position] = []
    uneven: list[tuple[float, Position]] = []
    length = min(OPENING_MOVES, game.longest // 4) if moves is None else moves
    while len(even) < count and length < game.longest:
        progress(len(even) / count)
        drawn = list(_new_openings(game, length, min(LOT, 2 * (count - len(even))), random, seen))
        for position, value in zip(drawn, values(game, drawn, seed), strict=True):
            if abs(value) <= EVEN_VALUE:
                even.append(position)
            else:
                uneven.append((abs(value), position))
        if not drawn:
            length += 1
    uneven.sort(key=lambda valued: valued[0])
    return [*even, *(position for _, position in uneven)][:count]


def values(game: Game, positions: Sequence[Position], seed: int = 0) -> list[float]:
    """What a short search with random play thinks of each position, for the player to move."""
    if not positions:
        return []
    simulations = SIMULATIONS if game.compilable else SIMULATIONS // 10
    search = Search(game, rollout_parameters(simulations), len(positions), seed=seed)
    for g, position in enumerate(positions):
        search.begin(g, position.state, len(position.moves))
    search.run(Rollout(game, seed))
    return [root(search, g).value for g in range(len(positions))]  # the mean over all moves, good and bad


def _new_openings(
    game: Game, moves: int, count: int, random: np.random.Generator, seen: set[tuple[int, bytes]]
) -> Iterator[Position]:
    """Up to `count` openings that look like none seen before, in any symmetry."""
    failures = 0
    while count > 0 and failures < TRIES:
        position = random_opening(game, moves, random)
        look = _without_symmetry(position)
        if look in seen:
            failures += 1
        else:
            seen.add(look)
            failures, count = 0, count - 1
            yield position


def _without_symmetry(position: Position) -> tuple[int, bytes]:
    """A key that is the same for two positions that are images of each other."""
    planes = position.planes()
    return position.player, min(s.apply_planes(planes).tobytes() for s in position.game.symmetries)
