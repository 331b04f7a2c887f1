"""The scripts that draw the papers' figures: what they read, and what they draw."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from nought.agents.ladder import Ladder
from nought.events import GateReport
from nought.learning.run import Run, run_folder
from nought.plotting import plt
from nought.rating import to_papers
from tests.learning.test_plot import reports

SCRIPTS = Path(__file__).parents[1] / "scripts"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch):
    """Figures of a script instead of files."""
    figures = []

    def of(name: str) -> ModuleType:
        module = script(name)
        monkeypatch.setattr(module, "write_figure", lambda figure, _: figures.append(figure))
        return module

    yield SimpleNamespace(script=of, figures=figures)
    for figure in figures:
        plt.close(figure)


def test_figures_6_and_7_have_the_papers_numbers(drawn, tmp_path):
    drawn.script("papers_figures").elo(tmp_path / "x.png")
    score, inverse = drawn.figures[0].axes
    expected, _, *gains = score.get_lines()
    middle = list(expected.get_xdata()).index(0)
    assert expected.get_ydata()[middle] == 0.5
    # 1.3 points to 1 are 1.3 / 2.3 of them; 2.8 to 1 are 2.8 / 3.8
    assert [line.get_ydata()[0] for line in gains] == pytest.approx([1.3 / 2.3, 2.77 / 3.77], abs=1e-3)
    rating = inverse.get_lines()[0]
    at_three_quarters = min(
        zip(rating.get_xdata(), rating.get_ydata(), strict=True), key=lambda p: abs(p[0] - 0.75)
    )
    assert at_three_quarters[1] == pytest.approx(439.4, abs=1)  # 400 ln 3


def test_times_are_read_and_drawn_as_bars(drawn, tmp_path):
    module = drawn.script("papers_figures")
    (tmp_path / "times.csv").write_text(
        "2,0,0.5,1.0\n3,0,5.0,4.0\n4,0,50.0,12.0\n3,18,2.0,1.5\n3,70,6.0,3.0\n"
    )
    found = module.read_times(tmp_path / "times.csv")
    assert found[0] == (2, 35, 0.5, 1.0)
    module.times(found, tmp_path / "x.png")
    by_board, by_filters, *_ = drawn.figures[0].axes
    assert [bar.get_height() for bar in by_board.patches] == [0.5, 6.0, 50.0]  # of two measurements the last
    assert [text.get_text() for text in by_filters.get_xticklabels()] == ["18", "70"]


def test_curves_of_a_study_by_setting_and_run():
    lines = [
        {"setting": "filters 9", "run": run, "loops": loops, "policy": policy, "value": "0.5"}
        for run, loops, policy in (
            ("3x3-filters-a", "10", "2"),
            ("3x3-filters-a", "20", "1"),
            ("3x3-filters-b", "10", "3"),
            ("time-3x3-c", "10", "9"),
        )
    ]
    found = script("papers_figures").errors(lines, "3x3-filters")
    assert [(x.tolist(), y.tolist()) for x, y in found["filters 9"]] == [
        ([10, 20], [2.5, 1.5]),
        ([10], [3.5]),
    ]


def test_the_blogs_three_graphs(drawn, tmp_path):
    module = drawn.script("papers_blog")
    (tmp_path / "first.json").write_text(json.dumps({"1": [30, 4, 6], "2": [40, 0, 0]}))
    run = SimpleNamespace(folder=tmp_path)  # without networks: nothing is played
    first = module.against_first(run, 40, 100, "cpu")
    assert first == {1: (30, 4, 6), 2: (40, 0, 0)}
    module.draw_blog("blog", reports(), first, tmp_path / "x.png")
    against_first, loss, against_best = drawn.figures[0].axes
    assert against_first.get_title() == "against the first version"
    assert [line.get_label() for line in loss.get_lines()] == ["policy", "value"]
    assert against_best.get_title() == "against the best so far"


def test_a_version_rated_as_the_papers_program_does():
    """15 of 20 points are 400 ln 3, 24 of 40 are 400 ln 1.5; of the 40 games two were different ones."""
    games = [SimpleNamespace(result=1)] * 24 + [SimpleNamespace(result=-1)] * 16
    match = SimpleNamespace(games=games, distinct=games[:2])
    line = script("papers_rating").as_line(5, GateReport(15, 0, 5, True, None, 1.0), match)
    assert line == {
        "version": 5, "gate": (15, 0, 5), "gate_gain": 439.4,
        "games": (24, 0, 16), "games_gain": 162.2, "distinct_games": 2,
    }  # fmt: skip


def test_the_page_has_the_gains_that_the_kept_ratings_have(drawn, monkeypatch, tmp_path):
    module = drawn.script("papers_figures")
    monkeypatch.chdir(module.RESULTS / "papers")
    page = (module.RESULTS / "papers.md").read_text(encoding="utf-8")
    ladders = [Ladder(Run(run_folder(name)), module.SIMULATIONS) for name in module.RUNS]
    for ladder in ladders:
        gain = [to_papers(number) for number in ladder.gain()[:3]]
        assert "**{:.0f}** ({:.0f} … {:.0f})".format(*gain) in page
        versions = ladder.run.reports()[-1].version
        assert (
            f" {(ladder.run.reports()[-1].gate.elo - 100) / versions:.0f} |" in page
        )  # by the gate's own games
    module.gates(ladders, tmp_path / "x.png")
    assert [ax.get_title() for ax in drawn.figures[0].axes] == list(module.RUNS)
