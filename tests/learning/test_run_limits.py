"""When a run is over, and how it learns further."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from nought.config import RunParameters
from nought.errors import NoughtError
from nought.learning.loop import learn
from nought.learning.run import Run
from nought.learning.state import Progress
from nought.presets import from_toml, override, preset
from tests.support.tiny_run import TINY, tiny_run


@pytest.mark.parametrize(
    ("limits", "share"),
    [
        ({}, 0.0),
        ({"iterations": 8}, 0.5),
        ({"games": 50}, 0.8),
        ({"minutes": 12.0}, 0.25),
        ({"iterations": 8, "games": 50, "minutes": 12.0}, 0.8),
        ({"games": 40}, 1.0),
        ({"games": 30, "iterations": 1000}, 1.0),
        ({"minutes": 3.05}, 1.0),  # too little is left for another iteration
        ({"minutes": 3.1}, 3 / 3.1),
    ],
)
def test_how_much_of_a_run_is_done(limits: dict[str, float], share: float) -> None:
    done = Progress(iteration=4, games=40, minutes=3.0)
    parameters = RunParameters(**({"iterations": 0, "games": 0, "minutes": 0.0} | limits))  # type: ignore[arg-type]
    assert done.share_done(parameters) == pytest.approx(share)


def test_a_run_limited_by_games_ends(tmp_path: Path) -> None:
    parameters = override(
        preset("best", "tictactoe"), TINY | {"run.iterations": 0, "run.games": 15, "exam.games": 0}
    )
    run = Run.create(tmp_path / "run", "tictactoe", parameters)
    learn(run)
    done = run.progress()
    assert done.games >= 15 and done.games - run.reports()[-1].selfplay.games < 15
    assert done.share_done(parameters.run) == 1


def test_a_run_that_is_extended_goes_on_and_keeps_what_it_has(tmp_path: Path) -> None:
    run = tiny_run(tmp_path, **{"exam.games": 0})
    assert run.progress().iteration == 2
    run.extend(override(run.parameters, {"run.iterations": 4}).run)
    written = from_toml((run.folder / "config.toml").read_text(), "config.toml")
    assert written == run.parameters and written.run.iterations == 4
    learn(Run(run.folder))
    assert [r.iteration for r in run.reports()] == [1, 2, 3, 4]
    rates = [r.learning.rate for r in run.reports()]
    assert rates[2] == pytest.approx(
        rates[1]
    )  # both half-way: it goes on as if it had been meant to be that long
    assert rates[3] < rates[2]


def test_limits_that_cannot_be_meant_change_nothing(tmp_path: Path) -> None:
    run = tiny_run(tmp_path, **{"exam.games": 0})
    before = (run.folder / "config.toml").read_text()
    with pytest.raises(NoughtError, match=r"run\.minutes must be 0 or more"):
        run.extend(RunParameters(minutes=-1.0))
    assert (run.folder / "config.toml").read_text() == before and run.parameters.run.minutes == 0


def test_a_run_at_work_is_not_extended(tmp_path: Path) -> None:
    run = tiny_run(tmp_path, **{"exam.games": 0})
    with run, pytest.raises(NoughtError, match="another process"):
        Run(run.folder).extend(RunParameters(iterations=9))


def test_time_before_learning_counts_as_well(tmp_path: Path) -> None:
    parameters = override(
        preset("best", "tictactoe"), TINY | {"run.iterations": 0, "run.minutes": 5.0, "exam.games": 0}
    )
    run = Run.create(tmp_path / "run", "tictactoe", parameters)
    learn(run, began=time.perf_counter() - 600)  # as if starting up had taken ten minutes
    assert run.progress().iteration == 1 and run.progress().minutes > 10
