"""Evaluations per second of the network alone, states in and answers out, as quoted in README and docs.

    python benchmarks/network.py [--device cpu] [--network 64x5] [--compiled] [--unfilled]
    python benchmarks/network.py --agents [--ways]    agents that come with nought, in each precision of the CPU

Each thread has its own evaluator, as in self-play. The last column says on how many positions of random games the
best legal move is the one that the same network, untouched and in float32, finds best, and how far values differ.

With --agents one thread evaluates batches of 64, the precisions in turn and by its own processor time, so that other
work on the machine sways all of them or none. Moves and values are compared on positions of random games that are not
those by which int8's ranges are set; `right` is the share of the package's labelled positions in which the best move
gives nothing away. With --ways there is also int8 by onnxruntime, and by our own function as processors have it that
are less than this one.
"""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

import numpy as np
import torch
import typer
from llvmlite import binding as llvm
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from nought.agents.shipped import card, shipped_agents, weights
from nought.arithmetic import ceil_div
from nought.config import FLOATS, PRECISIONS, NetworkParameters
from nought.games import Game, Position, load
from nought.network import (
    Network,
    NetworkEvaluator,
    build_network,
    choose_device,
    cuda_weights,
    int8,
    load_network,
)
from nought.network.int8 import MORE, SAMPLE, likeness
from nought.network.precision import forward_in, why_not
from nought.network.quantised import CannotQuantise
from nought.network.sample import PositionSample, random_sample
from nought.network.tower_x86 import X86Tower
from nought.network.x86_shape import KINDS
from nought.oracle.labelled import Labelled, built_in_positions, read_positions

AGENT_BATCH, AGENT_POSITIONS, AGENT_SEED = 64, 2000, 1
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


def unseen(game: Game) -> PositionSample:
    """Positions of random games, without those by which ranges are set."""
    seen = {planes.tobytes() for count in (SAMPLE, MORE) for planes in random_sample(game, count).planes}
    found = random_sample(game, AGENT_POSITIONS, AGENT_SEED)
    new = [i for i, planes in enumerate(found.planes) if planes.tobytes() not in seen]
    return PositionSample(found.planes[new], found.legal[new])


def right(forward: Callable[[Any], Any], labelled: list[Labelled]) -> str:
    """The share of positions in which the best legal move keeps what can be had."""
    policy, _ = forward(np.stack([position.planes() for position, *_ in labelled]))
    best = [max(one.position.legal, key=row.__getitem__) for one, row in zip(labelled, policy, strict=True)]
    return f"{np.mean([move in one.truth.keeping for move, one in zip(best, labelled, strict=True)]):.1%}"


def in_turn(forwards: Mapping[str, Callable[[Any], Any]], planes: NDArray[Any]) -> dict[str, float]:
    """Evaluations per second of this thread's time by each, the best of many times."""
    taken = dict.fromkeys(forwards, float("inf"))
    end = time.perf_counter() + SECONDS * ROUNDS * len(forwards)
    while time.perf_counter() < end:
        for precision, forward in forwards.items():
            begin = time.thread_time()
            forward(planes)
            taken[precision] = min(taken[precision], time.thread_time() - begin)
    return {precision: len(planes) / seconds for precision, seconds in taken.items()}


def ways_here() -> dict[str, int8.Way]:
    """All ways to int8 that this machine can go, also those that it would not choose."""
    there = llvm.get_host_cpu_features()
    kinds = [kind for kind in KINDS if all(there.get(name, False) for name in kind.needs)]
    own: dict[str, int8.Way] = {f"int8, {kind.name}": partial(X86Tower, instructions=kind) for kind in kinds}
    return own | {"int8, onnxruntime": int8.OnnxNetwork}


def of_agents(names: list[str], out: Console, *, ways: bool) -> None:
    """A table of agents: speed and agreement in each precision."""
    if ways:
        int8.WAYS.update(ways_here())
    table = Table(title=f"agents on one thread, batches of {AGENT_BATCH}: evaluations/s")
    columns = (
        "precision",
        "speed",
        "of float32",
        "same move",
        "mean |Δv|",
        "right",
        "quantised in",
        "chosen",
    )
    for column in ("agent", "network", *columns):
        table.add_column(column, justify="left" if column == "agent" else "right")
    torch.set_num_threads(1)
    for name in names:
        game = load(card(name).game)
        network, sample = load_network(weights(name), game).network, unseen(game)
        labelled = read_positions(path, game) if (path := built_in_positions(game)) else []
        capacity, forwards, took = max(len(sample.planes), len(labelled)), {}, {}
        played = partial(random_sample, game)
        for precision in PRECISIONS:
            if why_not(precision) is None:
                begin = time.thread_time()
                forwards[precision] = forward_in(precision, network, capacity, 1, played)
                took[precision] = time.thread_time() - begin
        for way in ways_here() if ways else ():
            with suppress(CannotQuantise):
                forwards[way] = int8.Int8Forward(network, 1, played, (way,))
        rates = in_turn(forwards, sample.planes[:AGENT_BATCH].copy())
        plain = forwards["float32"](sample.planes)
        chosen = NetworkEvaluator(game, network, device="cpu", capacity=AGENT_BATCH, threads=1).precision
        for precision, forward in forwards.items():
            first = precision == "float32"
            same, apart = likeness(sample, forward(sample.planes), plain)
            shape = network.architecture
            table.add_row(
                name if first else "", f"{shape.filters}×{shape.blocks}" if first else "", precision,
                f"{rates[precision]:,.0f}", f"{rates[precision] / rates['float32']:.2f} ×", f"{same:.1%}", f"{apart:.4f}",
                right(forward, labelled) if labelled else "–",
                f"{took[precision]:.3f} s" if precision == "int8" else "", "✓" if precision == chosen else "",
            )  # fmt: skip
        table.add_section()
    out.print(table)


def main(
    device: Annotated[str, typer.Option(help="auto, cpu or cuda")] = "auto",
    network: Annotated[list[str] | None, typer.Option(help="filters x blocks; repeat as needed")] = None,
    game: str = "connect4",
    compiled: Annotated[bool, typer.Option(help="cuda: with torch.compile")] = False,
    agents: Annotated[
        bool, typer.Option("--agents", help="the agents that come with nought, on a CPU")
    ] = False,
    agent: Annotated[list[str] | None, typer.Option(help="with --agents: only this one; repeat")] = None,
    ways: Annotated[bool, typer.Option("--ways", help="with --agents: all ways to int8")] = False,
    unfilled: Annotated[bool, typer.Option(help="cuda: filters as they are, not filled up to 16")] = False,
    busy: Annotated[
        bool, typer.Option(help="cpu: by each thread's processor time, for a machine with other work")
    ] = False,
) -> None:
    if agents:
        of_agents(agent or shipped_agents(), Console(width=140), ways=ways)
        return
    played, kind = load(game), choose_device(device).type
    if unfilled:
        cuda_weights.FILTER_MULTIPLE = 1
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
        for precision in PRECISIONS if kind == "cpu" else FLOATS:
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
                    evaluators[0].precision, str(count), *(f"{r:,.0f}" for r in row), f"{start:.1f} s", agreed
                )  # fmt: skip
        chosen = NetworkEvaluator(played, plain, device=device, capacity=64).precision
        out.print(table)
        out.print(f"chosen by itself: {chosen}\n")


if __name__ == "__main__":
    typer.run(main)
