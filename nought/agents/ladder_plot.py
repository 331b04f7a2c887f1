"""A run's ratings as a picture: Elo by version, what the papers' gate promises, and the line that fits best."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from nought.agents.ladder import Ladder, from_papers_scale, on_papers_scale
from nought.learning.plot import EXPECTED_PER_VERSION
from nought.plotting import BLUE, GREY, ORANGE, plt, write_figure
from nought.rating import PAPERS, STANDARD, Rating, to_papers, to_standard
from nought.rating.elo import UNTRAINED


def plot_ladder(ladder: Ladder, path: Path) -> None:
    """Draw the ratings into a file whose ending names the kind of picture."""
    ratings = ladder.ratings()
    versions = {
        rating: version for rating in ratings if (version := ladder.version(rating.player)) is not None
    }
    figure, ax = plt.subplots(figsize=(9, 6), constrained_layout=True)
    ax.set(title=f"{ladder.run.name}: rating by version", xlabel="version")
    ax.set_ylabel(f"Elo ({STANDARD.label})")
    _versions(ax, dict(sorted(versions.items(), key=lambda item: item[1])))
    _known(ax, [rating for rating in ratings if "@" not in rating.player])
    low, high = min(r.low for r in ratings), max(r.high for r in ratings)
    room = 0.08 * (high - low)  # a steep line of the gate may leave the picture; the ratings stay readable
    ax.set_ylim(low - room, high + 4 * room)
    both_ways = (on_papers_scale, from_papers_scale)  # of arrays as well as of numbers
    papers = ax.secondary_yaxis("right", functions=both_ways)  # type: ignore[arg-type]
    papers.set_ylabel(f"Elo ({PAPERS.label})")
    write_figure(figure, path)


def _versions(ax: Axes, versions: dict[Rating, int]) -> None:
    """Draw the versions' ratings with their 95 % band, the least gain of the papers' gate, and a line that fits."""
    x = np.array(list(versions.values()))
    elo, low, high = np.array([(r.elo, r.low, r.high) for r in versions]).T
    ax.fill_between(x, low, high, color=BLUE, alpha=0.15, lw=0, label="95 %")
    ax.plot(x, elo, "o-", color=BLUE, ms=4, label="rating")
    least = to_standard(EXPECTED_PER_VERSION)
    label = f"papers' gate: {least:.0f} per version ({EXPECTED_PER_VERSION:.0f} on their scale)"
    ax.plot(x, UNTRAINED + least * x, color=GREY, ls="--", label=label)
    if len(x) > 1:
        slope, start = np.polyfit(x, elo, 1)
        label = f"fit: {slope:.0f} per version ({to_papers(slope):.0f} on the papers' scale)"
        ax.plot(x, start + slope * x, color=ORANGE, label=label)
    ax.set_xlim(-0.05 * x[-1] - 0.1, 1.15 * x[-1] + 0.5)  # room on the right for the known players' names
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.legend(frameon=False, loc="upper left")


def _known(ax: Axes, ratings: Sequence[Rating]) -> None:
    """Draw each known player as a horizontal line at its rating."""
    for rating in ratings:
        ax.axhline(rating.elo, color=GREY, lw=0.8, ls=":")
        ax.annotate(
            rating.player,
            (0.995, rating.elo),
            xycoords=("axes fraction", "data"),
            ha="right",
            va="bottom",
            fontsize=8,
            color="#4a5568",
        )
