"""How large is a game? Its positions, counted move by move as far as there is room; an estimate of how many games there are;
and what is known of it from elsewhere."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nought.compile import Kernels, compiled
from nought.games import Game

KERNELS = Kernels(
    files=tuple(Path(__file__).with_name("kernels") / f"{name}.py" for name in ("exhaustive", "count")),
    called=("one_move_on", "ended", "random_choices"),
    inlined=(),
)
LIMIT = 5_000_000  # positions after one number of moves
FIRST_ROOM = 1_000


class Level(NamedTuple):
    """The positions after so many moves. They are told apart by all that the rules know of them: stones, the player to
    move, points."""

    moves: int
    positions: int
    finished: int  #    of them
    games: float  #     that end here: exact up to 2^53


class GamesEstimate(NamedTuple):
    """A number that was estimated from random games."""

    number: float
    error: float  #     its standard error
    samples: int


class Bound(NamedTuple):
    """What is known about a game's size without counting."""

    what: str
    number: int


def levels(game: Game, limit: int = LIMIT) -> Iterator[Level]:
    """Count positions move by move from the start, until no game goes on, or more than `limit` would have to be kept."""
    kernels = compiled(game, KERNELS)
    states, ways = game.start().state[None].copy(), np.ones(1)
    for moves in range(game.longest + 1):
        finished, games = kernels.ended(states, ways, len(states))
        yield Level(moves, len(states), int(finished), float(games))
        if finished == len(states):
            return
        following = _one_move_on(kernels, states, ways, limit)
        if following is None:
            return
        states, ways = following


def _one_move_on(
    kernels: ModuleType, states: NDArray[Any], ways: NDArray[np.float64], limit: int
) -> tuple[NDArray[Any], NDArray[np.float64]] | None:
    """The positions one move further on and their ways; None where they are more than `limit`."""
    room = min(limit, max(FIRST_ROOM, 4 * len(states)))
    while True:
        found, reached = np.zeros((room, states.shape[1]), states.dtype), np.zeros(room)
        slots, count = np.zeros(1 << (2 * room - 1).bit_length(), np.int32), np.zeros(1, np.int64)
        if kernels.one_move_on(states, ways, len(states), found, reached, slots, count):
            return found[: count[0]].copy(), reached[: count[0]].copy()
        if room == limit:
            return None
        room = min(limit, 4 * room)


def estimated_games(game: Game, samples: int, seed: int = 0) -> GamesEstimate:
    """How many games there are, after Knuth: a random game stands for as many as the product of its choices."""
    kernels = compiled(game, KERNELS)
    seeds = np.random.default_rng(seed).integers(2**32, size=samples)
    products = np.empty(samples)
    widths = np.zeros(game.longest, np.int64)
    for i, number in enumerate(seeds):
        length = kernels.random_choices(game.zero_state(), number, widths)
        products[i] = np.prod(widths[:length].astype(np.float64))
    return GamesEstimate(float(products.mean()), float(products.std() / math.sqrt(samples)), samples)


def placements(cells: int) -> int:
    """In how many ways two players' stones, placed in turns, can stand on so many cells."""
    return sum(
        math.comb(cells, (n + 1) // 2) * math.comb(cells - (n + 1) // 2, n // 2) for n in range(cells + 1)
    )


def bounds(game: Game) -> list[Bound]:
    """What is known of a built-in game."""
    cells = math.prod(game.planes_shape[1:])
    if game.base in ("connect4", "tictactoe"):
        known = [
            Bound("ways to leave each cell empty or to put either stone there", 3**cells),
            Bound("orders in which the cells can be filled", math.factorial(cells)),
            Bound("ways in which stones placed in turns can stand on the board", placements(cells)),
        ]
        if game.base == "connect4" and game.size == (6, 7, 4):
            known.append(Bound("positions, as counted by Edelkamp and Kissmann (2008)", 4_531_985_219_092))
        return known
    if game.base == "dots-and-boxes":
        return [
            Bound("edges", game.actions),
            Bound("boxes", math.prod(game.size)),
            Bound("ways to draw edges or not", 2**game.actions),
            Bound("orders in which the edges can be drawn", math.factorial(game.actions)),
        ]
    return []
