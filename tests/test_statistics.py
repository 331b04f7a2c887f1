from __future__ import annotations

import pytest

from nought.statistics import wilson


@pytest.mark.parametrize(
    ("right", "asked", "low", "high"),
    [
        (8, 10, 0.4901625, 0.9433178),
        (0, 10, 0, 0.2775328),
        (10, 10, 0.7224672, 1),
        (50, 100, 0.4038315, 0.5961685),
    ],
)
def test_wilsons_interval(right: int, asked: int, low: float, high: float) -> None:
    """Reference values: statsmodels' proportion_confint(…, method="wilson")."""
    share = wilson(right, asked)
    assert share.share == right / asked
    assert (share.low, share.high) == pytest.approx((low, high), abs=2e-5)
