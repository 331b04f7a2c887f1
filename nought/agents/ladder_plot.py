"""A run's ratings as a picture: Elo by version, what the papers' gate promises, and the line that fits best. For a run
of Wandhoven's it is figure 8 of 000, with the paper's own gain beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from nought.agents.ladder import Ladder, from_papers_scale, on_papers_scale
from nought.learning.plot import EXPECTED_PER_VERSION
from nought.plotting import BLUE, GREEN, GREY, ORANGE, plt, write_figure
from nought.rating import PAPERS, STANDARD, Gain, Rating, to_papers, to_standard
from nought.rating.elo import UNTRAINED, WANDHOVEN_GAIN, papers_ratio


def plot_ladder(ladder: Ladder, path: Path) -> None:
    """Draw the ratings into a file whose ending names the kind of picture."""
    ratings = ladder.ratings()
    versions = {
        rating: version for rating in ratings if (version := ladder.version(rating.player)) is not None
    }
    figure, ax = plt.subplots(figsize=(9, 6), constrained_layout=True)
    ax.set(title=f"{ladder.run.name}: rating by version", xlabel="version")
    ax.set_ylabel(f"Elo ({STANDARD.label})")
    _versions(ax, ladder, dict(sorted(versions.items(), key=lambda item: item[1])))
    _known(ax, [rating for rating in ratings if "@" not in rating.player])
    low, high = min(r.low for r in ratings), max(r.high for r in ratings)
    room = 0.05 * (high - low)  # a steep line of the gate may leave the picture; the ratings stay readable
    ax.set_ylim(low - room, high + 2 * room)
    both_ways = (on_papers_scale, from_papers_scale)  # of arrays as well as of numbers
    papers = ax.secondary_yaxis("right", functions=both_ways)  # type: ignore[arg-type]
    papers.set_ylabel(f"Elo ({PAPERS.label})")
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize="small")
    write_figure(figure, path)


def _versions(ax: Axes, ladder: Ladder, versions: dict[Rating, int]) -> None:
    """Draw the versions' ratings with their 95 % band, the papers' lines, and a line that fits."""
    x = np.array(list(versions.values()))
    elo, low, high = np.array([(r.elo, r.low, r.high) for r in versions]).T
    ax.fill_between(x, low, high, color=BLUE, alpha=0.15, lw=0, label="95 %")
    ax.plot(x, elo, "o-", color=BLUE, ms=4, label="rating")
    _line(ax, x, to_standard(EXPECTED_PER_VERSION), "papers' gate", color=GREY, ls="--")
    if ladder.run.parameters.gate.rule == "wins":  # the gate of 000 and 003
        theta = papers_ratio(WANDHOVEN_GAIN)
        _line(ax, x, to_standard(WANDHOVEN_GAIN), f"Wandhoven, θ = {theta:.1f}", color=GREEN, ls="--")
        chain = ladder.chain()
        if x[-1] in chain:  # every version has met the one before
            ratings = [from_papers_scale(rating) for rating in chain.values()]
            label = "each by its match with the one before, as Wandhoven rated"
            ax.plot(list(chain), ratings, "x:", color=GREEN, ms=4, lw=1, label=label)
    if (gain := ladder.gain()) is not None:
        ax.plot(x, gain.start + gain.elo * x, color=ORANGE, label=f"fit: {gain_in_words(gain)}")
    ax.set_xlim(-0.05 * x[-1] - 0.1, 1.15 * x[-1] + 0.5)  # room on the right for the known players' names
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _line(ax: Axes, x: NDArray[Any], gain: float, name: str, **look: str) -> None:
    """Draw what versions would be rated that gain this much each."""
    label = f"{name}: {gain:.0f} per version ({to_papers(gain):.0f} on their scale)"
    ax.plot(x, UNTRAINED + gain * x, label=label, **look)  # type: ignore[arg-type]


def gain_in_words(gain: Gain) -> str:
    """What a version gains with its interval, on both scales."""
    on_theirs = [to_papers(number) for number in (gain.elo, gain.low, gain.high)]
    return (
        f"{gain.elo:.0f} per version, {gain.low:.0f} to {gain.high:.0f} "
        "({:.0f}, {:.0f} to {:.0f} on the papers' scale)".format(*on_theirs)
    )


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
