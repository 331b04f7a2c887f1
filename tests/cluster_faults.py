"""Faults at random moments in one run on a cluster of Ray's, which must end, and with an agent as good as without them.

    python -m tests.cluster_faults --faults 50

The cluster is one on this machine: a head, on which the learner runs, and machines (raylets) with a core each. Faults are
of these kinds, drawn at random: kill -9 of a player, of a machine, of the learner; a player and a machine that hang; a
machine that comes. Before it there is a run without faults, for as many iterations. A few faults are among the tests.
"""

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import mean

from nought.learning.run import Run
from tests.learning.test_loop import new_run
from tests.support.programs import NOUGHT, Program
from tests.support.ray_cluster import Nodes, ray_nodes

MACHINES = 2  # that play when a run begins
MOST_MACHINES = 3
PAUSES = (0.2, 3.0)  # seconds between two faults
LAST = 5  #        versions whose accuracy is compared
WORSE = 0.06  #    by so much their mean may be lower than without faults
NO_PROGRESS = 240.0  # seconds without an iteration, which are a failure
SETTINGS = {
    "network.filters": 16,
    "search.simulations": 16,
    "selfplay.games": 16,
    "selfplay.positions": 600,
    "learning.window": 6000,
    "learning.batch": 64,
    "exam.games": 0,
    "cluster.seconds": 1.0,
    "cluster.timeout": 5.0,
    "cluster.join": 60.0,
}


class Lost(Exception):
    """Something that was learned is not there, or the run does not go on."""


class Fault:
    """What can happen, each a method: True where it could be done now."""

    def __init__(self, nodes: Nodes, chance: random.Random) -> None:
        self.nodes, self.chance = nodes, chance

    def _player(self) -> int | None:
        players = [pid for node in self.nodes.workers for pid in self.nodes.players(node)]
        return self.chance.choice(players) if players else None

    def player_killed(self) -> bool:
        if (pid := self._player()) is not None:
            os.kill(pid, signal.SIGKILL)
        return pid is not None

    def player_hangs(self) -> bool:
        if (pid := self._player()) is not None:
            os.kill(pid, signal.SIGSTOP)
        return pid is not None

    def machine_killed(self) -> bool:
        if len(self.nodes.workers) < 2:
            return False
        self.nodes.kill(self.chance.choice(self.nodes.workers))
        return True

    def machine_hangs(self) -> bool:
        if len(self.nodes.workers) < 2:
            return False
        node = self.chance.choice(self.nodes.workers)
        self.nodes.freeze(node)
        time.sleep(4)  # until the cluster has noticed
        self.nodes.kill(node)
        return True

    def machine_comes(self) -> bool:
        if len(self.nodes.workers) >= MOST_MACHINES:
            return False
        self.nodes.add()
        return True


KINDS = (
    "player_killed",
    "player_hangs",
    "machine_killed",
    "machine_hangs",
    "machine_comes",
    "learner_killed",
)


def learner(run: Run, address: str, folder: Path) -> Program:
    command = [*NOUGHT, "train", "--resume", str(run.folder), "--cluster", address, "--json"]
    return Program(command, folder)


def accuracy(run: Run) -> float:
    """The mean of the last versions."""
    found = [report.exam.accuracy for report in run.reports() if report.exam and report.exam.accuracy]
    return mean(found[-LAST:])


def undisturbed(nodes: Nodes, folder: Path, iterations: int, continuous: bool) -> Run:
    changes = {"run.iterations": iterations, "cluster.continuous": continuous}
    run = new_run(folder, "whole", **SETTINGS | changes)
    program = learner(run, nodes.address, folder)
    try:
        if program.end(1200):
            raise Lost(program.errors)
    finally:
        program.process.kill()
    return run


def disturbed(
    nodes: Nodes, folder: Path, faults: int, iterations: int, continuous: bool, chance: random.Random
) -> tuple[Run, Counter[str]]:
    """A run with so many faults: it goes on until there were as many, and then for the rest of its iterations."""
    changes = {"run.iterations": iterations, "cluster.continuous": continuous}
    run = new_run(folder, "faults", **SETTINGS | changes)
    fault, done, program = Fault(nodes, chance), Counter[str](), learner(run, nodes.address, folder)
    reached, since = 0, time.monotonic()
    try:
        while program.code != 0:
            time.sleep(chance.uniform(*PAUSES))
            iteration = run.progress().iteration
            if iteration < reached:
                raise Lost(f"the run was in iteration {reached} and is in {iteration}")
            if iteration > reached:
                reached, since = iteration, time.monotonic()
            if time.monotonic() - since > NO_PROGRESS:
                raise Lost(f"no iteration since {reached}: {program.errors[-2000:]}")
            if program.code not in (None, 0):
                raise Lost(f"the learner has ended with {program.code}: {program.errors[-2000:]}")
            early = iteration < iterations * done.total() / (faults + 1)  # they are spread over the run
            if done.total() >= faults or early or program.code == 0:
                continue
            kind = chance.choice(KINDS)
            if kind == "learner_killed":
                program.process.kill()
                program.end(30)
                program = learner(run, nodes.address, folder)
            elif not getattr(fault, kind)():
                continue
            done[kind] += 1
            print(f"iteration {iteration}: {done.total()} faults, {kind}", flush=True)
    finally:
        program.process.kill()
    return run, done


def main() -> int:
    parser = argparse.ArgumentParser("tests.cluster_faults", description=__doc__.partition("\n")[0])
    parser.add_argument("--faults", type=int, default=50)
    parser.add_argument("--iterations", type=int, default=60, help="of both runs, at least")
    parser.add_argument("--continuous", action="store_true", help="players never wait")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nought-faults-") as name, ray_nodes() as nodes:
        folder = Path(name)
        for _ in range(MACHINES):
            nodes.add()
        try:
            whole = undisturbed(nodes, folder, given.iterations, given.continuous)
            chance = random.Random(given.seed)
            run, done = disturbed(nodes, folder, given.faults, given.iterations, given.continuous, chance)
        except Lost as loss:
            print(f"lost: {loss}")
            return 1
        expected, found = accuracy(whole), accuracy(run)
        kinds = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in done.most_common())
        print(
            f"{done.total()} faults ({kinds}): the run has ended after {run.progress().iteration} iterations"
        )
        print(f"accuracy of its last versions {found:.1%}, without faults {expected:.1%}")
        return int(done.total() < given.faults or found < expected - WORSE)


if __name__ == "__main__":
    sys.exit(main())
