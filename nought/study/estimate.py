"""How long a study will take: from what its runs have taken so far, or from short trials."""

from __future__ import annotations

import dataclasses
import math
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nought.learning.run import Run, run_folder
from nought.study.plan import Part, PlannedRun, Point, Study
from nought.study.sweep import LOG, standing, start

TRIAL_ITERATIONS = 3  # the first fills the window and is not counted
TRIAL_TIMEOUT = 40.0  # seconds
POLL = 0.05  # seconds between looks whether a trial has ended
LEAST_TRIAL = 1.0  # seconds with which it is no use to begin one

Known = dict[int, "RunPace"]  # by the place of a point in its part


class RunPace(NamedTuple):
    """Minutes that an iteration takes (or a game, if those are counted), and how that is known."""

    minutes: float
    source: str  # runs, trial, others (between two of them), or too slow (it takes these minutes at least)


class Estimate(NamedTuple):
    """How long one run will still take, and how that is known."""

    minutes: float | None  #  still to do; None where nobody knows
    source: str  #            as of its pace; done, not known, or budget where that is the wall-clock


class Effort(NamedTuple):
    """How much may be tried to know more."""

    device: str
    seconds: float = math.inf  #  for all trials; where it is limited, one that is cut short tells nothing
    at_once: int = 1


def estimates(
    study: Study, effort: Effort, progress: Callable[[float], None] = lambda _: None
) -> dict[PlannedRun, Estimate]:
    """How long every run will still take. Of parts that nobody has run, the first and the last point are tried."""
    found: dict[PlannedRun, Estimate] = {}
    open_runs: list[tuple[Part, Point, PlannedRun]] = []
    for part in study.parts:
        for point, runs in part.runs.items():
            for planned in runs:
                now, limit = standing(planned), planned.parameters.run
                if now.done:
                    found[planned] = Estimate(0.0, "done")
                elif limit.minutes and not limit.iterations and not limit.games:
                    found[planned] = Estimate(limit.minutes - now.progress.minutes, "budget")
                else:
                    open_runs.append((part, point, planned))
    parts = [part for part in study.parts if any(part is other for other, _, _ in open_runs)]
    known = {part.name: _of_runs(part) for part in parts}
    _Trials(parts, known, study.threads, effort, progress).do()
    for part, point, planned in open_runs:
        pace = _between(known[part.name], list(part.runs).index(point))
        if pace is not None:
            limit, share = planned.parameters.run, standing(planned).share
            left = (1 - share) * (limit.games or limit.iterations)
            found.setdefault(planned, Estimate(left * pace.minutes, pace.source))
    return {planned: found.get(planned, Estimate(None, "not known")) for planned in study.runs()}


def _between(known: Known, place: int) -> RunPace | None:
    """The pace at this place; where it is not known, on a line between its neighbours."""
    if place in known:
        return known[place]
    below, above = (n for n in known if n < place), (n for n in known if n > place)
    near = max(below, default=None), min(above, default=None)
    ends = [known[n] for n in near if n is not None]
    if any(end.source == "too slow" for end in ends):
        return RunPace(min(end.minutes for end in ends), "too slow")
    if len(ends) < 2:
        return None
    return RunPace(float(np.interp(place, near, [end.minutes for end in ends])), "others")  # type: ignore[arg-type]


def _of_runs(part: Part) -> Known:
    """The pace of each point of a part of which a run has begun, whatever its seed."""
    found = {}
    for place, runs in enumerate(part.runs.values()):
        begun = [planned for planned in runs if run_folder(planned.name).exists()]
        paces = (_measured(Run(run_folder(planned.name)), planned) for planned in begun)
        if pace := next(filter(None, paces), None):
            found[place] = RunPace(pace, "runs")
    return found


class _Trial(NamedTuple):
    """A process that does the first iterations of a run, to see how long they take; the run is then thrown away."""

    run: Run
    process: subprocess.Popen[bytes]
    end: float  # when it is stopped

    @property
    def over(self) -> bool:
        return self.process.poll() is not None or time.monotonic() > self.end

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


class _Trials:
    """Tries the first and the last point of parts, as far as they are not known."""

    def __init__(
        self,
        parts: Sequence[Part],
        known: dict[str, Known],
        threads: int,
        effort: Effort,
        progress: Callable[[float], None],
    ) -> None:
        self.known, self.threads, self.effort, self.progress = known, threads, effort, progress
        # every part's first point before any part's last one
        places = [(part, place) for last in (False, True) for part in parts for place in [_end(part, last)]]
        self.waiting = [
            (part, place) for part, place in dict.fromkeys(places) if place not in known[part.name]
        ]
        self.count = len(self.waiting)
        self.working: dict[tuple[Part, int], _Trial] = {}
        self.tried: dict[PlannedRun, RunPace] = {}  # parts may share a run
        self.began = time.monotonic()

    def do(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            try:
                while self._go_on(Path(folder)):
                    time.sleep(POLL)
            finally:
                for trial in self.working.values():
                    trial.stop()

    def _go_on(self, folder: Path) -> bool:
        """Take in what has ended and begin what there is time for; whether something is under way."""
        for key in [key for key, trial in self.working.items() if trial.over]:
            self._take_in(*key, self.working.pop(key))
        left = self.effort.seconds - (time.monotonic() - self.began)
        while self.waiting and left >= LEAST_TRIAL and len(self.working) < self.effort.at_once:
            self._begin(folder, *self.waiting.pop(0), left)
        done = 1 - (len(self.waiting) + len(self.working)) / max(self.count, 1)
        self.progress(
            done
            if math.isinf(self.effort.seconds)
            else 1 - max(left, 0.0) / max(self.effort.seconds, LEAST_TRIAL)
        )
        return bool(self.working)

    def _begin(self, folder: Path, part: Part, place: int, left: float) -> None:
        planned = _first_seed(part, place)
        slow = next((pace for pace in self.known[part.name].values() if pace.source == "too slow"), None)
        if known := self.tried.get(planned, slow):
            self.known[part.name][place] = known
            return
        limits = dataclasses.replace(
            planned.parameters.run, iterations=TRIAL_ITERATIONS, games=0, minutes=0.0
        )
        parameters = dataclasses.replace(planned.parameters, run=limits)
        run = Run.create(folder / f"{part.name}-{place}", planned.game, parameters)
        with (run.folder / LOG).open("wb") as log:
            process = start(run.folder, self.threads, self.effort.device, log)
        self.working[part, place] = _Trial(run, process, time.monotonic() + min(TRIAL_TIMEOUT, left))

    def _take_in(self, part: Part, place: int, trial: _Trial) -> None:
        trial.stop()
        if pace := _measured(trial.run, _first_seed(part, place)):
            found = RunPace(pace, "trial")
        elif math.isinf(self.effort.seconds):
            found = RunPace(TRIAL_TIMEOUT / 60, "too slow")
        else:
            return
        self.known[part.name][place] = found
        self.tried[_first_seed(part, place)] = found


def _end(part: Part, last: bool) -> int:
    return len(part.runs) - 1 if last else 0


def _first_seed(part: Part, place: int) -> PlannedRun:
    return list(part.runs.values())[place][0]


def _measured(run: Run, planned: PlannedRun) -> float | None:
    """Minutes of an iteration after the first, or of a game where games are the budget of what is planned."""
    reports = run.reports()
    if len(reports) < 2:
        return None
    minutes = reports[-1].minutes - reports[0].minutes
    units = sum(r.selfplay.games for r in reports[1:]) if planned.parameters.run.games else len(reports) - 1
    return minutes / max(units, 1)
