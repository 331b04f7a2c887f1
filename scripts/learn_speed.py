"""Measures what lesson 10 shows: `python scripts/learn_speed.py` (a minute). Counts are the same everywhere; speeds are
ratios within one run, by the thread's own time, so that other programs matter little.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

import nought
from nought.agents.networks import PLAYING, load_network, trained
from nought.config import SearchParameters, SelfPlayParameters
from nought.files import write_whole
from nought.games.game import Game
from nought.network.evaluator import NetworkEvaluator
from nought.network.sample import random_sample
from nought.search import Search
from nought.search.analysis import root

DATA = Path(__file__).parents[1] / "nought" / "server" / "static" / "js" / "learn" / "data" / "speed.json"
AGENT, BEST = "agents/connect4-level-7", "agents/connect4"
OURS = "4371564453763664"  # the position of all lessons
GAMES, SIMULATIONS, ENOUGH = 64, 64, 100_000  # games at once, simulations a move, simulations in all
WATCHED = 60  # simulations on our position
ROUNDS = 6
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


def saved(game: Game) -> dict[str, float]:
    """Where simulations of self-play got their values from, as shares."""
    evaluate = NetworkEvaluator(game, load_network(trained(AGENT).path, game).network, device="cpu", precision="float32")
    parameters = SearchParameters(simulations=SIMULATIONS, sampled_moves=10, cache=1 << 18, noise=True)
    search = Search(game, parameters, GAMES, seed=1, self_play=SelfPlayParameters(opening_share=0))
    search.begin_games()
    while (counted := search.counters())["simulations"] < ENOUGH:
        search.answer(*evaluate(search.advance()))
        search.take_rows()
    names = {"network": "evaluations", "cache": "from_cache", "graph": "from_graph", "end": "from_end"}
    total = sum(counted[name] for name in names.values())
    return {key: round(counted[name] / total, 4) for key, name in names.items()}


def proofs(game: Game) -> dict[str, list[float]]:
    """The value of our position after each simulation of the best agent, with proofs and without."""
    evaluate = NetworkEvaluator(game, load_network(trained(BEST).path, game).network, device="cpu", precision="float32")
    position, found = game.position(OURS), {}
    for name, proving in (("with", True), ("without", False)):
        parameters = replace(PLAYING, simulations=1, nodes=2 * WATCHED + 8, cache=0, c_puct=2.0, proofs=proving)
        search, values = Search(game, parameters), []
        for count in range(WATCHED + 1):
            search.begin(0, position.state, len(position.moves), min(count, 1))
            while len(states := search.advance()) > 0:
                search.answer(*evaluate(states))
            values.append(round(root(search).value, 3))
        found[name] = values
    return found


def per_second(act: Callable[[], int], seconds: float) -> float:
    """How much is done in a second of this thread's time."""
    done, begin = 0, time.thread_time()
    while (spent := time.thread_time() - begin) < seconds:
        done += act()
    return done / spent


def batches(game: Game) -> list[list[float]]:
    """Evaluations a second by the size of the batch, on one thread: [size, speed in the speed of size 1]."""
    torch.set_num_threads(1)
    network = load_network(trained(AGENT).path, game).network.eval()
    planes = torch.from_numpy(random_sample(game, max(BATCHES)).planes[: max(BATCHES)])

    def evaluated(size: int) -> int:
        with torch.inference_mode():
            network(planes[:size])
        return size

    speeds = dict.fromkeys(BATCHES, 0.0)
    for _ in range(ROUNDS):  # all sizes in turn, and the best of each: what disturbs only makes slower
        for size in BATCHES:
            speeds[size] = max(speeds[size], per_second(lambda size=size: evaluated(size), 0.15))  # type: ignore[misc]
    return [[size, round(speed / speeds[1], 2)] for size, speed in speeds.items()]


def simulations(game: Game) -> Callable[[], int]:
    """A search whose evaluator costs nothing: one call advances it."""
    search = Search(game, SearchParameters(simulations=SIMULATIONS, cache=0), 16, self_play=SelfPlayParameters())
    search.policy_answers[:] = 1
    search.value_answers[:] = np.random.default_rng(1).uniform(-0.5, 0.5, len(search.value_answers))
    search.begin_games()

    def advance() -> int:
        before = search.counters()["simulations"]
        search.advance()
        search.take_rows()
        return search.counters()["simulations"] - before

    return advance


def compiled(game: Game) -> int:
    """How many times as many simulations a second compiled Python makes."""
    plain = Game(game.name, game.rules, game.source, compilable=False)
    simulations(game)()  # compiled before it is measured
    quick, slow = per_second(simulations(game), 2), per_second(simulations(plain), 4)
    print(f"{quick:,.0f} simulations a second compiled, {slow:,.0f} not")
    return round(quick / slow)


if __name__ == "__main__":
    connect4 = nought.load("connect4")
    measured = {
        "saved": saved(connect4),
        "proofs": proofs(connect4),
        "batches": batches(connect4),
        "compiled": compiled(connect4),
    }
    print(json.dumps(measured))
    write_whole(DATA, (json.dumps(measured, indent=2) + "\n").encode())
