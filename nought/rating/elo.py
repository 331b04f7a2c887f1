"""Elo scales: the papers' and the standard one, and the papers' formulas (000, equations 45, 48 and 52).

On either scale the expected score is a logistic function of the difference in rating; they differ in its unit.
The papers' E = 1 / (1 + e^((r_b - r_a) / 400)) needs 400 points for a factor e in the odds, the standard scale
of chess and of most engines for a factor 10. So a difference on the papers' scale is ln 10 = 2.30 times the
standard one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

UNTRAINED = 100.0  # the papers' rating of the untrained agent
WANDHOVEN_GAIN = 408.0  # what a version of 000 gained on average, on its scale (below equation 52)
SCORE_CAP = 0.99  # beyond this score, or below one less it, the papers' estimate counts no further


class Scale(NamedTuple):
    """A logistic rating scale."""

    label: str
    factor: float  # in the odds, for every 400 points

    def expected(self, difference: float) -> float:
        """The expected score of a player who is rated this much higher than its opponent."""
        odds = math.exp(-abs(difference) * math.log(self.factor) / 400)
        return 1 / (1 + odds) if difference >= 0 else odds / (1 + odds)

    def difference(self, score: float) -> float:
        """By how much a player with this score, between 0 and 1, is rated higher than its opponent."""
        return 400 * math.log(score / (1 - score)) / math.log(self.factor)


PAPERS = Scale("papers' scale, base e", math.e)
STANDARD = Scale("standard scale, base 10", 10.0)


def to_standard(papers: float) -> float:
    """Convert a rating difference from the papers' scale to the standard one."""
    return papers / math.log(10)


def to_papers(standard: float) -> float:
    """Convert a rating difference from the standard scale to the papers'."""
    return standard * math.log(10)


def papers_elo_difference(score: float) -> float:
    """The difference straight from a match: 400 ln(s / (1 - s)) (equation 48), the score kept between 1 % and 99 %."""
    return PAPERS.difference(min(max(score, 1 - SCORE_CAP), SCORE_CAP))


def papers_ratio(gain: float) -> float:
    """How many times as often as the last a version wins that is rated this much higher on the papers' scale
    (equation 53)."""
    return math.exp(gain / 400)


def papers_gain(ratio: float) -> float:
    """The least gain of a version that won more than `ratio` times as often as the last (equation 52)."""
    return 400 * math.log(ratio)
