"""Self-play end to end beside the network alone, in one run.

    python benchmarks/selfplay.py                                  64×5, 64 simulations a move, every core
    python benchmarks/selfplay.py --network 32x4 --games 256
    python benchmarks/selfplay.py --threads 8 --games 4096         on a GPU: fewer, larger shards

Prints evaluations per second of the network alone (as many threads, batches of the same size, positions from
self-play) and of self-play, the share of that rate that self-play reaches, simulations per second, and what graph,
proofs and cache saved.
"""

from __future__ import annotations

import argparse
import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from nought.games import load
from nought.network import NetworkEvaluator, build_network
from nought.presets import override, preset
from nought.selfplay.worker import Shard


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--network", default="64x5", help="filters × blocks")
    parser.add_argument("--games", type=int, default=128, help="of one thread")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    filters, blocks = options.network.split("x")
    game = load(options.game)
    parameters = override(
        preset("best", options.game),
        {
            "network.filters": filters,
            "network.blocks": blocks,
            "selfplay.games": options.games,
            "search.simulations": options.simulations,
        },
    )
    network = build_network(game, parameters.network)
    evaluators = [
        NetworkEvaluator(game, network, device=options.device, capacity=options.games, threads=1)
        for _ in range(options.threads)
    ]
    shards = [Shard(game, parameters, e, seed) for seed, e in enumerate(evaluators)]
    with ThreadPoolExecutor(options.threads) as pool:
        list(pool.map(lambda s: play(s, 4), shards))  # warm up, and fill the cache as it is in the long run
        before = count(shards)
        begin = time.perf_counter()
        list(pool.map(lambda s: play(s, options.seconds), shards))
        seconds = time.perf_counter() - begin
        played = {name: (n - before[name]) / seconds for name, n in count(shards).items()}
        alone = sum(pool.map(lambda s: network_alone(s, options.seconds / 2), shards))
    figures = {
        "device": evaluators[0].device.type,
        "precision": evaluators[0].precision,
        "network": options.network,
        "threads": options.threads,
        "games": options.games * options.threads,
        "network.evaluations_per_s": alone,
        "selfplay.evaluations_per_s": played["evaluations"],
        "selfplay.share_of_network_rate": played["evaluations"] / alone,
        "selfplay.simulations_per_s": played["simulations"],
        "selfplay.evaluations_saved": 1 - played["evaluations"] / played["simulations"],
        "selfplay.games_per_s": played["games"],
    }
    if options.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name:34} {figure:,.2f}" if isinstance(figure, float) else f"{name:34} {figure}")


def play(shard: Shard, seconds: float) -> None:
    stop = threading.Event()
    timer = threading.Timer(seconds, stop.set)
    timer.start()
    shard.play(1 << 60, stop)
    timer.cancel()


def count(shards: list[Shard]) -> dict[str, int]:
    counted = [shard.search.counters() for shard in shards]
    return {name: sum(c[name] for c in counted) for name in counted[0]}


def network_alone(shard: Shard, seconds: float) -> float:
    """Evaluations per second of full batches of positions that self-play has met."""
    states = np.resize(shard.standing.states, (shard.search.games, shard.standing.states.shape[1]))
    done, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        shard.evaluator(states)
        done += len(states)
    return done / (time.perf_counter() - begin)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
