"""A run on a real cluster of Ray's, whose player is killed. `python -m tests.cluster_faults` does much more of that."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nought.cluster.connect import connected
from nought.cluster.players import cluster_players
from nought.config import RunParameters
from nought.events import IterationReport, Listener
from nought.learning.loop import learn
from nought.learning.run import Run
from tests.learning.test_loop import new_run
from tests.support.programs import run_program, until
from tests.support.ray_cluster import Nodes, ray_nodes
from tests.support.skips import RAY, slow

pytest.importorskip("ray", reason=RAY)

QUICK: dict[str, Any] = {
    "cluster.seconds": 1.0,
    "cluster.timeout": 5.0,
    "exam.games": 0,
    "selfplay.positions": 200,
    "run.iterations": 3,
}


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """A head on which nobody plays, and one machine; this process is connected with them."""
    with ray_nodes() as found:
        found.add()
        with connected(found.address):
            yield found


class Faults(Listener):
    """Does something after some iterations, and keeps what is said."""

    def __init__(self, **faults: Any) -> None:
        self.faults = faults
        self.reports: list[IterationReport] = []
        self.warnings: list[str] = []

    def iteration(self, report: IterationReport) -> None:
        self.reports.append(report)
        self.faults.pop(f"after_{report.iteration}", lambda: None)()

    def warning(self, text: str) -> None:
        self.warnings.append(text)


def test_a_run_on_a_cluster_survives_a_player_and_goes_on_without_the_cluster(
    nodes: Nodes, tmp_path: Path
) -> None:
    run = new_run(tmp_path, **QUICK)

    def kill_player() -> None:
        (player,) = [pid for node in nodes.workers for pid in nodes.players(node)]
        os.kill(player, signal.SIGKILL)

    watched = Faults(after_1=kill_player)
    learn(run, watched, players=cluster_players(nodes.address))
    assert [report.iteration for report in watched.reports] == [1, 2, 3]
    assert len(watched.warnings) == 1 and "has died" in watched.warnings[0], watched.warnings
    for report in Run(run.folder).reports():  # as they are written down
        (node,) = report.selfplay.nodes
        assert node.positions == report.selfplay.positions and node.players == 1
        assert node.version == report.version - 1 and node.dropped == 0
    assert nodes.players(nodes.workers[0]) == [] or until(lambda: not nodes.players(nodes.workers[0]), 30)
    again = Run(run.folder)  # without a cluster: this machine begins new games
    again.extend(RunParameters(iterations=4, minutes=0))
    learn(again)
    assert again.progress().iteration == 4 and again.reports()[-1].selfplay.nodes == ()


@slow
def test_faults_of_all_kinds(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.cluster_faults", "--faults", "6", "--iterations", "20"]
    done = run_program(command, cwd=Path(__file__).parents[2], limit=280)
    assert done.returncode == 0, done.stdout + done.stderr
