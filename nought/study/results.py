"""What the runs of a part have measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nought.events import IterationReport, StepsReport
from nought.learning.run import Run, run_folder
from nought.learning.state import Progress
from nought.study.plan import Part, PlannedRun, Point
from nought.study.statistics import Numbers

ERRORS = ("policy", "value", "total")


@dataclass(frozen=True)
class RunResult:
    """The iterations of one run."""

    planned: PlannedRun
    reports: tuple[IterationReport, ...]
    single: tuple[
        StepsReport, ...
    ] = ()  # the losses of every step; none in runs of earlier versions of this program

    @property
    def done(self) -> bool:
        games = sum(r.selfplay.games for r in self.reports)
        last = self.reports[-1]
        progress = Progress(iteration=last.iteration, games=games, minutes=last.minutes)
        return progress.share_done(self.planned.parameters.run) >= 1

    @cached_property
    def iterations(self) -> Numbers:
        return np.array([r.iteration for r in self.reports], float)

    @cached_property
    def steps(self) -> Numbers:
        """Gradient steps so far, after each iteration."""
        return np.cumsum([r.learning.steps for r in self.reports]).astype(float)

    @cached_property
    def minutes(self) -> Numbers:
        return np.array([r.minutes for r in self.reports])

    @cached_property
    def errors(self) -> dict[str, Numbers]:
        """The mean errors of each iteration's steps."""
        return self._with_total(
            [r.learning.policy_loss for r in self.reports], [r.learning.value_loss for r in self.reports]
        )

    @cached_property
    def step_errors(self) -> dict[str, Numbers] | None:
        """The errors of every step; None where they were not kept."""
        if len(self.single) < len(self.reports):
            return None
        policy, value = ([loss for r in self.single for loss in getattr(r, of)] for of in ("policy", "value"))
        return self._with_total(policy, value)

    @property
    def loops_and_errors(self) -> tuple[Numbers, dict[str, Numbers]]:
        """The errors of every step where they were kept, else of every iteration; and how many steps there were then."""
        if self.step_errors is None:
            return self.steps, self.errors
        return np.arange(1, len(self.step_errors["total"]) + 1, dtype=float), self.step_errors

    def _with_total(self, policy: Sequence[float], value: Sequence[float]) -> dict[str, Numbers]:
        """Errors as arrays, with their sum as the run weighs them."""
        found = {"policy": np.array(policy), "value": np.array(value)}
        return found | {
            "total": found["policy"] + self.planned.parameters.learning.value_weight * found["value"]
        }

    @cached_property
    def excess(self) -> Numbers:
        """The policy's error above the least it can be, the entropy of its targets."""
        return self.errors["policy"] - np.array([r.learning.policy_entropy for r in self.reports])

    @cached_property
    def accuracy(self) -> Numbers:
        """The accuracy of the best network after each iteration; NaN before the first was accepted."""
        found, last = [], np.nan
        for r in self.reports:
            if r.exam is not None and r.exam.accuracy is not None:
                last = r.exam.accuracy
            found.append(last)
        return np.array(found)

    @cached_property
    def tournaments(self) -> list[IterationReport]:
        return [r for r in self.reports if sum(r.gate.starting) > 0]

    @property
    def starter_points(self) -> Numbers:
        """The points of whoever began, as a share of all games of a tournament; a draw is half a point."""
        return np.array(
            [(_points(_new_began(r)) + _points(_best_began(r))) / _games(r) for r in self.tournaments]
        )

    @property
    def best_starter_points(self) -> Numbers:
        """The points of the best network so far, as a share of the games that it began."""
        return np.array([_points(_best_began(r)) / sum(_best_began(r)) for r in self.tournaments])

    @property
    def beginners_margins(self) -> list[NDArray[np.int_]]:
        """How many points whoever began was ahead at the end, of every game of each tournament whose scores are known."""
        known = [np.array(r.gate.margins) for r in self.tournaments if r.gate.margins]
        return [margins * np.tile([1, -1], len(margins) // 2) for margins in known]

    @property
    def seconds_per_game(self) -> float:
        """How long a game of self-play takes, after the first iteration (which fills the window) where there are more."""
        reports = self.reports[1:] or self.reports
        return sum(r.selfplay.seconds for r in reports) / max(1, sum(r.selfplay.games for r in reports))

    @property
    def seconds_per_step(self) -> float:
        reports = self.reports[1:] or self.reports
        return sum(r.learning.seconds for r in reports) / max(1, sum(r.learning.steps for r in reports))


Results = Mapping[Point, list[RunResult]]


def read_results(part: Part) -> dict[Point, list[RunResult]]:
    """The results of the runs that have an iteration at least, by point; points without any are left out."""
    found: dict[Point, list[RunResult]] = {}
    for point, planned_runs in part.runs.items():
        for planned in planned_runs:
            folder = run_folder(planned.name)
            if folder.exists() and (reports := Run(folder).reports()):
                result = RunResult(planned, tuple(reports), tuple(Run(folder).steps()))
                found.setdefault(point, []).append(result)
    return found


def _games(r: IterationReport) -> int:
    return r.gate.wins + r.gate.draws + r.gate.losses


def _new_began(r: IterationReport) -> tuple[int, int, int]:
    """Wins, draws and losses of the new network in the games that it began."""
    wins, draws, losses = r.gate.starting
    return wins, draws, losses


def _best_began(r: IterationReport) -> tuple[int, int, int]:
    """Wins, draws and losses of the best network in the games that it began."""
    wins, draws, losses = r.gate.starting
    return r.gate.losses - losses, r.gate.draws - draws, r.gate.wins - wins


def _points(played: tuple[int, int, int]) -> float:
    return played[0] + played[1] / 2
