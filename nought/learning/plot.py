"""Pictures of a run: losses, strength by version, games against known players and the best so far."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from nought.arithmetic import ceil_div
from nought.errors import NoughtError
from nought.events import IterationReport, StepsReport
from nought.plotting import BLUE, GREY, ORANGE, plt, write_figure
from nought.rating.elo import UNTRAINED, papers_gain
from nought.selfplay.players import KNOWN

MOST_POINTS = 5_000  # of a curve: more than a picture has room for
EXPECTED_PER_VERSION = papers_gain(1.3)  # 105: what a gate of 1.3 promises


def plot_run(
    name: str, reports: list[IterationReport], path: Path, steps: Sequence[StepsReport] = ()
) -> None:
    """Draw a run into a file whose ending names the kind of picture, with the losses of single steps if there are any."""
    if not reports:
        raise NoughtError(f"the run {name} has no iterations yet: there is nothing to draw")
    figure, axes = plt.subplots(2, 3, figsize=(15, 7.5), constrained_layout=True)
    figure.suptitle(name)
    along = _along(steps)
    _every_step(axes[0, 0], BLUE, along, [loss for report in steps for loss in report.policy])
    _every_step(axes[1, 0], ORANGE, along, [loss for report in steps for loss in report.value])
    _losses(axes[0, 0], reports)
    _values(axes[1, 0], reports)
    _ratings(axes[0, 1], reports)
    _accuracy(axes[1, 1], reports)
    _against_known(axes[0, 2], reports)
    _against_best(axes[1, 2], reports)
    write_figure(figure, path)


def _along(steps: Sequence[StepsReport]) -> list[float]:
    """Where each step stands among the iterations: the last of the first one at 1."""
    return [r.iteration - 1 + (n + 1) / len(r.policy) for r in steps for n in range(len(r.policy))]


def _every_step(ax: Axes, color: str, along: Sequence[float], losses: Sequence[float]) -> None:
    """The losses of single steps, faintly behind the means; of many steps those at equal distances."""
    if losses:
        every = ceil_div(len(losses), MOST_POINTS)
        ax.plot(along[::every], losses[::every], color=color, alpha=0.3, lw=0.6, label="single steps")


def _losses(ax: Axes, reports: list[IterationReport]) -> None:
    x = [r.iteration for r in reports]
    ax.plot(x, [r.learning.policy_loss for r in reports], color=BLUE, label="policy")
    entropies = [r.learning.policy_entropy for r in reports]
    if (
        reports[-1].learning.policy_loss >= entropies[-1]
    ):  # as a cross-entropy is; others have nothing to do with it
        ax.plot(x, entropies, color=GREY, ls="--", label="entropy of the targets")
    ax.set(title="policy loss", xlabel="iteration")
    ax.legend(frameon=False)


def _values(ax: Axes, reports: list[IterationReport]) -> None:
    x = [r.iteration for r in reports]
    ax.plot(x, [r.learning.value_loss for r in reports], color=ORANGE, label="value loss")
    ax.plot(
        x,
        [r.selfplay.first_player_score for r in reports],
        color=GREY,
        ls="--",
        label="mean result of the first player",
    )
    ax.set(title="value", xlabel="iteration")
    ax.legend(frameon=False)


def _ratings(ax: Axes, reports: list[IterationReport]) -> None:
    """Rating of every version. With a gate: on the papers' scale, beside what the gate promises."""
    gated = [(r.version, r.gate.elo) for r in reports if r.gate.accepted and r.gate.elo is not None]
    if gated:
        ax.set(title="rating by the gates' matches (papers' scale)", xlabel="version")
        versions, elo = np.array([(0, UNTRAINED), *gated]).T
        ax.plot(
            versions,
            UNTRAINED + EXPECTED_PER_VERSION * versions,
            color=GREY,
            ls="--",
            label="105 per version",
        )
    else:
        ax.set(title="Elo by version (standard scale)", xlabel="version")
        examined = [
            (r.version, *r.exam.elo) for r in reports if r.exam is not None and r.exam.elo is not None
        ]
        versions, elo, low, high = np.array([(0, UNTRAINED, UNTRAINED, UNTRAINED), *examined]).T
        ax.fill_between(versions, low, high, color=BLUE, alpha=0.15, lw=0, label="95 % interval")
    ax.plot(versions, elo, "o-", color=BLUE, ms=3, label="rating")
    if gated and len(versions) > 2:
        slope, start = np.polyfit(versions, elo, 1)
        ax.plot(versions, start + slope * versions, color=ORANGE, label=f"fit: {slope:.0f} per version")
    ax.legend(frameon=False)


def _accuracy(ax: Axes, reports: list[IterationReport]) -> None:
    """How often the network's favourite move is right; where nobody knows, the speed of self-play."""
    known = [(r.version, 100 * r.exam.accuracy) for r in reports if r.exam and r.exam.accuracy is not None]
    if known:
        ax.set(title="network's favourite move is right", xlabel="version", ylabel="% of labelled positions")
        ax.plot(*zip(*known, strict=True), color=BLUE)
    else:
        ax.set(title="speed of self-play", xlabel="iteration", ylabel="positions a second")
        speeds = [r.selfplay.positions / r.selfplay.seconds for r in reports]
        ax.plot([r.iteration for r in reports], speeds, color=BLUE)
        ax.set_ylim(bottom=0)


def _against_known(ax: Axes, reports: list[IterationReport]) -> None:
    """The rated versions' points against players whom everybody knows."""
    ax.set(title="against known players", xlabel="version", ylabel="share of the points", ylim=(0, 1))
    for name in KNOWN:
        met = [(r.version, _games(r, name)) for r in reports if r.exam is not None]
        scores = [(version, (g[0] + g[1] / 2) / sum(g)) for version, g in met if any(g)]
        if scores:
            ax.plot(*zip(*scores, strict=True), "o-", ms=3, label=name)
    if ax.lines:
        ax.legend(frameon=False)
    else:
        _no_games(ax)


def _against_best(ax: Axes, reports: list[IterationReport]) -> None:
    """The gate's matches where there is a gate, otherwise those with the version that was rated last."""
    matches = [
        (r.iteration, (r.gate.wins, r.gate.draws, r.gate.losses)) for r in reports if r.gate.seconds > 0
    ]
    rated = [r for r in reports if r.exam is not None and r.exam.games]
    if not matches:
        pairs = [(new, _games(new, str(old.version))) for old, new in pairwise(rated)]
        matches = [(new.iteration, played) for new, played in pairs if any(played)]
    plot_matches(ax, matches, "against the best so far", "iteration")


def _games(report: IterationReport, other: str) -> tuple[int, int, int]:
    """Won, drawn and lost by a version against another player, in its exam."""
    assert report.exam is not None
    met = [met for met in report.exam.games if (met.a, met.b) == (str(report.version), other)]
    return sum(m.wins for m in met), sum(m.draws for m in met), sum(m.losses for m in met)


def plot_matches(ax: Axes, matches: list[tuple[int, tuple[int, int, int]]], title: str, along: str) -> None:
    """Shares of games won, drawn and lost."""
    ax.set(title=title, xlabel=along, ylabel="share of games", ylim=(0, 1))
    if not matches:
        _no_games(ax)
        return
    shares = np.array([played for _, played in matches], float)
    shares /= shares.sum(1, keepdims=True)
    x = [at for at, _ in matches]
    ax.stackplot(x, shares.T, labels=("won", "drawn", "lost"), colors=(BLUE, "#e2e8f0", ORANGE))
    ax.legend(framealpha=0.9, edgecolor="none", loc="lower right")


def _no_games(ax: Axes) -> None:
    ax.text(0.5, 0.5, "no games were played", ha="center", color=GREY, transform=ax.transAxes)
