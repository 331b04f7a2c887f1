"""Makes what the lessons show of real agents: `python scripts/learn_figures.py` (five minutes), or `… exam`, `… figures`.

`exam` asks every Connect 4 agent of the package for a move in each position of its test set and writes what came out for
the page's lesson 9; `figures` draws the pictures of docs/learn, from that and from docs/learn/network.py.
"""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import numpy as np

import nought
from nought.files import write_whole
from nought.oracle.labelled import Labelled, built_in_positions, read_positions
from nought.plotting import BLUE, GREY, ORANGE, plt, write_figure
from nought.rating.elo import PAPERS, STANDARD
from nought.statistics import wilson

ROOT = Path(__file__).parents[1]
EXAM = ROOT / "nought" / "server" / "static" / "js" / "learn" / "data" / "exam.json"
LEARN = ROOT / "docs" / "learn"
FIGURES = LEARN / "figures"
AGENTS = [*(f"connect4-level-{level}" for level in range(8)), "connect4-small", "connect4"]
MOST_SHOWN = 6  # positions that the best agent gets wrong


def exam() -> None:
    """Every agent's answers, one simulation each: the network alone."""
    game = nought.load("connect4")
    path = built_in_positions(game)
    assert path is not None  # Connect 4 has a test set
    labelled = read_positions(path, game)
    rows, wrong = [], []
    for name in AGENTS:
        player = nought.agent(f"agents/{name}", game, simulations=1)
        missed = [item for item, right in zip(labelled, answers(player, labelled), strict=True) if not right]
        rows.append({"agent": f"agents/{name}", "right": len(labelled) - len(missed), "asked": len(labelled)})
        print(f"{name}: {rows[-1]['right']} of {rows[-1]['asked']}", flush=True)
        wrong = [position_of(item) for item in missed]  # those of the last one, the best
    fullest = sorted(wrong, key=lambda one: len(str(one["moves"])))[
        -MOST_SHOWN:
    ]  # the easiest to see through
    write_whole(EXAM, (json.dumps({"exam": rows, "wrong": fullest}, indent=2) + "\n").encode())


def answers(player: nought.Player, labelled: list[Labelled], at_once: int = 255) -> list[bool]:
    """Whether the player's move keeps the outcome, for every position."""
    right = []
    for first in range(0, len(labelled), at_once):
        some = dict(enumerate(labelled[first : first + at_once], first))
        moves = player.choose({n: item.position for n, item in some.items()})
        right += [item.truth.outcomes[moves[n]] == item.truth.outcome for n, item in some.items()]
    return right


def position_of(item: Labelled) -> dict[str, object]:
    """A position as the page reads it."""
    moves = "".join(str(move + 1) for move in item.position.moves)
    return {"moves": moves, "outcomes": {move + 1: outcome for move, outcome in item.truth.outcomes.items()}}


def figures() -> None:
    """The pictures of docs/learn."""
    FIGURES.mkdir(exist_ok=True)
    activations()
    elo_curves()
    learning_curve()
    strength()


def activations() -> None:
    x = np.linspace(-4, 4, 401)
    tanh = np.tanh(x)
    leaky = np.where(x >= 0, x, 0.3 * x)
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(10, 3), layout="constrained")
    left.plot(x, tanh, color=BLUE, label="tanh")
    left.plot(x, 1 - tanh**2, color=ORANGE, label="its slope")
    middle.plot(x, 1 / (1 + np.exp(-x)), color=BLUE, label="chance of move 1")
    middle.plot(x, 1 / (1 + np.exp(x)), color=ORANGE, label="chance of move 2")
    middle.set_xlabel("score of move 1, that of move 2 is 0")
    right.plot(x, leaky, color=BLUE, label="leaky ReLU, c = 0.3")
    right.plot(x, np.where(x >= 0, 1, 0.3), color=ORANGE, label="its slope")
    for axes in (left, middle, right):
        axes.legend()
    write_figure(figure, FIGURES / "activations.svg")


def elo_curves() -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    difference = np.linspace(-1500, 1500, 301)
    score = np.linspace(0.01, 0.99, 197)
    for scale, colour in ((PAPERS, BLUE), (STANDARD, ORANGE)):
        left.plot(difference, [scale.expected(d) for d in difference], color=colour, label=scale.label)
        right.plot(score, [scale.difference(s) for s in score], color=colour, label=scale.label)
    left.set(xlabel="rating difference", ylabel="expected score")
    right.set(xlabel="score", ylabel="rating difference")
    left.legend()
    write_figure(figure, FIGURES / "elo.svg")


def learning_curve() -> None:
    """The circle of lesson 5, learned by docs/learn/network.py."""
    network = runpy.run_path(str(LEARN / "network.py"))
    random = np.random.default_rng(1)
    learner = network["Network"]([2, 256, 16, 1], ["leaky", "leaky", "sigmoid"], random)
    losses, maps = [], {}
    grid = np.stack(np.meshgrid(*[(np.arange(80) + 0.5) / 80] * 2), axis=-1).reshape(-1, 2)
    for step in range(401):
        if step in (0, 50, 100, 400):
            maps[step] = learner.forward(grid).reshape(80, 80)
        if step % 8 == 0:
            points = random.random((1024, 2))
            truth = (np.hypot(*(points - 0.5).T) > 0.4).astype(float)[:, None]
        losses.append(learner.learn(points, truth, rate=0.1, momentum=0.9))
    figure, axes = plt.subplots(1, 5, figsize=(12, 2.6), layout="constrained")
    for ax, (step, seen) in zip(axes, maps.items(), strict=False):
        ax.imshow(seen, cmap="RdYlBu_r", vmin=0, vmax=1, extent=(0, 1, 0, 1))
        ax.add_patch(plt.Circle((0.5, 0.5), 0.4, fill=False))
        ax.set(title=f"{step} steps", xticks=[], yticks=[])
    axes[-1].plot(losses, color=BLUE)
    axes[-1].set(title="loss", xlabel="steps", ylim=0)
    write_figure(figure, FIGURES / "circle.png")


def strength() -> None:
    """How many positions each agent answers rightly, with 95 % intervals."""
    rows = json.loads(EXAM.read_text(encoding="utf-8"))["exam"]
    names = [row["agent"].removeprefix("agents/").removeprefix("connect4-") for row in rows]
    figure, ax = plt.subplots(figsize=(8, 3.4), layout="constrained")
    for at, row in enumerate(rows):
        share = wilson(row["right"], row["asked"])
        ax.plot([at, at], [100 * share.low, 100 * share.high], color=GREY, linewidth=5)
        ax.plot(at, 100 * share.share, "o", color=BLUE)
    ax.set_xticks(range(len(rows)), names, rotation=20)
    ax.set(ylabel="right moves, %")
    write_figure(figure, FIGURES / "strength.svg")


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["exam", "figures"]
    for part in wanted:
        {"exam": exam, "figures": figures}[part]()
