"""Intervals, differences and trends, against numbers worked out by hand."""

import math

import numpy as np
import pytest

from nought.study.statistics import band, effect, interval, rolling, t95, trend


def test_the_interval_of_a_mean():
    found = interval([1.0, 2.0, 3.0])  # mean 2, deviation 1, t 4.303: 4.303 / √3 = 2.484
    assert found == pytest.approx((2.0, 2 - 2.484, 2 + 2.484), abs=1e-3)
    assert not found.sure
    assert interval([5.0, 5.1, 5.2]).sure
    assert not interval([5.0, 5.1]).sure  # two may agree by chance
    assert interval([5.0]) == (5.0, -math.inf, math.inf)
    assert t95(1000) == pytest.approx(1.962, abs=1e-3)


def test_95_of_100_intervals_hold_the_truth():
    random = np.random.default_rng(0)
    held = [
        abs(i.mean) <= i.high - i.mean
        for i in (interval(random.normal(size=3).tolist()) for _ in range(2000))
    ]
    assert 0.935 < np.mean(held) < 0.965


def test_effects():
    assert effect([3.0, 5.0, 7.0], [1.0, 3.0, 5.0]) == pytest.approx(1.0)  # both deviations are 2
    assert effect([1.0, 2.0], [1.0, 2.0, 3.0]) is None
    assert effect([1.0, 1.0, 1.0], [2.0, 2.0, 2.0]) is None


def test_a_trend():
    exact = trend([1, 2, 3, 4], [3, 5, 7, 9])
    assert exact == pytest.approx((2.0, 2.0, 2.0))
    # residuals ±0.5 about slope 0.2: by hand 1.0 / 2 / 5 = 0.1 → 4.303 · √(0.8 / 2 / 5)
    found = trend([0, 1, 2, 3], [0, 1, 0, 1])
    assert found.mean == pytest.approx(0.2)
    assert found.high - found.mean == pytest.approx(4.303 * math.sqrt(0.8 / 2 / 5), abs=1e-3)
    assert math.isnan(trend([1, 1, 1], [1, 2, 3]).mean)


def test_a_rolling_mean():
    assert rolling(np.array([1.0, 2.0, 3.0, 4.0]), 2).tolist() == [1.0, 1.5, 2.5, 3.5]
    assert rolling(np.array([1.0, 2.0]), 50).tolist() == [1.0, 1.5]


def test_a_band_is_where_all_curves_are():
    short = np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 1.0])
    long = np.array([2.0, 4.0]), np.array([3.0, 5.0])
    even = np.array([0.0, 9.0]), np.array([2.0, 2.0])
    found = band([short, long, even])
    assert found.x.tolist() == [2.0, 3.0]
    assert found.mean.tolist() == pytest.approx([2.0, 7 / 3])  # of 1, 3 and 2, of 1, 4 and 2
    assert found.high[0] - found.mean[0] == pytest.approx(4.303 / math.sqrt(3))  # their deviation is 1
    for few in ([short], [short, long]):
        alone = band(few)
        assert alone.low.tolist() == alone.mean.tolist()
