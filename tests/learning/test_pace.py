"""How the last iteration is made to fit."""

from __future__ import annotations

import pytest

from nought.learning.pace import Pace


def simulated(minutes: float, of_position: float, of_rest: float) -> tuple[float, list[int]]:
    """How many seconds a run of these minutes takes, and the positions of its iterations after the first."""
    pace, spent, sizes = Pace(), of_rest + 1000 * of_position, []
    pace.observe(1000, 1000 * of_position, spent)
    while spent < 0.98 * 60 * minutes:
        size = pace.positions(1000, 60 * minutes - spent)
        took = of_rest + size * of_position
        pace.observe(size, size * of_position, took)
        spent += took
        sizes.append(size)
    return spent, sizes


@pytest.mark.parametrize("of_position", [0.003, 0.017, 0.041, 0.0555])
@pytest.mark.parametrize("of_rest", [0.0, 0.7, 4.0])
@pytest.mark.parametrize("minutes", [2, 3, 10])
def test_a_run_ends_when_its_minutes_do(minutes: float, of_position: float, of_rest: float) -> None:
    seconds, sizes = simulated(minutes, of_position, of_rest)
    assert seconds == pytest.approx(60 * minutes, rel=0.03)
    assert max(sizes) <= 1100 and min(sizes) >= 50


def test_as_long_as_nothing_is_known_an_iteration_has_its_usual_size() -> None:
    pace = Pace()
    assert not pace.known and pace.positions(1000, 5.0) == 1000


def test_when_time_is_over_an_iteration_is_as_small_as_it_may_be() -> None:
    pace = Pace()
    pace.observe(1000, 30.0, 31.0)
    assert pace.positions(1000, -5.0) == 50
