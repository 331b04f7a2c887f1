"""Self-play with the search on the CPU's cores and with the search on the GPU, in one run, beside the network alone.

    python benchmarks/gpu_selfplay.py --network 64x5 --network 128x8
    taskset -c 0,1 python benchmarks/gpu_selfplay.py --network 64x5 --threads 2
    python benchmarks/gpu_selfplay.py --agent agents/connect4 --start
    python benchmarks/gpu_selfplay.py --only gpu --network 64x5 --set search.nodes=130

Only ratios travel between machines: both ways take turns, several times.
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
from rich.console import Console
from rich.table import Table

from nought.agents.networks import trained
from nought.benchmark.training import network_alone_on_gpu
from nought.config import PRECISIONS, Parameters
from nought.games import Game, load
from nought.network import Network, NetworkEvaluator, build_network, load_network
from nought.presets import parse_overrides, preset
from nought.selfplay.device import OnGpu
from nought.selfplay.device_shard import gpu_shards
from nought.selfplay.worker import SelfPlay, Shard

COLUMNS = ("network", "weights", "search on", "games", "simulations/s", "evaluations/s", "of the network alone", "saved", "games/s")  # fmt: skip


def main() -> None:
    options = _options()
    game, table = load(options.game), Table(title=f"{options.game}, {options.simulations} simulations a move")
    for column in COLUMNS:
        table.add_column(column, justify="right")
    for shape in options.network or [None]:
        parameters = _parameters(options, shape)
        network = _network(options, game, parameters)
        _compare(game, parameters, network, options, table)
    Console(width=150).print(table)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--network", action="append", help="filters x blocks; repeat for several")
    parser.add_argument("--agent", help="trained weights: a run, a file or agents/connect4")
    parser.add_argument("--start", action="store_true", help="all games begin at the start")
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--games", type=int, default=32768, help="on the GPU")
    parser.add_argument("--shard", type=int, default=2048, help="games of each CPU thread")
    parser.add_argument("--threads", type=int, default=0, help="0: one for each core")
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", choices=("cpu", "gpu"))
    parser.add_argument("--precision", default="auto", choices=("auto", *PRECISIONS))
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="of the preset")
    return parser.parse_args()


def _parameters(options: argparse.Namespace, shape: str | None) -> Parameters:
    changes: dict[str, Any] = {
        "search.simulations": options.simulations,
        "selfplay.games": options.shard,
        "selfplay.threads": options.threads,
        "selfplay.device_games": options.games,
    }
    if shape:
        changes["network.filters"], changes["network.blocks"] = map(int, shape.split("x"))
    if options.start:
        changes["selfplay.opening_share"] = 0.0
    return preset("best", options.game, changes | parse_overrides(options.set), gpu=True)


def _network(options: argparse.Namespace, game: Game, parameters: Parameters) -> Network:
    if options.agent:
        return load_network(trained(options.agent).path, game).network
    return build_network(game, parameters.network)


def _compare(
    game: Game, parameters: Parameters, network: Network, options: argparse.Namespace, table: Table
) -> None:
    device = torch.device("cuda")
    ways: dict[str, SelfPlay] = {}
    begin = time.perf_counter()
    if options.only != "cpu":
        evaluators, make = gpu_shards(game, parameters, network, device, options.precision, OnGpu(game))
        ways["GPU"] = SelfPlay(game, parameters, evaluators, 0, make)
        alone = network_alone_on_gpu(ways["GPU"].shards, 1.0)
        print(
            f"GPU ready after {time.perf_counter() - begin:.1f} s; {evaluators[0].precision}: {evaluators[0].why}",
            flush=True,
        )
    if options.only != "gpu":
        size, threads = parameters.selfplay.games, parameters.selfplay.all_threads
        players = [
            NetworkEvaluator(game, network, device="cuda", capacity=size, precision=options.precision)
            for _ in range(threads)
        ]
        ways[f"{threads} threads"] = SelfPlay(game, parameters, players, 0, Shard)
    if options.only == "cpu":
        alone = float("nan")
    measured: dict[str, list[dict[str, float]]] = {name: [] for name in ways}
    for turn in range(options.rounds + 1):  # the first is a warm-up: games get under way
        for name, selfplay in ways.items():
            speed = _speed(selfplay, options.seconds)
            if turn > 0:
                measured[name].append(speed)
    shape = f"{network.architecture.filters}×{network.architecture.blocks}"
    weights = options.agent or "new"
    for name, runs in measured.items():
        speed = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
        games = sum(shard.search.games for shard in ways[name].shards)
        table.add_row(
            shape, weights, name, f"{games:,}", f"{speed['simulations'] / 1e6:.2f} M",
            f"{speed['evaluations'] / 1e6:.2f} M", f"{speed['evaluations'] / alone:.0%} of {alone / 1e6:.2f} M",
            f"{1 - speed['evaluations'] / speed['simulations']:.0%}", f"{speed['games']:,.0f}",
        )  # fmt: skip
        print(
            shape,
            weights,
            name,
            {k: f"{v:,.0f}" for k, v in speed.items()},
            f"alone {alone:,.0f}",
            flush=True,
        )


def _speed(selfplay: SelfPlay, seconds: float) -> dict[str, float]:
    """What all shards do in a second while they play, without what Python does with their games afterwards."""
    stop, before, begin = threading.Event(), selfplay.counted(), time.perf_counter()
    timer = threading.Timer(seconds, stop.set)
    timer.start()
    with ThreadPoolExecutor(len(selfplay.shards)) as pool:
        list(pool.map(lambda shard: shard.play(1 << 60, stop), selfplay.shards))
    took, after = time.perf_counter() - begin, selfplay.counted()
    return {name: (after[name] - before[name]) / took for name in after}


if __name__ == "__main__":
    main()
