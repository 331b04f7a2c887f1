"""Pictures of a run: losses, ratings by version, the gate's matches, the speed of self-play."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nought.errors import NoughtError
from nought.events import IterationReport
from nought.rating.elo import papers_gain

BLUE, ORANGE, GREY = "#2b6cb0", "#dd6b20", "#a0aec0"
EXPECTED_PER_VERSION = papers_gain(1.3)  # 105: what a gate of 1.3 promises


def plot_run(name: str, reports: list[IterationReport], path: Path) -> None:
    """Draw a run into a file whose ending names the kind of picture."""
    if not reports:
        raise NoughtError(f"the run {name} has no iterations yet: there is nothing to draw")
    figure, axes = plt.subplots(2, 2, figsize=(11, 7), constrained_layout=True)
    figure.suptitle(name)
    _losses(axes[0, 0], reports)
    _values(axes[0, 1], reports)
    _ratings(axes[1, 0], reports)
    _matches(axes[1, 1], reports)
    write_figure(figure, path)


def write_figure(figure: Figure, path: Path) -> None:
    """Give all pictures one look, and write one."""
    for ax in figure.axes:
        ax.grid(alpha=0.3)
        ax.spines[["top", "right"]].set_visible(False)
    try:
        figure.savefig(path, dpi=120)
    except (OSError, ValueError) as error:
        raise NoughtError(f"cannot write the picture {path}: {error}") from None
    finally:
        plt.close(figure)


def _losses(ax: Axes, reports: list[IterationReport]) -> None:
    x = [r.iteration for r in reports]
    ax.plot(x, [r.learning.policy_loss for r in reports], color=BLUE, label="policy")
    ax.plot(
        x, [r.learning.policy_entropy for r in reports], color=GREY, ls="--", label="entropy of the targets"
    )
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
    """Rating of every accepted version on the papers' scale, with the least that the gate promises and a line."""
    ax.set(title="rating by version (papers' scale)", xlabel="version")
    accepted = [(r.version, r.gate.elo) for r in reports if r.gate.accepted and r.gate.elo is not None]
    if not accepted:
        ax.text(
            0.5,
            0.5,
            "no gate: versions did not play each other",
            ha="center",
            color=GREY,
            transform=ax.transAxes,
        )
        return
    versions, elo = np.array([(0, 100.0), *accepted]).T
    ax.plot(versions, elo, "o-", color=BLUE, ms=4, label="rating")
    ax.plot(versions, 100 + EXPECTED_PER_VERSION * versions, color=GREY, ls="--", label="105 per version")
    slope, start = np.polyfit(versions, elo, 1)
    ax.plot(versions, start + slope * versions, color=ORANGE, label=f"fit: {slope:.0f} per version")
    ax.legend(frameon=False)


def _matches(ax: Axes, reports: list[IterationReport]) -> None:
    """Wins, draws and losses of each new network against the best so far."""
    played = [r for r in reports if r.gate.wins + r.gate.draws + r.gate.losses > 0]
    if not played:
        ax.set(title="speed of self-play", xlabel="iteration", ylabel="positions a second")
        ax.plot(
            [r.iteration for r in reports],
            [r.selfplay.positions / r.selfplay.seconds for r in reports],
            color=BLUE,
        )
        ax.set_ylim(bottom=0)
        return
    ax.set(
        title="new network against the best so far", xlabel="iteration", ylabel="share of games", ylim=(0, 1)
    )
    shares = np.array([[r.gate.wins, r.gate.draws, r.gate.losses] for r in played], float)
    shares /= shares.sum(1, keepdims=True)
    x = [r.iteration for r in played]
    ax.stackplot(x, shares.T, labels=("won", "drawn", "lost"), colors=(BLUE, "#e2e8f0", ORANGE))
    ax.legend(frameon=False, loc="lower right")
