"""What a cluster costs and what is learned on it, on this machine: raylets with one thread each, against one process with as
many threads.

    python benchmarks/cluster.py speed --nodes 3 5        positions a second, in turns in one run
    python benchmarks/cluster.py learning --seeds 0 1 2   accuracy against perfect play after equally many positions

Speed is measured in turns, so that whatever else the machine does disturbs both alike; what counts is the ratio. Beside the
clock's there is that of processor time, of all processes (Ray's own, too): other programs disturb it least.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the tests' cluster

from nought.cluster.players import ClusterPlayers
from nought.events import Listener
from nought.games import load
from nought.learning.loop import learn
from nought.learning.run import Run
from nought.network.resnet import build_network
from nought.presets import Overrides, override, preset
from nought.selfplay.local import LocalPlayer
from tests.support.ray_cluster import Nodes, processes_below, ray_nodes

SIMULATIONS = 32
LEARNED: dict[str, Overrides] = {
    "tictactoe": {"network.filters": 16, "network.blocks": 2, "run.iterations": 30},
    "dots-and-boxes:2x2": {"network.filters": 32, "network.blocks": 3, "run.iterations": 30},
}


@contextmanager
def machines(count: int) -> Iterator[Nodes]:
    with ray_nodes() as nodes:
        for _ in range(count):
            nodes.add()
        yield nodes


def speed(count: int, positions: int, rounds: int) -> None:
    """Positions a second on so many machines of one thread, and of one process with as many threads."""
    game = load("connect4")
    changes = {"selfplay.threads": count, "cluster.seconds": 600.0, "run.precision": "float32"}
    alone = preset("best", "connect4", changes)
    spread = override(alone, {"selfplay.threads": 1})
    network = build_network(game, alone.network, 0)
    with tempfile.TemporaryDirectory() as folder, machines(count) as nodes:
        local = LocalPlayer(game, alone, network, "cpu")
        run = Run.create(Path(folder) / "run", "connect4", spread)
        cluster = ClusterPlayers(run, Listener(), nodes.address)
        try:
            cluster.update(network, 0)
            while len(cluster.crew.ready) < count:
                cluster._pass_on()
                time.sleep(0.1)
            found: dict[str, list[Turn]] = {"one process": [], "cluster": []}
            for turn in range(rounds + 1):  # the first round compiles
                for name, play in (("one process", local.play), ("cluster", cluster.play)):
                    made = _timed(partial(play, positions, SIMULATIONS, lambda _: None))
                    found[name] += [made] if turn else []
        finally:
            cluster.close()
    alone_turns, cluster_turns = found.values()
    for kind, unit in (("clock", "s"), ("processor", "s of processor time")):
        one, many = ([getattr(turn, kind) for turn in turns] for turns in (alone_turns, cluster_turns))
        ratios = [o / m for o, m in zip(one, many, strict=True)]
        print(
            f"{count} raylets, {positions:,} positions: one process {statistics.median(one):.1f} {unit}, cluster "
            f"{statistics.median(many):.1f}: {statistics.median(ratios):.0%} ({min(ratios):.0%} to {max(ratios):.0%})",
            flush=True,
        )


class Turn(NamedTuple):
    """What a turn took, in seconds."""

    clock: float
    processor: float


def _timed(play: Callable[[], object]) -> Turn:
    begin, spent = time.perf_counter(), _processor_time()
    play()
    return Turn(time.perf_counter() - begin, _processor_time() - spent)


def _processor_time() -> float:
    """Seconds of this process and of all that it has started, by the system's count."""
    below = [os.getpid()]
    for pid in below:
        below += processes_below(pid)
    ticks = 0
    for pid in below:
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def learning(games: list[str], seeds: list[int], count: int) -> None:
    """Accuracy of the last version, alone and on a cluster, by game and seed."""
    for game in games:
        changes = LEARNED[game]
        found: dict[str, list[float]] = {"alone": [], "in step": [], "continuous": []}
        for seed in seeds:
            for name in found:
                found[name].append(_learned(game, changes | {"run.seed": seed}, name, count))
                print(f"{game}, seed {seed}, {name}: {found[name][-1]:.1%}", flush=True)
        for name, shares in found.items():
            print(f"{game}, {name}: {statistics.mean(shares):.1%} ({', '.join(f'{s:.1%}' for s in shares)})")


def _learned(game: str, changes: Overrides, how: str, count: int) -> float:
    fixed = {
        "selfplay.positions": 2000,
        "selfplay.games": 32,
        "run.minutes": 0,
        "exam.games": 0,
        "selfplay.threads": count if how == "alone" else 1,
        "cluster.continuous": how == "continuous",
        "cluster.seconds": 1.0,
    }
    with tempfile.TemporaryDirectory() as folder:
        run = Run.create(Path(folder) / "run", game, preset("best", game, fixed | changes))
        if how == "alone":
            learn(run, device="cpu")
        else:
            with machines(count) as nodes:
                address = nodes.address
                learn(run, device="cpu", players=lambda run, to: ClusterPlayers(run, to, address))
        exams = [report.exam for report in run.reports() if report.exam]
        return statistics.mean(exam.accuracy or 0.0 for exam in exams[-3:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("what", choices=("speed", "learning"))
    parser.add_argument("--nodes", type=int, nargs="+", default=[3, 5])
    parser.add_argument("--positions", type=int, default=6000, help="of each turn")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", nargs="+", choices=LEARNED, default=list(LEARNED), help="to learn")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    given = parser.parse_args()
    if given.what == "speed":
        for count in given.nodes:
            speed(count, given.positions, given.rounds)
    else:
        learning(given.games, given.seeds, 2)


if __name__ == "__main__":
    main()
