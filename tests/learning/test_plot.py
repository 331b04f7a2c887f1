"""Pictures of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from nought.errors import NoughtError
from nought.events import (
    ExamReport,
    GateReport,
    IterationReport,
    LearningReport,
    Met,
    SelfPlayReport,
    StepsReport,
)
from nought.learning.plot import _along, _games, plot_run


def reports() -> list[IterationReport]:
    """Five versions, every other one rated."""
    found = []
    for n in range(1, 6):
        games = (
            Met(f"{n}", "random", 2, 0, 0),
            Met(f"{n}", f"{n - 2}", 1, 1, 0),
            Met("0", "random", 0, 1, 1),
        )
        exam = ExamReport(
            0.5 + n / 20, games if n % 2 else (), (100.0 * n, 50.0, 150.0) if n % 2 else None, 0.1
        )
        played, learned = (
            SelfPlayReport(9, 90, 1.0, 900, 500, 0.1),
            LearningReport(5, 1.0, 0.1, 1.0, 0.9, 0.5),
        )
        gate = GateReport(0, 0, 0, True, None, 0.0)
        found.append(IterationReport(n, n, float(n), 90, played, learned, gate, exam))
    return found


def test_a_run_is_drawn(tmp_path: Path) -> None:
    plot_run("run", reports(), tmp_path / "plot.svg")
    assert "</svg>" in (tmp_path / "plot.svg").read_text()


def test_single_steps_are_drawn_behind_the_means(tmp_path: Path) -> None:
    steps = [StepsReport(n, 5 * (n - 1), (1.0, 0.9, 0.8, 0.7, 0.6), (0.5,) * 5) for n in range(1, 6)]
    assert _along(steps)[:5] == [0.2, 0.4, 0.6, 0.8, 1.0] and _along(steps)[-1] == 5
    plot_run("run", reports(), tmp_path / "without.svg")
    plot_run("run", reports(), tmp_path / "plot.svg", steps)
    thin = [(tmp_path / name).read_text().count("stroke-width: 0.6;") for name in ("without.svg", "plot.svg")]
    assert thin == [0, 4]  # two curves, and both in their legends


def test_games_are_counted_by_opponent() -> None:
    third = reports()[2]
    assert _games(third, "random") == (2, 0, 0) and _games(third, "1") == (1, 1, 0)
    assert _games(third, "rollout:10") == (0, 0, 0)


def test_without_iterations_there_is_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(NoughtError, match="nothing to draw"):
        plot_run("run", [], tmp_path / "plot.svg")
