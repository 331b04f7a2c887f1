"""What is read off a run's reports."""

import math
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from nought.config import Parameters
from nought.events import (
    ExamReport,
    GateReport,
    IterationReport,
    LearningReport,
    SelfPlayReport,
    StepsReport,
)
from nought.study.conclusions import MEASURES, Conclusion, Measure, conclusions
from nought.study.figures import final_scores
from nought.study.figures import trends as trends_drawn
from nought.study.plan import Part, PlannedRun, Point
from nought.study.results import RunResult
from nought.study.statistics import Interval
from nought.study.tables import summary_table


def report(iteration, policy=1.0, accuracy=None, starting=(5, 2, 3)):
    # the new network: 12 wins, 8 draws, 10 losses, of these in the games that it began `starting`
    return IterationReport(
        iteration, iteration, iteration / 2, 100,
        SelfPlayReport(10, 120, 4.0 if iteration > 1 else 100.0, 0, 0, 0.0),
        LearningReport(10, 5.0, 0.1, policy, 0.25, 0.5),
        GateReport(12, 8, 10, True, None, 1.0, starting),
        None if accuracy is None else ExamReport(accuracy, (), None, 0.0),
    )  # fmt: skip


def planned(value, seed=0):
    parameters = Parameters()
    point = Point((("network.filters", value),))
    run = parameters.run.__class__(seed=seed, iterations=3, minutes=0)
    return PlannedRun(f"r{value}-{seed}", "tictactoe", parameters.__class__(run=run), point)


def test_curves_and_times():
    run = RunResult(planned(8), (report(1), report(2, 0.8, accuracy=0.6), report(3, 0.6)))
    assert run.steps.tolist() == [10, 20, 30]
    assert run.errors["total"] == pytest.approx([1.5, 1.3, 1.1])
    assert run.excess == pytest.approx([0.75, 0.55, 0.35])
    assert np.isnan(run.accuracy[0])
    assert run.accuracy[1:].tolist() == [0.6, 0.6]
    assert run.seconds_per_game == pytest.approx(0.4)  # without the first iteration, which fills the window
    assert run.seconds_per_step == pytest.approx(0.5)


def test_who_began():
    run = RunResult(planned(8), (report(1),))
    # it began: 5 + 2/2 points of 10; the best began the other 20: it won 10 - 3, drew 6 and lost 7
    assert run.best_starter_points == pytest.approx([(7 + 6 / 2) / 20])
    assert run.starter_points == pytest.approx([(6 + 10) / 30])
    silent = RunResult(planned(8), (report(1, starting=(0, 0, 0)),))
    assert silent.starter_points.tolist() == []


def part_with(points):
    return Part("p", "p & q", "tictactoe", tuple(points), (0,), points[1], 10, False, points[1], {})


def test_conclusions_compare_seed_by_seed():
    points = [Point((("network.filters", n),)) for n in (4, 8, 16)]
    results = {
        point: [
            RunResult(planned(n, s), tuple(report(i, 1.0 + 0.1 * k + s) for i in (1, 2, 3)))
            for s in (0, 1, 2)
        ]
        for k, (n, point) in enumerate(zip((4, 8, 16), points, strict=True))
    }
    part = part_with(points)
    results[points[2]].append(RunResult(planned(16, 3), (report(1, 9.0),)))  # not done yet: it does not count
    found = {c.measure.name: c for c in conclusions(part, results)}
    assert "accuracy of the last version, %" not in found  # nobody measured it
    assert len(found) == len(MEASURES) - 2
    last = found["total error, last third of the run"]
    assert last.rows[1].difference is None
    # seeds differ by 1 and settings by 0.1: between seeds of a kind the difference is exact
    assert last.rows[2].difference == pytest.approx((0.1, 0.1, 0.1))
    assert last.rows[2].effect == pytest.approx(0.1)
    assert last.trend is not None
    assert last.trend.mean == pytest.approx(0.1)  # per doubling
    assert not last.trend.sure


def test_a_run_of_two_iterations_has_an_end():
    run = RunResult(planned(8), (report(1, 1.0), report(2, 0.8)))
    measured = {measure.name: measure.of(run) for measure in MEASURES}
    assert measured["total error, first third of the run"] == pytest.approx(1.5)
    assert measured["total error, last third of the run"] == pytest.approx(1.3)


def test_what_a_doubling_changes_as_table_and_picture():
    trends = (
        Interval(-0.21834, -0.28412, -0.15256),
        Interval(12.3, -1.6, 26.2),
        Interval(0.5, -math.inf, math.inf),
    )
    names = "total error, last third of the run", "accuracy of the last version, %", "versions accepted"
    part = part_with([Point((("network.filters", n),)) for n in (4, 8)])
    found = {
        part: [
            Conclusion(Measure(name, lambda run: 0.0), [], t) for name, t in zip(names, trends, strict=True)
        ]
    }
    table = summary_table(found)
    assert "<td rowspan=3>p &amp; q" in table  # once for all of its measures
    assert "<b>−0.218</b><td>−0.284 … −0.153" in table  # two digits of how sure it is
    assert "<td>+12<td>−2 … 26" in table
    assert "<td>+0.500<td>too few seeds" in table
    figure = trends_drawn(found)
    assert figure is not None
    error, accuracy = figure.axes
    assert [line.get_alpha() for line in (error.lines[0], accuracy.lines[0])] == [1.0, 0.4]  # sure, and not
    assert error.lines[0].get_xdata().tolist() == pytest.approx([-0.28412, -0.15256])
    assert [label.get_text() for label in error.get_yticklabels()] == ["p & q"]
    plt.close(figure)
    unvaried = {part: [Conclusion(Measure(names[0], lambda run: 0.0), [], None)]}
    assert trends_drawn(unvaried) is None


def test_final_scores_as_the_player_who_began_sees_them():
    """Two openings, of each the game that the new network began first: it was 4 ahead, then the best was, …"""
    scored = replace(report(1), gate=replace(report(1).gate, margins=(4, -4, -2, 0)))
    run = RunResult(planned(8), (scored, report(2)))
    assert [margins.tolist() for margins in run.beginners_margins] == [[4, 4, -2, 0]]
    figure = final_scores(part_with([run.planned.point] * 2), {run.planned.point: [run]})
    shares, mean = figure.axes
    assert [text.get_text() for text in shares.get_legend().get_texts()] == ["+4", "0", "-2"]
    assert mean.get_lines()[0].get_ydata().tolist() == [1.5]
    plt.close(figure)
    unscored = RunResult(planned(8), (report(1),))
    assert final_scores(part_with([run.planned.point] * 2), {run.planned.point: [unscored]}) is None


def test_errors_of_every_loop_where_they_were_kept():
    steps = (StepsReport(1, 0, (2.0, 1.0), (1.0, 0.5)), StepsReport(2, 2, (1.0,), (0.5,)))
    run = RunResult(planned(8), (report(1), report(2)), steps)
    loops, errors = run.loops_and_errors
    assert loops.tolist() == [1, 2, 3]
    assert errors["total"].tolist() == [3.0, 1.5, 1.5]
    # of one iteration they are missing: the means of both
    loops, errors = RunResult(planned(8), (report(1), report(2)), steps[:1]).loops_and_errors
    assert loops.tolist() == [10, 20]
    assert errors["total"].tolist() == [1.5, 1.5]
