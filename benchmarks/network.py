"""Evaluations per second of the network alone, states in and answers out, as quoted in README and docs.

    python benchmarks/network.py [--device cpu] [--network 64x5] [--compiled] [--unfilled]

Each thread has its own evaluator, as in self-play. The last column says on how many positions of random games the
best legal move is the one that the same network, untouched and in float32, finds best, and how far values differ.
"""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from nought.arithmetic import ceil_div
from nought.config import NetworkParameters
from nought.games import Game, Position, load
from nought.network import Network, NetworkEvaluator, build_network, choose_device, cuda

BATCHES = {"cpu": (8, 64, 128, 256), "cuda": (80, 512, 2048, 8192, 16384)}
ROUNDS, SECONDS = 3, 0.7


def positions(game: Game, count: int) -> list[Position]:
    random = np.random.default_rng(0)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        while not position.finished:
            found.append(position)
            position = position.play(int(random.choice(position.legal)))
    return found[:count]


def opinionated(game: Game, parameters: NetworkParameters) -> Network:
    """A network that has not learned but whose layers all matter."""
    network = build_network(game, parameters)
    random = torch.Generator().manual_seed(1)
    for name, tensor in network.named_parameters():
        if name.endswith("second.norm.weight"):
            torch.nn.init.uniform_(tensor, 0.2, 0.6, generator=random)
        elif name.endswith("last.weight"):
            torch.nn.init.normal_(tensor, std=0.1, generator=random)
    return network.eval()


def rate(evaluators: list[NetworkEvaluator], states: NDArray[Any], clock: Callable[[], float]) -> float:
    """Evaluations per second of all these evaluators at once."""
    rates = [0.0] * len(evaluators)

    def work(i: int) -> None:
        begin, counted = clock(), 0
        while clock() < begin + SECONDS:
            evaluators[i](states)
            counted += len(states)
        rates[i] = counted / (clock() - begin)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(evaluators))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(rates)


def agreement(evaluator: NetworkEvaluator, network: Network, seen: list[Position]) -> str:
    """With the plain network in float32."""
    policy, value = evaluator(np.stack([p.state for p in seen]))
    with torch.inference_mode():
        output = network(torch.from_numpy(np.stack([p.planes() for p in seen])))
    same = [
        max(p.legal, key=lambda move: mine[move]) == max(p.legal, key=lambda move: theirs[move])
        for p, mine, theirs in zip(seen, policy, output.policy.numpy(), strict=True)
    ]
    return f"{np.mean(same):.1%}, ±{np.abs(value - output.value.numpy()).max():.1g}"


def main(
    device: Annotated[str, typer.Option(help="auto, cpu or cuda")] = "auto",
    network: Annotated[list[str] | None, typer.Option(help="filters x blocks; repeat as needed")] = None,
    game: str = "connect4",
    compiled: Annotated[bool, typer.Option(help="cuda: with torch.compile")] = False,
    unfilled: Annotated[bool, typer.Option(help="cuda: filters as they are, not filled up to 16")] = False,
    busy: Annotated[
        bool, typer.Option(help="cpu: by each thread's processor time, for a machine with other work")
    ] = False,
) -> None:
    played, kind = load(game), choose_device(device).type
    if unfilled:
        cuda.FILTER_MULTIPLE = 1
    seen = positions(played, 512)
    states = np.stack([p.state for p in seen])
    states = np.tile(states, (ceil_div(max(BATCHES[kind]), len(states)), 1))
    crowd = (1, os.cpu_count() or 1) if kind == "cpu" else (1, 4)
    clock = time.thread_time if busy and kind == "cpu" else time.perf_counter
    out = Console(width=130)
    for name in network or ["32x4", "64x5", "75x6", "128x6"]:
        filters, blocks = map(int, name.split("x"))
        plain = opinionated(played, NetworkParameters(filters=filters, blocks=blocks))
        table = Table(title=f"{filters} filters, {blocks} blocks, {game}, {kind}: evaluations/s")
        for column in ("precision", "threads", *map(str, BATCHES[kind]), "start", "agreement"):
            table.add_column(column, justify="right")
        for precision in ("float32", "bfloat16"):
            for count in sorted(set(crowd)):
                row, began = [], time.perf_counter()
                for batch in BATCHES[kind]:
                    evaluators = [
                        NetworkEvaluator(
                            played, plain, device=device, capacity=batch, threads=1, precision=precision,
                            compiled=compiled,
                        )
                        for _ in range(count)
                    ]  # fmt: skip
                    for evaluator in evaluators:
                        evaluator(states[:batch])
                    start = time.perf_counter() - began
                    row.append(
                        statistics.median(rate(evaluators, states[:batch], clock) for _ in range(ROUNDS))
                    )
                    began = time.perf_counter()
                agreed = agreement(evaluators[0], plain, seen)
                table.add_row(
                    precision, str(count), *(f"{r:,.0f}" for r in row), f"{start:.1f} s", agreed
                )  # fmt: skip
        chosen = NetworkEvaluator(played, plain, device=device, capacity=64).precision
        out.print(table)
        out.print(f"chosen by itself: {chosen}\n")


if __name__ == "__main__":
    typer.run(main)
