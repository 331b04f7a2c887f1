"""A study that takes seconds."""

from pathlib import Path

TINY = """
title = "A tiny study"
game = "tictactoe"
seeds = 1
iterations = 3

[set]
network.blocks = 1
network.value_hidden = 8
search.simulations = 8
search.cache = 1024
selfplay.games = 8
selfplay.positions = 60
learning.window = 150
learning.batch = 32
learning.steps = 4
gate.rule = "share"
gate.threshold = 0.3
gate.games = 6
gate.simulations = 4
exam.games = 0
run.precision = "float32"

[[part]]
name = "filters"
title = "Filters & more"
window = 8
grid.network.filters = [4, 8]
"""


def write_study(folder: Path, text: str = TINY, name: str = "tiny") -> Path:
    (folder / "studies").mkdir(exist_ok=True)
    path = folder / "studies" / f"{name}.toml"
    path.write_text(text)
    return path
