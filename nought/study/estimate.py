"""How long a study will take: from what its runs have taken so far, or from short trials."""

from __future__ import annotations

import dataclasses
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nought.learning.run import Run, run_folder
from nought.study.plan import Part, PlannedRun, Point, Study
from nought.study.sweep import LOG, standing, start

TRIAL = 3  #        iterations; the first fills the window and is not counted
PATIENCE = 40.0  #  seconds for a trial


class Pace(NamedTuple):
    """Minutes that an iteration takes (or a game, if those are counted), and how that is known."""

    minutes: float
    source: str  # runs, trial, others (between two of them), or too slow (at least so many minutes)


class Estimate(NamedTuple):
    """Of one run."""

    minutes: float  #   still to do
    source: str  #      as of its pace; done, or budget where that is the wall-clock


def estimates(
    study: Study, device: str, progress: Callable[[float], None] = lambda done: None
) -> dict[PlannedRun, Estimate]:
    """Of every run. Of what nobody has run yet, the first and the last point of each part are tried for a moment."""
    found: dict[PlannedRun, Estimate] = {}
    for i, part in enumerate(study.parts):
        paces: dict[Point, Pace] | None = None
        for point, runs in part.runs.items():
            for planned in runs:
                now, limit = standing(planned), planned.parameters.run
                if now.done:
                    found[planned] = Estimate(0.0, "done")
                elif limit.minutes and not limit.iterations and not limit.games:
                    found[planned] = Estimate(limit.minutes - now.progress.minutes, "budget")
                elif planned not in found:
                    paces = paces or _paces(part, study.threads, device)
                    pace, source = paces[point]
                    left = (1 - now.share) * (limit.games or limit.iterations)
                    found[planned] = Estimate(left * pace, source)
        progress((i + 1) / len(study.parts))
    return found


def _paces(part: Part, threads: int, device: str) -> dict[Point, Pace]:
    """Of every point of a part."""
    known = {place: pace for place, runs in enumerate(part.runs.values()) if (pace := _of_runs(runs))}
    last = len(part.runs) - 1
    for place in (0, last):
        if place not in known:
            others = [pace for pace in known.values() if pace.source == "too slow"]
            first_seed = list(part.runs.values())[place][0]
            known[place] = others[0] if others else _trial(first_seed, threads, device)
    return {point: _between(known, place) for place, point in enumerate(part.runs)}


def _between(known: dict[int, Pace], place: int) -> Pace:
    """The pace at this place; where it is not known, on a line between its neighbours."""
    if place in known:
        return known[place]
    below, above = max(n for n in known if n < place), min(n for n in known if n > place)
    ends = [known[below], known[above]]
    if any(end.source == "too slow" for end in ends):
        return Pace(min(end.minutes for end in ends), "too slow")
    return Pace(float(np.interp(place, [below, above], [end.minutes for end in ends])), "others")


def _of_runs(runs: Sequence[PlannedRun]) -> Pace | None:
    """As runs of this point were, whatever their seed."""
    for planned in runs:
        if run_folder(planned.name).exists() and (pace := _measured(Run(run_folder(planned.name)))):
            return Pace(pace, "runs")
    return None


def _trial(planned: PlannedRun, threads: int, device: str) -> Pace:
    """As a few iterations of a run are that is thrown away."""
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
            return Pace(pace, "trial")
    return Pace(PATIENCE / 60, "too slow")


def _measured(run: Run) -> float | None:
    """Minutes of an iteration after the first, or of a game where games are the budget."""
    reports = run.reports()
    if len(reports) < 2:
        return None
    minutes = reports[-1].minutes - reports[0].minutes
    units = sum(r.selfplay.games for r in reports[1:]) if run.parameters.run.games else len(reports) - 1
    return minutes / max(units, 1)
