"""The table of conclusions: every point against the baseline, and the trend over all of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nought.study.plan import Part, Point
from nought.study.results import Results, RunResult
from nought.study.statistics import Interval, effect, interval, trend


class Measure(NamedTuple):
    """What is compared: a number of each run."""

    name: str
    of: Callable[[RunResult], float]


class Row(NamedTuple):
    """What one measure says of a point of the study."""

    point: Point
    value: Interval  #              over its seeds
    difference: Interval | None  #  to the baseline, seed by seed; None for the baseline itself
    effect: float | None  #         Cohen's d


class Conclusion(NamedTuple):
    """What one measure says of all points of a part."""

    measure: Measure
    rows: list[Row]
    trend: Interval | None  #  the change when the one number that was varied doubles


def _third(values: np.ndarray, which: int) -> float:
    """The mean of the first (0) or the last (-1) third; of a run of one or two iterations, of one of them."""
    thirds = [part for part in np.array_split(values, 3) if len(part) > 0]
    return float(thirds[which].mean())


LATE_ERROR, LAST_ACCURACY = "total error, last third of the run", "accuracy of the last version, %"
MEASURES = (
    Measure("total error, first third of the run", lambda run: _third(run.errors["total"], 0)),
    Measure(LATE_ERROR, lambda run: _third(run.errors["total"], -1)),
    Measure("policy error above the entropy of its targets, last third", lambda run: _third(run.excess, -1)),
    Measure("value error, last third", lambda run: _third(run.errors["value"], -1)),
    Measure(LAST_ACCURACY, lambda run: 100 * float(run.accuracy[-1])),
    Measure("best accuracy of a version, %", lambda run: 100 * _greatest(run.accuracy)),
    Measure("versions accepted", lambda run: float(run.reports[-1].version)),
    Measure("minutes of the whole run", lambda run: run.reports[-1].minutes),
)


def conclusions(part: Part, results: Results) -> list[Conclusion]:
    """What every measure that was taken says of a part, from those of its runs that are done."""
    results = {point: [run for run in runs if run.done] for point, runs in results.items()}
    found = []
    for measure in MEASURES:
        values = {
            point: {run.planned.parameters.run.seed: measure.of(run) for run in runs}
            for point, runs in results.items()
        }
        if all(math.isnan(v) for seeds in values.values() for v in seeds.values()):
            continue
        known = {
            point: {s: v for s, v in seeds.items() if not math.isnan(v)} for point, seeds in values.items()
        }
        rows = [_row(point, known, part.baseline) for point, seeds in known.items() if seeds]
        found.append(Conclusion(measure, rows, _trend(known)))
    return found


def _row(point: Point, values: dict[Point, dict[int, float]], baseline: Point) -> Row:
    ours, theirs = values[point], values.get(baseline, {})
    both = sorted(ours.keys() & theirs.keys())
    value = interval(list(ours.values()))
    if point == baseline or not both:
        return Row(point, value, None, None)
    difference = interval([ours[s] - theirs[s] for s in both])
    return Row(point, value, difference, effect(list(ours.values()), list(theirs.values())))


def _trend(values: dict[Point, dict[int, float]]) -> Interval | None:
    """Where one number was varied: the slope on its logarithm to base 2, over all runs."""
    x: list[float] = []
    y: list[float] = []
    for point, seeds in values.items():
        if len(point.overrides) != 1:
            return None
        number = point.overrides[0][1]
        if isinstance(number, bool) or not isinstance(number, int | float) or number <= 0:
            return None
        x += [math.log2(number)] * len(seeds)
        y += seeds.values()
    return trend(x, y) if len(set(x)) > 2 else None


def _greatest(values: np.ndarray) -> float:
    return float(np.nanmax(values)) if not np.isnan(values).all() else math.nan
