"""The pictures of a study: errors, accuracy, tournaments and times, by the parameter that was varied."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nought.plotting import BLUE, GREEN, GREY, ORANGE, plt
from nought.study.conclusions import LAST_ACCURACY, LATE_ERROR, Conclusion
from nought.study.plan import Part, Point
from nought.study.results import ERRORS, Results, RunResult
from nought.study.statistics import LEAST_SEEDS, Numbers, band, interval, rolling

COLOURS = dict(zip(ERRORS, (BLUE, ORANGE, GREEN), strict=True))
Curve = Callable[[RunResult], tuple[Numbers, Numbers]]


def width(part: Part, run: RunResult) -> int:
    """Iterations whose steps make the part's window: each point of a curve is the mean of an iteration's steps."""
    return max(1, round(part.window / np.mean([r.learning.steps for r in run.reports])))


def trends(found: Mapping[Part, Sequence[Conclusion]]) -> Figure | None:
    """What a doubling changes, part by part: the late error and the accuracy."""
    measures = (LATE_ERROR, LAST_ACCURACY)
    known = {
        name: {part.title: c.trend for part, table in found.items() for c in table if c.measure.name == name}
        for name in measures
    }
    parts = [title for title, trend in known[measures[0]].items() if trend is not None]
    if not parts:
        return None
    figure, axes = plt.subplots(
        1, 2, figsize=(13, 1.2 + 0.45 * len(parts)), sharey=True, constrained_layout=True
    )
    figure.suptitle("Change when the parameter doubles, with 95 % interval")
    for ax, name, colour in zip(axes, measures, (BLUE, GREEN), strict=True):
        for y, title in enumerate(parts):
            if (trend := known[name].get(title)) is not None and np.isfinite(trend.low):
                ax.plot([trend.low, trend.high], [y, y], color=colour, lw=2, alpha=1.0 if trend.sure else 0.4)
                ax.plot(trend.mean, y, "o", color=colour, alpha=1.0 if trend.sure else 0.4)
        ax.axvline(0, color=GREY, lw=1)
        ax.set(title=name, yticks=range(len(parts)), yticklabels=parts, ylim=(len(parts) - 0.5, -0.5))
    return figure


def raw_errors(part: Part, point: Point, run: RunResult) -> Figure:
    """Policy, value and total error of one run: of every training loop, or where those were not kept of every
    iteration."""
    return _one_run(f"{part.title}: errors of one run, {point.label}", *run.loops_and_errors)


def smooth_errors(part: Part, point: Point, run: RunResult) -> Figure:
    """Policy, value and total error of one run, as rolling means."""
    title = f"{part.title}: errors of one run, {point.label}, rolling mean of {part.window} loops"
    loops, errors = run.loops_and_errors
    wide = part.window if run.step_errors else width(part, run)
    return _one_run(title, loops, {name: rolling(error, wide) for name, error in errors.items()})


def _one_run(title: str, loops: Numbers, errors: Mapping[str, Numbers]) -> Figure:
    figure, ax = _axes(title, "training loops", "error")
    for name in ERRORS:
        ax.plot(loops, errors[name], color=COLOURS[name], label=name)
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    return figure


def totals(part: Part, results: Results, points: Sequence[Point]) -> Figure:
    """The total error of several points as a rolling mean, with the band of their seeds; beside it its two parts."""

    def smooth(error: str, run: RunResult) -> tuple[Numbers, Numbers]:
        return run.steps, rolling(run.errors[error], width(part, run))

    figure, axes = plt.subplots(1, 3, figsize=(15, 4.6), constrained_layout=True)
    figure.suptitle(
        f"{part.title}: rolling mean of {part.window} loops, mean over seeds and {_around(results, points)}"
    )
    for ax, error in zip(axes, ("total", "policy", "value"), strict=True):
        ax.set(title=f"{error} error", xlabel="training loops")
        _bands(ax, part, results, points, partial(smooth, error))
        _clip(ax, 0, math.inf)
    axes[0].legend(frameon=False, fontsize="small")
    return figure


def accuracies(part: Part, results: Results, points: Sequence[Point]) -> Figure | None:
    """How often the best network's favourite move is right, by iteration and by the time that was spent."""

    def known(along: str, run: RunResult) -> tuple[Numbers, Numbers]:
        some = ~np.isnan(run.accuracy)
        x = run.iterations if along == "iteration" else run.minutes
        return x[some], 100 * run.accuracy[some]

    examined = {p: [r for r in results.get(p, []) if not np.isnan(r.accuracy[-1])] for p in points}
    if not any(examined.values()):
        return None
    figure, axes = plt.subplots(1, 2, figsize=(13, 4.6), constrained_layout=True)
    figure.suptitle(f"{part.title}: the network's favourite move keeps the outcome of perfect play")
    for ax, along in zip(axes, ("iteration", "minutes"), strict=True):
        ax.set(xlabel=along, ylabel="% of labelled positions")
        _bands(ax, part, examined, points, partial(known, along))
        _clip(ax, 0, 100)
    axes[0].legend(frameon=False, fontsize="small")
    return figure


def tournaments(part: Part, results: Results, perfect: float | None) -> Figure | None:
    """Points of the player who began, and of the best player when it began, tournament by tournament."""
    runs = [run for point in results.values() for run in point if run.tournaments]
    if not runs:
        return None
    games = max(sum(r.gate.starting) for run in runs for r in run.tournaments)
    figure, axes = plt.subplots(1, 2, figsize=(13, 4.6), constrained_layout=True)
    figure.suptitle(f"{part.title}: tournaments, draws as half a point, {len(runs)} runs")
    for ax, name, most, shares in (
        (axes[0], "points of the player who begins", 2 * games, lambda run: run.starter_points),
        (axes[1], "points of the best player when it begins", games, lambda run: run.best_starter_points),
    ):
        curves = [
            (run.iterations[[r.iteration - 1 for r in run.tournaments]], most * shares(run)) for run in runs
        ]
        for x, y in curves:
            ax.plot(x, y, color=GREY, lw=0.6, alpha=0.5)
        shown = band(curves)
        ax.fill_between(shown.x, shown.low, shown.high, color=BLUE, alpha=0.2, lw=0)
        ax.plot(shown.x, shown.mean, color=BLUE, label="mean of all runs, 95 % band")
        if perfect is not None:
            ax.axhline(
                most * perfect, color=ORANGE, ls="--", label="two perfect players from the same openings"
            )
        ax.set(title=name, xlabel="tournament", ylim=(0, most))
        ax.legend(frameon=False, fontsize="small", loc="lower right")
    return figure


def final_scores(part: Part, results: Results) -> Figure | None:
    """How the tournaments' games ended for the player who began: shares of each final score, and its mean."""
    known = [run.beginners_margins for runs in results.values() for run in runs]
    longest = max(map(len, known), default=0)
    if not longest:
        return None
    by_tournament = [np.concatenate([run[i] for run in known if i < len(run)]) for i in range(longest)]
    scores = np.unique(np.concatenate(by_tournament))
    shares = np.array([[np.mean(margins == score) for margins in by_tournament] for score in scores])
    x = np.arange(1, longest + 1)
    figure, axes = plt.subplots(1, 2, figsize=(13, 4.6), constrained_layout=True)
    figure.suptitle(f"{part.title}: final scores of tournament games, {len(known)} runs")
    colours = plt.get_cmap("coolwarm_r")(np.linspace(0.1, 0.9, len(scores)))
    axes[0].stackplot(x, shares, labels=[f"{score:+d}" if score else "0" for score in scores], colors=colours)
    axes[0].set(title="points ahead of the player who begins", xlabel="tournament", ylabel="share of games")
    axes[0].set_ylim(0, 1)
    axes[0].legend(framealpha=0.9, edgecolor="none", fontsize="small", reverse=True, loc="lower right")
    shown = band([(x[: len(run)].astype(float), np.array([m.mean() for m in run])) for run in known if run])
    axes[1].fill_between(shown.x, shown.low, shown.high, color=BLUE, alpha=0.2, lw=0)
    axes[1].plot(shown.x, shown.mean, color=BLUE, label="mean of all runs, 95 % band")
    axes[1].set(title="mean of them", xlabel="tournament", ylabel="points")
    axes[1].legend(frameon=False, fontsize="small", loc="lower right")
    return figure


def times(part: Part, results: Results) -> Figure:
    """Seconds of a game of self-play and of ten training loops, by point."""
    labels = [point.label for point in results]
    title = f"{part.title}: time by the clock"
    return _bars(title, labels, [list(runs) for runs in results.values()])


def sizes(title: str, found: Sequence[tuple[Part, list[RunResult]]]) -> Figure:
    """Seconds of a game of self-play and of ten training loops, by game, each as its preset has it."""
    return _bars(title, [part.game for part, _ in found], [runs for _, runs in found])


def _bars(title: str, labels: Sequence[str], groups: Sequence[list[RunResult]]) -> Figure:
    figure, axes = plt.subplots(1, 2, figsize=(13, 4.6), constrained_layout=True)
    figure.suptitle(title)
    for ax, name, seconds in (
        (axes[0], "seconds for a game of self-play", lambda run: run.seconds_per_game),
        (axes[1], "seconds for ten training loops", lambda run: 10 * run.seconds_per_step),
    ):
        found = [interval([seconds(run) for run in runs]) for runs in groups]
        spread = [i.high - i.mean if np.isfinite(i.high) else 0.0 for i in found]
        bars = ax.bar(
            range(len(found)), [i.mean for i in found], yerr=spread, color=BLUE, ecolor=ORANGE, capsize=3
        )
        ax.bar_label(bars, fmt="%.3g", fontsize="small")
        ax.set_xticks(
            range(len(labels)),
            labels,
            rotation=20 if len(labels) > 4 else 0,
            ha="right" if len(labels) > 4 else "center",
        )
        ax.set(title=name)
    return figure


def _bands(ax: Axes, part: Part, results: Results, points: Sequence[Point], curve: Curve) -> None:
    colours = plt.get_cmap("viridis")(np.linspace(0, 0.88, len(part.points)))
    for colour, point in zip(colours, part.points, strict=True):
        if point in points and results.get(point):
            curves = [curve(run) for run in results[point]]
            shown = band(curves)
            if len(curves) >= LEAST_SEEDS:
                ax.fill_between(shown.x, shown.low, shown.high, color=colour, alpha=0.13, lw=0)
            else:
                for x, y in curves:
                    ax.plot(x, y, color=colour, alpha=0.35, lw=0.7)
            ax.plot(shown.x, shown.mean, color=colour, label=point.label)


def _clip(ax: Axes, least: float, most: float) -> None:
    """Keep an axis within what can be: bands of few seeds reach beyond it."""
    low, high = ax.get_ylim()
    ax.set_ylim(max(low, least), min(high, most))


def _around(results: Results, points: Sequence[Point]) -> str:
    """What is drawn around a mean, in words."""
    return "95 % band" if any(len(results.get(p, ())) >= LEAST_SEEDS for p in points) else "each of them"


def _axes(title: str, x: str, y: str) -> tuple[Figure, Axes]:
    figure, ax = plt.subplots(figsize=(8, 4.6), constrained_layout=True)
    ax.set(title=title, xlabel=x, ylabel=y)
    return figure, ax
