"""A run that takes a second: tic-tac-toe, two iterations."""

from pathlib import Path
from typing import Any

from nought.learning.loop import learn
from nought.learning.run import Run
from nought.presets import override, preset

TINY = {
    "network.filters": 8,
    "network.blocks": 1,
    "network.value_hidden": 8,
    "search.simulations": 4,
    "search.cache": 1024,
    "selfplay.games": 8,
    "selfplay.threads": 1,
    "selfplay.positions": 40,
    "learning.batch": 32,
    "run.iterations": 2,
    "run.minutes": 0,
    "run.precision": "float32",
}


def tiny_run(folder: Path, name: str = "tiny", **overrides: Any) -> Run:
    """It is in `folder`/runs, and over."""
    parameters = override(preset("best", "tictactoe"), TINY | overrides)
    run = Run.create(folder / "runs" / name, "tictactoe", parameters)
    learn(run)
    return run
