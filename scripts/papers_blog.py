"""The three graphs of the blog (001) from a run: against the first version, the loss, against the best so far.

    nought train connect4 --preset blog --run blog --minutes 30
    python scripts/papers_blog.py blog                       draws docs/images/papers/blog.png

The games against the first version are played here, forty for every version, and kept in the run's folder: the same
command draws the picture again, and after more learning plays only what is new. docs/results/papers/runs/blog is a run
without its networks, of which it can be drawn as well.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from matplotlib.axes import Axes

from nought.agents.ladder import all_versions
from nought.agents.match import named_match
from nought.events import IterationReport
from nought.files import write_whole
from nought.learning.plot import plot_matches
from nought.learning.run import VERSIONS, Run, run_folder
from nought.plotting import BLUE, ORANGE, plt, write_figure

IMAGES = Path(__file__).parents[1] / "docs" / "images" / "papers"
KEPT = "first.json"  # in the run's folder: version, and won, drawn and lost against the first

Tallies = dict[int, tuple[int, int, int]]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("run")
    asked.add_argument("--games", type=int, default=40)
    asked.add_argument("--simulations", type=int, default=100)
    asked.add_argument("--device", default="auto")
    asked.add_argument("--output", type=Path, default=IMAGES / "blog.png")
    given = asked.parse_args()
    run = Run(run_folder(given.run))
    first = against_first(run, given.games, given.simulations, given.device)
    draw_blog(run.folder.name, run.reports(), first, given.output)
    print(given.output)


def against_first(run: Run, games: int, simulations: int, device: str) -> Tallies:
    """What every version won, drew and lost against the untrained one; what was played before is read."""
    kept = run.folder / KEPT
    known: Tallies = (
        {int(v): tuple(t) for v, t in json.loads(kept.read_text()).items()} if kept.exists() else {}
    )
    there = all_versions(run)[1:] if (run.folder / VERSIONS[0]).exists() else []
    for version in there:
        if version not in known:
            names = (f"search:{run.name}@{version}:{simulations}", f"search:{run.name}@0:{simulations}")
            known[version] = tuple(named_match(run.game, names, games, seed=version, device=device).all)
            write_whole(kept, json.dumps(known).encode())
    return known


def draw_blog(name: str, reports: list[IterationReport], first: Tallies, path: Path) -> None:
    """Draw the three graphs side by side."""
    figure, axes = plt.subplots(1, 3, figsize=(15, 4.2), constrained_layout=True)
    figure.suptitle(name)
    plot_matches(axes[0], list(first.items()), "against the first version", "version")
    _loss(axes[1], reports)
    gated = [(r.iteration, (r.gate.wins, r.gate.draws, r.gate.losses)) for r in reports if r.gate.seconds > 0]
    plot_matches(axes[2], gated, "against the best so far", "iteration")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_figure(figure, path)


def _loss(ax: Axes, reports: list[IterationReport]) -> None:
    x = [r.iteration for r in reports]
    ax.plot(x, [r.learning.policy_loss for r in reports], color=BLUE, label="policy")
    ax.plot(x, [r.learning.value_loss for r in reports], color=ORANGE, label="value")
    ax.set(title="loss", xlabel="iteration", ylim=(0, None))
    ax.legend(frameon=False)


if __name__ == "__main__":
    main()
