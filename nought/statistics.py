"""Intervals that hold the truth 95 times of 100."""

from __future__ import annotations

import math
from typing import NamedTuple

NORMAL_95 = 1.96  # standard deviations to each side of the mean that hold 95 % of a normal distribution


class Share(NamedTuple):
    """A share of what was asked, with the ends of its 95 % interval."""

    share: float
    low: float
    high: float


def wilson(right: int, asked: int) -> Share:
    """A share and Wilson's 95 % interval, which stays sensible near 0 and 1."""
    share, z = right / asked, NORMAL_95
    middle = (share + z**2 / (2 * asked)) / (1 + z**2 / asked)
    half = z / (1 + z**2 / asked) * math.sqrt(share * (1 - share) / asked + z**2 / (4 * asked**2))
    return Share(share, max(0.0, middle - half), min(1.0, middle + half))
