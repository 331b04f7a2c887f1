"""What a lane can be asked to do: a search that stops to ask for evaluations, until it knows its answer."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from nought.games import Position
from nought.search import Analysis, Search, analyse
from nought.search.analysis import worth
from nought.search.memory import SIMULATIONS
from nought.search.variety import varied_move
from nought.server.thinking.search_pool import SearchPool

T = TypeVar("T")
States = NDArray[Any]  #                                        [n, state]
Answers = tuple[NDArray[np.float32], NDArray[np.float32]]  #    [n, actions] policies and [n] values
Job = Generator[States, Answers, T]
Watcher = Callable[[Analysis], None]

FIRST_REPORT_AFTER, REPORT_INTERVAL = 0.1, 0.25  # seconds of a live analysis


@dataclass(frozen=True)
class Budget:
    """How long a search may think."""

    simulations: int
    seconds: float | None = None


@dataclass(frozen=True)
class ChosenMove:
    """A move and what its player thinks of the position, if anything."""

    action: int
    value: float | None  # from -1 (lost) to 1 (won), for the player to move
    simulations: int = 0  # that it took


def best_choice(search: Search) -> ChosenMove:
    """The move to play and what it is worth: much less to read than a whole analysis."""
    return _chosen(search, search.decide(0)[0])


def varied_choice(search: Search) -> ChosenMove:
    """A move drawn by chance from those about as good as the best, and what it is worth."""
    return _chosen(search, varied_move(search, random.SystemRandom()))


def _chosen(search: Search, move: int) -> ChosenMove:
    return ChosenMove(move, worth(search, move), int(search.blocks[0, SIMULATIONS]))


def searching(
    pool: SearchPool,
    position: Position,
    budget: Budget,
    read: Callable[[Search], T],
    watch: Watcher | None = None,
) -> Job[T]:
    """Search a position and read what was found; whoever watches is told now and then."""
    search = pool.take(budget.simulations)
    begun = time.monotonic()
    next_report = begun + FIRST_REPORT_AFTER
    search.begin(0, position.state, len(position.moves), budget.simulations)
    while len(states := search.advance()) > 0:
        search.answer(*(yield states))
        now = time.monotonic()
        if budget.seconds is not None and now - begun > budget.seconds:
            search.stop()
        if watch is not None and now > next_report and search.blocks[0, SIMULATIONS] > 0:
            watch(analyse(search))
            next_report = now + REPORT_INTERVAL
    found = read(search)
    pool.put_back(search)
    return found
