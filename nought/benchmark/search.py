"""The search alone, with an evaluator that costs nothing."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nought.config import SearchParameters, SelfPlayParameters
from nought.games import Game
from nought.games.inputs import Inputs
from nought.search import Search
from nought.search.memory import LOG_COUNT

GAMES, SIMULATIONS = 256, 64  # games of one thread, simulations a move
PLAIN = SelfPlayParameters(opening_share=0)


@dataclass(frozen=True)
class SearchSpeed:
    """The search with an evaluator that costs nothing, in self-play."""

    simulations_per_s_one_thread: float
    simulations_per_s_all_threads: float
    threads: int
    evaluations_saved: float  #     share of simulations that needed no evaluation
    saved_by_cache: float  #        … because another game, or an earlier move, had asked already
    saved_by_graph: float  #        … because another order of moves had led there, or it is proven
    saved_by_end: float  #          … because the game ended there


@dataclass(frozen=True)
class CompileTime:
    """Seconds from nothing to the first simulation in a new process, with an empty cache and with a full one."""

    cold_s: float  #    with an empty cache
    warm_s: float  #    with the compiled code on disk


def search_speed(game: Game, seconds: float, report: Callable[[str], None]) -> SearchSpeed:
    """Simulations per second on one thread and on all of them, and what is saved."""
    report("compiling")
    one = _start(game, 1)
    threads = os.cpu_count() or 1
    every = _start(game, threads)
    report("the search")
    # one thread and all threads in turn, so that a noisy machine disturbs both alike
    pairs = [(_speed(one, seconds / 5), _speed(every, seconds / 5)) for _ in range(5)]
    report("evaluations saved")
    return SearchSpeed(
        simulations_per_s_one_thread=statistics.median(a for a, _ in pairs),
        simulations_per_s_all_threads=statistics.median(b for _, b in pairs),
        threads=threads,
        **_saved(game),
    )


def _start(game: Game, threads: int) -> list[Search]:
    parameters = SearchParameters(simulations=SIMULATIONS, sampled_moves=10, cache=0)
    searches = []
    for seed in range(threads):
        search = Search(game, parameters, GAMES, seed=seed, self_play=PLAIN)
        # The free evaluator: its answers are simply there.
        search.policy_answers[:] = 1
        search.value_answers[:] = np.random.default_rng(seed).uniform(-0.5, 0.5, len(search.value_answers))
        search.begin_games()
        _steps(search, 0.2)
        searches.append(search)
    return searches


def _steps(search: Search, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for _ in range(20 if search.game.compilable else 1):
            search.advance()
            search.ints[LOG_COUNT] = 0


def _speed(searches: list[Search], seconds: float) -> float:
    """Simulations per second of these searches, each on its own thread."""
    before = sum(s.counters()["simulations"] for s in searches)
    begin = time.perf_counter()
    with ThreadPoolExecutor(len(searches)) as pool:
        list(pool.map(lambda s: _steps(s, seconds), searches))
    return (sum(s.counters()["simulations"] for s in searches) - before) / (time.perf_counter() - begin)


class _Hashed:
    """An evaluator without knowledge but with opinions: its answers are a hash of the position. A position has
    the same answer whenever it is asked for, as from a network, and playing by them leads somewhere."""

    def __init__(self, game: Game) -> None:
        self.weights = np.random.default_rng(1).standard_normal(
            (int(np.prod(game.planes_shape)), game.actions + 1)
        )
        self.inputs = Inputs(game)

    def __call__(self, states: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        answer = self.inputs.planes(states).reshape(len(states), -1) @ self.weights
        return np.exp(2 * np.sin(answer[:, :-1])).astype(np.float32), np.sin(answer[:, -1]).astype(np.float32)


def _saved(game: Game) -> dict[str, float]:
    """What the graph, the proofs and the cache save, in the first moves and games of a batch and later ones."""
    parameters = SearchParameters(simulations=SIMULATIONS, sampled_moves=10, noise=True)
    search = Search(game, parameters, GAMES if game.compilable else 8, self_play=PLAIN)
    evaluator = _Hashed(game)
    search.begin_games()
    end = time.perf_counter() + 20
    while search.counters()["games"] < 2 * search.games and time.perf_counter() < end:
        search.answer(*evaluator(search.advance()))
        search.ints[LOG_COUNT] = 0
    counted = search.counters()
    simulations = counted["simulations"]
    return {
        "evaluations_saved": 1 - counted["evaluations"] / simulations,
        "saved_by_cache": counted["from_cache"] / simulations,
        "saved_by_graph": counted["from_graph"] / simulations,
        "saved_by_end": counted["from_end"] / simulations,
    }


# What a command does before it can start: load the game, compile, search once.
FIRST_SEARCH = """
import sys, time
begin = time.perf_counter()
from nought.config import SearchParameters, SelfPlayParameters
from nought.games import load
from nought.search import Search
search = Search(load(sys.argv[1]), SearchParameters(simulations=4), 1, self_play=SelfPlayParameters())
search.begin_games()
search.advance()
print(time.perf_counter() - begin)
"""


def compile_time(name: str) -> CompileTime:
    """Compile in new processes: with an empty cache, and then again."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NOUGHT_CACHE": folder}
        command = [sys.executable, "-c", FIRST_SEARCH, name]
        cold, warm = (
            float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
            for _ in range(2)
        )
    return CompileTime(cold, warm)
