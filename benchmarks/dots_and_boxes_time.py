"""Processor time of a game of self-play and of ten training loops of dots and boxes, as preset `prince` has them.

    python benchmarks/dots_and_boxes_time.py                          by size of the board
    python benchmarks/dots_and_boxes_time.py 3 18 35 70 105 140       by filters, on 3×3
    … --csv times.csv                                                 also as lines of a file, after those it has

One game at a time on one thread, as the thesis played; every position of a game is evaluated once and nothing is shared
between games. Processor time is what other programs on the machine disturb least; docs/results/study-dots-and-boxes.md quotes it.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from pathlib import Path

import torch

from nought.events import Listener
from nought.learning.learner import Learner
from nought.learning.run import Run
from nought.presets import Overrides, override, preset

ALONE: Overrides = {
    "search.cache": 0, "selfplay.games": 1, "selfplay.threads": 1, "run.precision": "bfloat16",
}  # fmt: skip
GAMES = {2: 20, 3: 2, 4: 1}


def measure(size: int, changes: Overrides) -> tuple[float, float]:
    """Seconds of a game, and of ten training loops."""
    game, moves = f"dots-and-boxes:{size}x{size}", 2 * size * (size + 1)
    shape = {"selfplay.positions": moves * GAMES[size], "learning.window": moves}
    parameters = override(preset("prince", game), ALONE | shape | changes)
    with tempfile.TemporaryDirectory() as folder:
        learner = Learner(Run.create(Path(folder) / "run", game, parameters), Listener(), "cpu")
        learner.players.play(1, 2, lambda _: None, math.inf)  # so that nothing is left to compile
        begin = time.process_time()
        samples, played, _ = learner.play()
        between = time.process_time()
        learner.train(samples)
        return (between - begin) / len(played), time.process_time() - between


def main() -> None:
    torch.set_num_threads(1)
    asked = argparse.ArgumentParser()
    asked.add_argument("size", type=int, nargs="?", default=0)
    asked.add_argument("filters", type=int, nargs="*")
    asked.add_argument("--csv", type=Path)
    given = asked.parse_args()
    size, filters = given.size, given.filters
    tried = [(size, {"network.filters": n}) for n in filters] or [(n, {}) for n in (2, 3, 4)]
    before: tuple[float, float] | None = None
    for n, changes in tried:
        found = measure(n, changes)
        factors = (
            "" if before is None else "".join(f"  ×{n / b:.1f}" for n, b in zip(found, before, strict=True))
        )
        name = " ".join([f"{n}×{n}", *(f"{value} filters" for value in changes.values())])
        print(f"{name}: {found[0]:.3f} s a game, {found[1]:.2f} s for ten loops{factors}", flush=True)
        if given.csv is not None:
            with given.csv.open("a") as lines:  # size, filters (0: as the preset has them), a game, ten loops
                print(
                    n, *changes.values() or [0], *(f"{seconds:.4f}" for seconds in found), sep=",", file=lines
                )
        before = found


if __name__ == "__main__":
    main()
