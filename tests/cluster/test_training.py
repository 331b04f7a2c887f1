"""Runs on a real cluster of Ray's: two nodes on this machine, of which players and one node are killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nought.cluster.players import cluster_players
from nought.events import IterationReport, Listener
from nought.learning.loop import learn
from nought.learning.run import Run
from tests.learning.test_loop import new_run
from tests.support.ray_cluster import Nodes, ray_nodes
from tests.support.skips import RAY

pytest.importorskip("ray", reason=RAY)

QUICK: dict[str, Any] = {
    "cluster.seconds": 1.0,
    "cluster.timeout": 5.0,
    "exam.games": 0,
    "selfplay.positions": 200,
    "run.iterations": 6,
}


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """A head on which nobody plays, and one machine with two cores; `ray` is connected with them."""
    with ray_nodes() as found:
        found.add()
        import ray

        ray.init(address=found.address, namespace="nought", log_to_driver=False, logging_level="FATAL")
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


def test_a_run_on_a_cluster_survives_its_players_and_goes_on_anywhere(nodes: Nodes, tmp_path: Path) -> None:
    run = new_run(tmp_path, **QUICK)

    def kill_player() -> None:
        (player,) = [pid for node in nodes.workers for pid in nodes.players(node)]
        os.kill(player, signal.SIGKILL)

    def hang_player() -> None:
        (player,) = [pid for node in nodes.workers for pid in nodes.players(node)]
        os.kill(player, signal.SIGSTOP)

    watched = Faults(after_2=kill_player, after_4=hang_player)
    learn(run, watched, players=cluster_players(nodes.address))
    assert [report.iteration for report in watched.reports] == list(range(1, 7))
    assert len(watched.warnings) == 2, watched.warnings
    assert "has died" in watched.warnings[0] and "has not answered" in watched.warnings[1]
    for report in Run(run.folder).reports():  # as they are written down
        (node,) = report.selfplay.nodes
        assert node.positions == report.selfplay.positions and node.players == 1
        assert node.version in (report.version - 1, report.version - 2)

    continuous = new_run(
        tmp_path, "continuous", **QUICK | {"cluster.continuous": True, "cluster.seconds": 0.2}
    )
    watched = Faults()
    learn(continuous, watched, players=cluster_players(nodes.address))
    for report in watched.reports:
        steps = report.selfplay.positions * continuous.parameters.learning.reuse / 32
        assert report.learning.steps == round(steps)  # whatever has been played meanwhile
    again = Run(run.folder)  # without a cluster: a machine begins new games
    again.extend(run.parameters.run.__class__(iterations=7, minutes=0))
    learn(again)
    assert again.progress().iteration == 7 and again.reports()[-1].selfplay.nodes == ()
