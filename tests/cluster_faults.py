"""Faults at random moments in one run on a cluster of Ray's, which must end, and with an agent as good as without them.

    python -m tests.cluster_faults --faults 50

The cluster is one on this machine: a head, on which the learner runs, and machines (raylets) with a core each. Faults are
of these kinds, drawn at random: kill -9 of a player, of a machine, of the learner; a player and a machine that hang; a
machine that comes. For root, machines have a network and a disk of their own, and there are more: machines that hang and go on;
cables pulled for a moment and for longer than Ray waits; full disks, of a machine and of the learner. Faults that last
are mended later; others happen meanwhile. Before it there is a run without faults, for as many iterations. A few faults are
among the tests.
"""

import argparse
import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

from nought.learning.run import Run
from tests.learning.test_loop import new_run
from tests.support.far_nodes import NO_NAMESPACES, FarNodes, fill, possible, small_disk
from tests.support.programs import NOUGHT, Program
from tests.support.ray_cluster import Nodes, ray_nodes

MACHINES = 2  # that play when a run begins
MOST_MACHINES = 3
PAUSES = (0.2, 3.0)  # seconds between two faults
MOMENT = (0.5, 3.0)  # seconds that Ray's health checks do not notice
LONG = (12.0, 20.0)  # seconds after which a silent machine has been given up
LAST = 5  #        versions whose accuracy is compared
WORSE = 0.06  #    by so much their mean may be lower than without faults
NO_PROGRESS = 240.0  # seconds without an iteration, which are a failure
LEARNERS_DISK = 64  # megabytes
ALIKE = 32  # positions in a row that nobody plays twice
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
    """What can happen to players and machines, each a method: True where it could be done now."""

    def __init__(self, nodes: Nodes, chance: random.Random) -> None:
        self.nodes, self.chance = nodes, chance
        self.lasting: dict[
            Any, tuple[float, Callable[[], None]]
        ] = {}  # by machine: until when, and what ends it

    def mend(self, *, everything: bool = False) -> None:
        """End what has lasted long enough."""
        for node, (until, end) in list(self.lasting.items()):
            if everything or time.monotonic() > until:
                del self.lasting[node]
                end()

    def _player(self) -> int | None:
        players = [pid for node in self.nodes.workers for pid in self.nodes.players(node)]
        return self.chance.choice(players) if players else None

    def _machine(self) -> Any:
        """One that has no trouble yet, if there is another one without."""
        sound = [node for node in self.nodes.workers if node not in self.lasting]
        return self.chance.choice(sound) if len(sound) > 1 else None

    def _lasts(self, seconds: tuple[float, float], begin: str, end: str) -> bool:
        if (node := self._machine()) is None:
            return False
        getattr(self.nodes, begin)(node)
        until = time.monotonic() + self.chance.uniform(*seconds)
        self.lasting[node] = until, partial(getattr(self.nodes, end), node)
        return True

    def player_killed(self) -> bool:
        if (pid := self._player()) is not None:
            os.kill(pid, signal.SIGKILL)
        return pid is not None

    def player_hangs(self) -> bool:
        if (pid := self._player()) is not None:
            os.kill(pid, signal.SIGSTOP)
        return pid is not None

    def machine_killed(self) -> bool:
        if (node := self._machine()) is not None:
            self.nodes.kill(node)
        return node is not None

    def machine_hangs(self) -> bool:
        return self._lasts(LONG, "freeze", "kill")

    def machine_pauses(self) -> bool:
        return self._lasts(MOMENT, "freeze", "thaw")

    def machine_wakes(self) -> bool:
        return self._lasts(LONG, "freeze", "thaw")

    def machine_comes(self) -> bool:
        if len(self.nodes.workers) >= MOST_MACHINES:
            return False
        self.nodes.add()
        return True

    def cable_loose(self) -> bool:
        return self._lasts(MOMENT, "cut", "mend")

    def cable_pulled(self) -> bool:
        return self._lasts(LONG, "cut", "mend")

    def disk_full(self) -> bool:
        """And a player has to start there again."""
        if not self._lasts(LONG, "fill_disk", "clear_disk"):
            return False
        node = list(self.lasting)[-1]
        for pid in self.nodes.players(node):
            os.kill(pid, signal.SIGKILL)
        return True


KINDS = (
    "player_killed",
    "player_hangs",
    "machine_killed",
    "machine_hangs",
    "machine_comes",
    "learner_killed",
)
FAR_KINDS = (
    "machine_pauses",
    "machine_wakes",
    "cable_loose",
    "cable_pulled",
    "disk_full",
    "learners_disk_full",
)


def learner(run: Run, address: str, folder: Path) -> Program:
    command = [*NOUGHT, "train", "--resume", str(run.folder), "--cluster", address, "--json"]
    return Program(command, folder)


def fill_disk_of(program: Program, run: Run) -> None:
    """The learner finds no room, says so in a line, and could go on when there is some."""
    filling = run.folder.parent / "filling"
    fill(filling)
    code = program.end(120)
    filling.unlink()
    said = program.errors.splitlines()
    if code != 2 or "Traceback" in program.errors or sum("the disk is full" in line for line in said) != 1:
        raise Lost(f"a full disk: code {code}, {program.errors[-3000:]}")


def accuracy(run: Run) -> float:
    """The mean of the last versions."""
    found = [report.exam.accuracy for report in run.reports() if report.exam and report.exam.accuracy]
    return mean(found[-LAST:])


class Seen:
    """What has been learned from, to see that nothing is twice."""

    def __init__(self) -> None:
        self.rows: dict[bytes, str] = {}  # by so many positions in a row, where they begin
        self.files: set[str] = set()

    def look(self, run: Run) -> None:
        for path in sorted((run.folder / "memory").glob("*.npz")):
            if path.name not in self.files:
                with contextlib.suppress(FileNotFoundError):  # too old by now
                    self._add(path)

    def _add(self, path: Path) -> None:
        import numpy as np

        with np.load(path) as arrays:
            count = len(arrays["states"])
            flat = [
                np.ascontiguousarray(arrays[name]).reshape(count, -1).view(np.uint8)
                for name in ("states", "policy")
            ]
        rows = np.concatenate(flat, axis=1)
        self.files.add(path.name)
        for first in range(count - ALIKE + 1):
            key = rows[first : first + ALIKE].tobytes()
            if self.rows.setdefault(key, f"{path.name}:{first}") != f"{path.name}:{first}":
                raise Lost(f"positions from {path.name}:{first} on are those from {self.rows[key]} on")


def check_reports(run: Run) -> None:
    """Every iteration is there once, and all of its positions are somebody's."""
    reports = run.reports()
    if [report.iteration for report in reports] != list(range(1, run.progress().iteration + 1)):
        raise Lost(f"iterations {[report.iteration for report in reports]}")
    for report in reports:
        played = report.selfplay
        if sum(node.positions for node in played.nodes) != played.positions:
            raise Lost(f"iteration {report.iteration}: {played}")


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


class Disturbed:
    """A run with so many faults: it goes on until there were as many, and then for the rest of its iterations."""

    def __init__(self, nodes: Nodes, folder: Path, given: argparse.Namespace, kinds: list[str]) -> None:
        self.nodes, self.given, self.kinds = nodes, given, kinds
        self.chance = random.Random(given.seed)
        self.fault, self.done, self.seen = Fault(nodes, self.chance), Counter[str](), Seen()
        changes = {"run.iterations": given.iterations, "cluster.continuous": given.continuous}
        self.folder = folder
        disk = folder / "disk"
        self.run = new_run(disk if disk.exists() else folder, "faults", **SETTINGS | changes)
        self.reached, self.since = 0, time.monotonic()

    def go(self) -> None:
        self.program = self._learner()
        try:
            while self.program.code != 0:
                time.sleep(self.chance.uniform(*PAUSES))
                self.fault.mend()
                self._check()
                # they are spread over the run
                early = self.reached < self.given.iterations * self.done.total() / (self.given.faults + 1)
                if self.done.total() < self.given.faults and not early and self.program.code is None:
                    kinds = self.chance.sample(self.kinds, len(self.kinds))
                    any(map(self._disturb, kinds))  # the first that can be done now
            self.seen.look(self.run)
            check_reports(self.run)
        finally:
            self.program.process.kill()
            self.fault.mend(everything=True)

    def _learner(self) -> Program:
        return learner(self.run, self.nodes.address, self.folder)

    def _check(self) -> None:
        iteration = self.run.progress().iteration
        if iteration < self.reached:
            raise Lost(f"the run was in iteration {self.reached} and is in {iteration}")
        if iteration > self.reached:
            self.reached, self.since = iteration, time.monotonic()
        if time.monotonic() - self.since > NO_PROGRESS:
            raise Lost(f"no iteration since {self.reached}: {self.program.errors[-2000:]}")
        if self.program.code not in (None, 0):
            raise Lost(f"the learner has ended with {self.program.code}: {self.program.errors[-2000:]}")
        self.seen.look(self.run)

    def _disturb(self, kind: str) -> bool:
        if kind == "learner_killed":
            self.program.process.kill()
            self.program.end(30)
            self.program = self._learner()
        elif kind == "learners_disk_full":
            fill_disk_of(self.program, self.run)
            self.program = self._learner()
        elif not getattr(self.fault, kind)():
            return False
        self.done[kind] += 1
        print(f"iteration {self.reached}: {self.done.total()} faults, {kind}", flush=True)
        return True


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("tests.cluster_faults", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--faults", type=int, default=50)
    parser.add_argument("--iterations", type=int, default=60, help="of both runs, at least")
    parser.add_argument("--continuous", action="store_true", help="players never wait")
    parser.add_argument("--kinds", nargs="+", choices=KINDS + FAR_KINDS, help="these alone")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> int:
    given, far = options(), possible()
    kinds = [kind for kind in given.kinds or KINDS + FAR_KINDS if far or kind not in FAR_KINDS]
    if not far:
        print(f"left out are {', '.join(FAR_KINDS)}: {NO_NAMESPACES}")
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nought-faults-")))
        if far:
            stack.enter_context(small_disk(folder / "disk", LEARNERS_DISK))
        nodes = stack.enter_context(ray_nodes(make=FarNodes if far else Nodes))
        for _ in range(MACHINES):
            nodes.add()
        try:
            whole = undisturbed(nodes, folder, given.iterations, given.continuous)
            disturbed = Disturbed(nodes, folder, given, kinds)
            disturbed.go()
        except Lost as loss:
            print(f"lost: {loss}")
            return 1
        run, done = disturbed.run, disturbed.done
        expected, found = accuracy(whole), accuracy(run)
        counts = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in done.most_common())
        ended = run.progress().iteration
        print(f"{done.total()} faults ({counts}): the run has ended after {ended} iterations")
        print(f"accuracy of its last versions {found:.1%}, without faults {expected:.1%}")
        return int(done.total() < given.faults or found < expected - WORSE)


if __name__ == "__main__":
    sys.exit(main())
