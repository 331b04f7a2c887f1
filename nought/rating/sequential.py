"""Stopping a match as soon as it is clear."""

from __future__ import annotations

import math

ERROR_RATE = 0.05  # how often the test may be wrong, either way


def sequential_test(ours: float, theirs: float, low: float, high: float) -> bool | None:
    """Wald's test of the score `low` against the score `high`, by the points of both sides so far.

    True for `high`, False for `low`, None while the match must go on. Half a point each for a draw: a drawn game
    varies less than the test supposes, which can only make it more careful.
    """
    ratio = ours * math.log(high / low) + theirs * math.log((1 - high) / (1 - low))
    bound = math.log((1 - ERROR_RATE) / ERROR_RATE)
    return True if ratio >= bound else False if ratio <= -bound else None
