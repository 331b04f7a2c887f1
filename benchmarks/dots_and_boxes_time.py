"""Processor time of a game of self-play and of ten training loops of dots and boxes, as preset `prince` has them.

    python benchmarks/dots_and_boxes_time.py [GAMES]

One game at a time on one thread, as the thesis played; every position of a game is evaluated once and nothing is shared
between games. Processor time is what other programs on the machine disturb least; docs/study-dots-and-boxes.md quotes it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import torch

from nought.events import Silent
from nought.learning.learner import Learner
from nought.learning.run import Run
from nought.presets import override, preset

ALONE = {
    "search.cache": 0, "selfplay.games": 1, "selfplay.threads": 1, "learning.window": 256, "run.precision": "bfloat16",
}  # fmt: skip


def measure(size: int, games: int) -> tuple[float, float]:
    """Seconds of a game, and of ten training loops."""
    game = f"dots-and-boxes:{size}x{size}"
    moves = 2 * size * (size + 1)
    parameters = override(
        preset("prince", game), ALONE | {"selfplay.positions": moves * games, "learning.window": moves}
    )
    with tempfile.TemporaryDirectory() as folder:
        learner = Learner(Run.create(Path(folder) / "run", game, parameters), Silent(), "cpu")
        learner.selfplay.play(1, 2)  # so that nothing is left to compile
        begin = time.process_time()
        samples, played, _ = learner.play()
        between = time.process_time()
        learner.train(samples)
        return (between - begin) / len(played), time.process_time() - between


def main() -> None:
    torch.set_num_threads(1)
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    before: tuple[float, float] | None = None
    for size in (2, 3, 4):
        found = measure(size, games * (20 if size == 2 else 2 if size == 3 else 1))
        factors = (
            "" if before is None else "".join(f"  ×{n / b:.1f}" for n, b in zip(found, before, strict=True))
        )
        print(f"{size}×{size}: {found[0]:.3f} s a game, {found[1]:.2f} s for ten loops{factors}", flush=True)
        before = found


if __name__ == "__main__":
    main()
