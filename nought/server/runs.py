"""Training runs on this machine, as clients see them."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from nought.errors import NoughtError
from nought.events import IterationReport
from nought.games import Position
from nought.games.notation import format_move
from nought.learning.run import RUN_NAME, Run, run_folders
from nought.network import NetworkEvaluator
from nought.server.http.errors import NotFound
from nought.server.http.metrics import escaped
from nought.server.views import parse_position
from nought.wire.server import MoveShare, RunAnswer, RunSummary, VersionOpinion

MOST_VERSIONS = 30  # whose opinion of a position is shown


def _changed(path: Path) -> float:
    """When a folder has changed last; long ago where that cannot be seen."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


class TrainingRuns:
    """The runs in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def summaries(self) -> list[RunSummary]:
        """All runs, the one that has changed last first."""
        listed = []
        for path in sorted(run_folders(self.folder), key=_changed, reverse=True):
            with contextlib.suppress(NoughtError):  # no run, or one that cannot be read
                listed.append(RunSummary(**summary(Run(path))))
        return listed

    def find(self, name: str) -> Run:
        if not RUN_NAME.fullmatch(name) or not (self.folder / name / "config.toml").is_file():
            raise NotFound(f"there is no run {name[:60]!r}")
        return Run(self.folder / name)


def metrics(runs: TrainingRuns) -> list[str]:
    """The runs that are going on, in Prometheus's text format: how far they are, and what each machine gives."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in run_folders(runs.folder):
        with contextlib.suppress(NoughtError):
            run = Run(path)
            if run.busy and (reports := run.reports()):
                for name, labels, number in _gauges(f'run="{escaped(path.name)}"', reports[-1]):
                    found[name].append(f"nought_run_{name}{{{labels}}} {number:g}")
    return [line for name, own in found.items() for line in (f"# TYPE nought_run_{name} gauge", *own)]


def _gauges(run: str, report: IterationReport) -> Iterator[tuple[str, str, float]]:
    """Names, labels and numbers of a run's last iteration."""
    played = report.selfplay
    yield "iteration", run, report.iteration
    yield "version", run, report.version
    yield "positions_per_second", run, played.positions / max(played.seconds, 1e-9)
    for node in played.nodes:
        labels = f'{run},node="{escaped(node.node)}"'
        yield "node_positions_per_second", labels, node.speed
        yield "node_versions_behind", labels, report.version - node.version
        yield "node_positions_dropped", labels, node.dropped


def summary(run: Run) -> dict[str, Any]:
    """The fields of a summary."""
    progress = run.progress()
    return {
        "name": run.folder.name,
        "game": run.game_name,
        "state": state(run),
        "iteration": progress.iteration,
        "iterations": run.parameters.run.iterations or None,
        "version": progress.version,
        "minutes": progress.minutes,
        "minutes_planned": run.parameters.run.minutes or None,
        "share": progress.share_done(run.parameters.run),
    }


def state(run: Run) -> str:
    """running: a process works on it; done: it is over; else stopped."""
    if run.busy:
        return "running"
    return "done" if run.progress().share_done(run.parameters.run) >= 1 else "stopped"


def whole(run: Run) -> RunAnswer:
    """Everything about a run: its parameters and the reports of all iterations."""
    reports = tuple(asdict(report) for report in run.reports())
    return RunAnswer(**summary(run), config=asdict(run.parameters), metrics=reports)


def opinions(run: Run, moves: str) -> list[VersionOpinion]:
    """What the network of each version, without search, thinks of a position."""
    position = parse_position(run.game, moves)
    if position.finished:
        raise NoughtError("the game is over: there is nothing to judge")
    versions = run.versions()
    if len(versions) > MOST_VERSIONS:
        spread = np.linspace(0, len(versions) - 1, MOST_VERSIONS).round().astype(int)
        versions = [versions[i] for i in spread]
    return [_opinion(run.version_path(version), version, position) for version in versions]


@lru_cache(maxsize=4096)
def _opinion(path: Path, version: int, position: Position) -> VersionOpinion:
    policy, value = _evaluator(path, position)(position.state[None])
    shares = {move: float(policy[0, move]) for move in position.legal}
    total = sum(shares.values()) or 1.0
    names = {move: format_move(position, move) for move in shares}
    return VersionOpinion(
        version=version,
        value=float(value[0]),
        best=names[max(shares, key=lambda move: shares[move])],
        policy=tuple(MoveShare(name=names[move], share=share / total) for move, share in shares.items()),
    )


def _evaluator(path: Path, position: Position) -> NetworkEvaluator:
    from nought.network import load_network

    network = load_network(path, position.game).network
    return NetworkEvaluator(position.game, network, device="cpu", capacity=1, precision="float32")
