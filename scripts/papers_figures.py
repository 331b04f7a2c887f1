"""Figures of the papers from what is kept in docs/results, into docs/images/papers: python scripts/papers_figures.py

- Figure 8 of 000, from runs of preset `wandhoven` and `wandhoven-code` that `nought rate` has rated.
- Figures 6 and 7 of 000: the expected score, and the difference that a score stands for.
- Figures 8.2.1 to 8.2.4 of 002: time by board and by filters, from benchmarks/dots_and_boxes_time.py --csv.
- Figure 8.3.6 of 002: 18, 70 and 140 filters on 3×3, from part 3x3-filters of studies/prince.toml.
"""

from __future__ import annotations

import contextlib
import csv
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from nought.agents.ladder import Ladder, on_papers_scale
from nought.agents.ladder_plot import plot_ladder
from nought.learning.run import Run, run_folder
from nought.plotting import BLUE, GREEN, GREY, ORANGE, plt, write_figure
from nought.rating import PAPERS, STANDARD
from nought.rating.elo import UNTRAINED, WANDHOVEN_GAIN, papers_gain
from nought.study.statistics import Numbers, band, rolling

DOCS = Path(__file__).parents[1] / "docs"
IMAGES, RESULTS = DOCS / "images" / "papers", DOCS / "results"
RUNS = ("wandhoven", "wandhoven-1", "wandhoven-code")
SIMULATIONS = 50  # a move of 000's players
STANDARD_FILTERS = {2: 35, 3: 70, 4: 114}  # of the thesis, by size of the board
LOOPS, WINDOW = 10, 10  # training loops an iteration on 3×3, and those of a rolling mean there


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with contextlib.chdir(RESULTS / "papers"):  # where there are runs, without their networks
        for run in RUNS:
            ladder = Ladder(Run(run_folder(run)), SIMULATIONS)
            plot_ladder(ladder, IMAGES / f"{run}.png")
        gates([Ladder(Run(run_folder(run)), SIMULATIONS) for run in RUNS], IMAGES / "gates.png")
    elo(IMAGES / "elo.png")
    times(read_times(RESULTS / "papers" / "times.csv"), IMAGES / "times.png")
    filters(RESULTS / "study-dots-and-boxes" / "results.csv", IMAGES / "3x3-filters.png")


def gates(ladders: Sequence[Ladder], path: Path) -> None:
    """Figure 8 on its own scale: what the gates' matches add up to, and what the versions are worth."""
    figure, axes = plt.subplots(
        1, len(ladders), figsize=(5 * len(ladders), 4.6), sharey=True, layout="constrained"
    )
    for ax, ladder in zip(axes, ladders, strict=True):
        gate = {0: UNTRAINED} | {r.version: r.gate.elo for r in ladder.run.reports() if r.gate.accepted}
        found = {ladder.version(r.player): on_papers_scale(r.elo) for r in ladder.ratings()}
        rated = sorted((version, elo) for version, elo in found.items() if version is not None)
        x = np.array([0, max(gate)])
        ax.plot(*zip(*gate.items(), strict=True), "x:", color=GREEN, ms=4, label="by the gates' own matches")
        ax.plot(x, UNTRAINED + WANDHOVEN_GAIN * x, "--", color=GREEN, label="408 a version, Wandhoven's")
        ax.plot(
            x,
            UNTRAINED + papers_gain(1.3) * x,
            "--",
            color=GREY,
            label="105 a version, what its gate promises",
        )
        ax.plot(
            *zip(*rated, strict=True), "o-", color=BLUE, ms=3, label="rated together, from varied openings"
        )
        ax.set(title=ladder.run.name, xlabel="version")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes[0].set_ylabel(f"Elo ({PAPERS.label})")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    write_figure(figure, path)


def elo(path: Path) -> None:
    """Figures 6 and 7: both scales, since the papers' has another unit than everybody's."""
    figure, (score, inverse) = plt.subplots(1, 2, figsize=(12, 4.4), constrained_layout=True)
    differences, scores = np.linspace(-2000, 2000, 401), np.linspace(0.01, 0.99, 393)
    for scale, colour in ((PAPERS, BLUE), (STANDARD, GREY)):
        score.plot(differences, [scale.expected(d) for d in differences], color=colour, label=scale.label)
        inverse.plot(scores, [scale.difference(s) for s in scores], color=colour, label=scale.label)
    score.set(title="figure 6: expected score", xlabel="rating above the opponent's")
    inverse.set(
        title="figure 7: the rating that a score stands for", xlabel="score", ylabel="above the opponent's"
    )
    for name, gain in (("θ = 1.3: 105", 105), ("θ = 2.8: 408", 408)):
        score.plot(gain, PAPERS.expected(gain), "o", color=ORANGE)
        score.annotate(name, (gain, PAPERS.expected(gain)), (12, -8), textcoords="offset points")
    for ax in (score, inverse):
        ax.legend(frameon=False)
    write_figure(figure, path)


class Timed(NamedTuple):
    """How many seconds a game and ten training loops took."""

    size: int  #    of the board
    filters: int
    game: float
    loops: float


def read_times(path: Path) -> list[Timed]:
    """What benchmarks/dots_and_boxes_time.py found; it writes 0 for the filters of the preset."""
    found = []
    for line in csv.reader(path.read_text().splitlines()):
        size, asked = int(line[0]), int(line[1])
        found.append(Timed(size, asked or STANDARD_FILTERS[size], float(line[2]), float(line[3])))
    return found


def times(found: Sequence[Timed], path: Path) -> None:
    """Figures 8.2.1 to 8.2.4, as bars."""
    figure, axes = plt.subplots(2, 2, figsize=(12, 7.4), constrained_layout=True)
    boards = sorted({t.size: t for t in found if t.filters == STANDARD_FILTERS[t.size]}.values())
    on_3x3 = sorted({t.filters: t for t in found if t.size == 3}.values())
    by_board, by_filters = ([f"{t.size}×{t.size}" for t in boards], [str(t.filters) for t in on_3x3])
    _bars(axes[0, 0], "8.2.1: a game, seconds", by_board, [t.game for t in boards])
    _bars(axes[0, 1], "8.2.2: a 3×3 game by filters, seconds", by_filters, [t.game for t in on_3x3])
    _bars(axes[1, 0], "8.2.3: ten training loops, seconds", by_board, [t.loops for t in boards])
    _bars(axes[1, 1], "8.2.4: ten loops on 3×3 by filters, seconds", by_filters, [t.loops for t in on_3x3])
    write_figure(figure, path)


def _bars(ax: Axes, title: str, labels: Sequence[str], seconds: Sequence[float]) -> None:
    ax.bar_label(ax.bar(labels, seconds, color=BLUE), fmt="%.3g", fontsize="small")
    ax.set(title=title)


def filters(results: Path, path: Path, shown: Sequence[int] = (18, 70, 140)) -> None:
    """Figure 8.3.6: the total error of the least, the standard and the most filters on 3×3."""
    figure, ax = plt.subplots(figsize=(9, 5), constrained_layout=True)
    with results.open() as lines:
        curves = errors(csv.DictReader(lines), "prince-3x3-filters")
    for count, colour in zip(shown, plt.get_cmap("viridis")(np.linspace(0, 0.88, len(shown))), strict=True):
        runs = [(x, rolling(y, WINDOW // LOOPS)) for x, y in curves[f"filters {count}"]]
        mean = band(runs)
        ax.fill_between(mean.x, mean.low, mean.high, color=colour, alpha=0.13, lw=0)
        ax.plot(mean.x, mean.mean, color=colour, label=f"{count} filters, {len(runs)} seeds")
    ax.set(title="8.3.6: total error on 3×3, mean of an iteration's 10 loops, 95 % band over seeds")
    ax.set(xlabel="training loops", ylabel="total error")
    ax.legend(frameon=False)
    write_figure(figure, path)


def errors(lines: Iterable[dict[str, str]], part: str) -> dict[str, list[tuple[Numbers, Numbers]]]:
    """The total error over loops of every run whose name begins with that of the part, by its setting."""
    runs: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for line in lines:
        if line["run"].startswith(f"{part}-"):
            point = float(line["loops"]), float(line["policy"]) + float(line["value"])
            runs[line["setting"], line["run"]].append(point)
    found: dict[str, list[tuple[Numbers, Numbers]]] = defaultdict(list)
    for (setting, _), points in runs.items():
        loops, total = np.array(points).T
        found[setting].append((loops, total))
    return found


if __name__ == "__main__":
    main()
