"""How long a study will take: from what its runs have taken so far, or from short trials."""

from __future__ import annotations

import dataclasses
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from nought.config import Parameters
from nought.learning.run import Run, run_folder
from nought.study.plan import PlannedRun, Study
from nought.study.sweep import LOG, standing, start

TRIAL = 3  #        iterations; the first fills the window and is not counted
PATIENCE = 90.0  #  seconds for a trial


class Estimate(NamedTuple):
    """Of one run."""

    minutes: float  #   still to do
    source: str  #      how it is known: done, budget, runs, trial or too slow (at least so many minutes)


def estimates(
    study: Study, device: str, progress: Callable[[float], None] = lambda done: None
) -> dict[PlannedRun, Estimate]:
    """Of every run. Points are tried that nobody has run yet, unless the budget is the wall-clock."""
    found: dict[PlannedRun, Estimate] = {}
    paces: dict[tuple[str, Parameters], tuple[float, str]] = {}
    runs = study.runs()
    for i, planned in enumerate(runs):
        now = standing(planned)
        limit = planned.parameters.run
        key = (planned.game, _without_seed(planned.parameters))
        if now.done:
            found[planned] = Estimate(0.0, "done")
        elif limit.minutes and not limit.iterations and not limit.games:
            found[planned] = Estimate(limit.minutes - now.progress.minutes, "budget")
        else:
            if key not in paces:
                paces[key] = _pace(planned, runs, study.threads, device)
            pace, source = paces[key]
            found[planned] = Estimate((1 - now.share) * (limit.games or limit.iterations) * pace, source)
        progress((i + 1) / len(runs))
    return found


def _pace(planned: PlannedRun, runs: Sequence[PlannedRun], threads: int, device: str) -> tuple[float, str]:
    """Minutes an iteration of this point takes (or a game, if those are counted), and how that is known."""
    same = [
        r
        for r in runs
        if (r.game, _without_seed(r.parameters)) == (planned.game, _without_seed(planned.parameters))
    ]
    for other in same:
        if run_folder(other.name).exists() and (pace := _measured(Run(run_folder(other.name)))):
            return pace, "runs"
    with tempfile.TemporaryDirectory() as folder:
        limits = dataclasses.replace(planned.parameters.run, iterations=TRIAL, games=0, minutes=0.0)
        trial = Run.create(
            Path(folder) / "trial", planned.game, dataclasses.replace(planned.parameters, run=limits)
        )
        with (trial.folder / LOG).open("wb") as log:
            process = start(trial.folder, threads, device, log)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            pass
        finally:
            process.kill()
            process.wait()
        if pace := _measured(trial):
            return pace, "trial"
    return PATIENCE / 60, "too slow"


def _measured(run: Run) -> float | None:
    """Minutes of an iteration after the first, or of a game where games are the budget."""
    reports = run.reports()
    if len(reports) < 2:
        return None
    minutes = reports[-1].minutes - reports[0].minutes
    units = sum(r.selfplay.games for r in reports[1:]) if run.parameters.run.games else len(reports) - 1
    return minutes / max(units, 1)


def _without_seed(parameters: Parameters) -> Parameters:
    return dataclasses.replace(parameters, run=dataclasses.replace(parameters.run, seed=0))
