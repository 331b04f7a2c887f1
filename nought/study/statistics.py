"""What a few seeds can tell: means with 95 % intervals, differences, trends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nought.statistics import NORMAL_95

Numbers = NDArray[np.float64]

# Student's t: by degrees of freedom, 95 % lie within this to both sides. From 30 on the normal's is near.
T95 = (
    math.inf, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
    2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045,
)  # fmt: skip


LEAST_SEEDS = 3  # seeds for an interval: that of two is wide beyond use, and when they happen to agree, narrow by chance


class Interval(NamedTuple):
    """A number and the ends of its 95 % interval: without end where there is too little to tell."""

    mean: float
    low: float
    high: float

    @property
    def sure(self) -> bool:
        """Whether the interval leaves out 0: the number is surely above it, or surely below."""
        return self.low > 0 or self.high < 0


class Band(NamedTuple):
    """A curve with its 95 % band."""

    x: Numbers
    mean: Numbers
    low: Numbers
    high: Numbers


def t95(degrees: int) -> float:
    """How many standard errors to each side hold 95 % of Student's t."""
    return T95[degrees] if degrees < len(T95) else NORMAL_95 + 2.4 / degrees


def interval(values: Sequence[float]) -> Interval:
    """The mean of these values, with its 95 % interval."""
    n, mean = len(values), float(np.mean(values))
    if n < LEAST_SEEDS:
        return Interval(mean, -math.inf, math.inf)
    half = t95(n - 1) * float(np.std(values, ddof=1)) / math.sqrt(n)
    return Interval(mean, mean - half, mean + half)


def effect(ours: Sequence[float], theirs: Sequence[float]) -> float | None:
    """Cohen's d: the difference of the means in standard deviations of one run; None where nothing varies or
    too few runs are there."""
    if min(len(ours), len(theirs)) < LEAST_SEEDS:
        return None
    pooled = math.sqrt((np.var(ours, ddof=1) + np.var(theirs, ddof=1)) / 2)
    return float(np.mean(ours) - np.mean(theirs)) / pooled if pooled > 0 else None


def trend(x: Sequence[float], y: Sequence[float]) -> Interval:
    """By how much y changes when x grows by 1, by least squares."""
    n, xs, ys = len(x), np.asarray(x, float), np.asarray(y, float)
    spread = float(((xs - xs.mean()) ** 2).sum())
    if n < 2 or spread == 0:
        return Interval(math.nan, -math.inf, math.inf)
    slope = float(((xs - xs.mean()) * ys).sum()) / spread
    if n < 3:
        return Interval(slope, -math.inf, math.inf)
    rest = ys - ys.mean() - slope * (xs - xs.mean())
    half = t95(n - 2) * math.sqrt(float((rest**2).sum()) / (n - 2) / spread)
    return Interval(slope, slope - half, slope + half)


def rolling(values: Numbers, width: int) -> Numbers:
    """The mean of the last `width` values at each place; of fewer at the beginning."""
    sums = np.cumsum(np.insert(np.nan_to_num(values), 0, 0.0))
    ends = np.arange(1, len(values) + 1)
    begins = np.maximum(0, ends - width)
    return (sums[ends] - sums[begins]) / (ends - begins)


def band(curves: Sequence[tuple[Numbers, Numbers]]) -> Band:
    """The mean of curves over where all of them are, each read off at the places of the first."""
    first, last = max(x[0] for x, _ in curves), min(x[-1] for x, _ in curves)
    x = curves[0][0]
    x = x[(x >= first) & (x <= last)]
    rows = np.stack([np.interp(x, xs, ys) for xs, ys in curves])
    mean = rows.mean(0)
    if len(rows) < LEAST_SEEDS:
        return Band(x, mean, mean, mean)
    half = t95(len(rows) - 1) * rows.std(0, ddof=1) / math.sqrt(len(rows))
    return Band(x, mean, mean - half, mean + half)
