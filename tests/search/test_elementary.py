"""Logarithm, exponential, cosine and power are the mathematical ones, up to the last bit or two."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nought.compile import compiled
from nought.games import load
from nought.search.kernels import SEARCH, elementary
from nought.search.kernels.elementary import cosine_of_turn, exp, log, power

RANDOM = np.random.default_rng(0)
POSITIVE = [
    *np.exp(RANDOM.uniform(-700, 700, 2000)),
    *RANDOM.uniform(0.5, 2, 2000),
    5e-324,
    2.3e-308,
    1.7e308,
    1.0,
]


def units(found: float, exact: float) -> float:
    """How far apart, in units of the last place."""
    return abs(found - exact) / math.ulp(exact)


def test_logarithms() -> None:
    assert max(units(log(x), math.log(x)) for x in map(float, POSITIVE)) <= 1
    assert log(0.0) == -math.inf
    assert log(math.inf) == math.inf
    assert math.isnan(log(-1.0))
    assert math.isnan(log(math.nan))


def test_exponentials() -> None:
    numbers = [*RANDOM.uniform(-745, 709.7, 2000), *RANDOM.uniform(-1, 1, 2000), 0.0, -745.1, 709.78]
    assert max(units(exp(x), math.exp(x)) for x in map(float, numbers)) <= 1
    assert exp(-746.0) == exp(-math.inf) == 0.0
    assert exp(710.0) == exp(math.inf) == math.inf
    assert math.isnan(exp(math.nan))


def test_cosines() -> None:
    turns = [*RANDOM.uniform(0, 1, 4000), 0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]
    assert max(abs(cosine_of_turn(t) - math.cos(2 * math.pi * t)) for t in map(float, turns)) < 1e-15
    assert [cosine_of_turn(t / 4) for t in range(5)] == [1, 0, -1, 0, 1]


def test_powers() -> None:
    for x, y in zip(RANDOM.uniform(0, 1, 1000).tolist(), RANDOM.uniform(0.1, 10, 1000).tolist(), strict=True):
        assert power(x, y) == pytest.approx(x**y, rel=1e-13)
    assert power(0.0, 2.5) == 0
    assert power(0.7, 1.0) == 0.7


def test_compiled_they_are_the_same_to_the_last_bit() -> None:
    kernels = compiled(load("tictactoe"), SEARCH)
    assert kernels.log is not elementary.log
    from numba import njit

    numbers = np.array(POSITIVE[:500])
    own = kernels.log

    @njit
    def logs(numbers):
        return np.array([own(x) for x in numbers])

    np.testing.assert_array_equal(logs(numbers), [log(float(x)) for x in numbers])
