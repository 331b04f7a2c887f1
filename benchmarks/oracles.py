"""Are the oracles right, and how fast: python benchmarks/oracles.py [FOLDER of labelled positions].

Compares every oracle with the labels of the CSV files in FOLDER (otherwise with the built-in test sets, which
they made), and measures how long a judgement takes.
"""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path

import numpy as np

from nought.games import Game, Position, load
from nought.oracle import find_oracle
from nought.oracle.dots_and_boxes import boxes_of
from nought.oracle.kernels.dots_and_boxes import net_table
from nought.oracle.labelled import BUILT_IN, read_positions

JUDGED = 12  # positions for a time


def game_of(file: Path) -> str:
    """By the columns of a file, or its name."""
    with file.open(encoding="utf-8") as lines:
        row = next(csv.DictReader(lines))
    if "edge_values" in row:
        return f"dots-and-boxes:{row['board']}"
    return "connect4" if "s7" in row else file.stem.replace("-", ":")


def compare(folder: Path) -> bool:
    """Whether every label of the files is what the oracle says."""
    every = True
    print(f"{'labels':28}{'rows':>7}{'agree':>7}{'mean':>10}{'slowest':>11}")
    for file in sorted(folder.glob("*.csv")):
        game = load(game_of(file))
        oracle, agree, times = find_oracle(game), 0, []
        labelled = read_positions(file, game)
        oracle.judge(labelled[0].position)  # makes tables, compiles
        for item in labelled:
            begin = time.perf_counter()
            agree += oracle.judge(item.position) == item.truth
            times.append(1000 * (time.perf_counter() - begin))
        every &= agree == len(labelled)
        print(
            f"{file.name:28}{len(labelled):7}{agree:7}{np.mean(times):7.1f} ms{max(times):8.0f} ms",
            flush=True,
        )
    return every


def random_positions(game: Game, left: int, random: np.random.Generator) -> list[Position]:
    """Unfinished positions of random games with so many moves left at most."""
    found: list[Position] = []
    while len(found) < JUDGED:
        position = game.start()
        while not position.finished and game.longest - len(position.moves) > left:
            position = position.play(int(random.choice(position.legal)))
        if not position.finished:
            found.append(position)
    return found


def measure() -> None:
    random = np.random.default_rng(0)
    game = load("dots-and-boxes:3x3")
    net_table(boxes_of(load("dots-and-boxes:1x1"), range(4)))
    begin = time.perf_counter()
    net_table(boxes_of(game, range(game.actions)))
    print(f"\ntable of {game.name}: {time.perf_counter() - begin:.2f} s\n")
    print(f"{'every move of a position':28}{'left':>7}{'mean':>10}{'slowest':>11}")
    for name, lefts in (
        ("dots-and-boxes:4x4", (20, 24, 26, 28)),
        ("dots-and-boxes:5x5", (24, 28)),
        ("othello:6x6", (12, 16, 18)),
        ("othello", (10, 12, 14, 16, 18)),
    ):
        game = load(name)
        oracle = find_oracle(game)
        oracle.judge(random_positions(game, 8, random)[0])
        for left in lefts:
            times = []
            for position in random_positions(game, left, random):
                begin = time.perf_counter()
                oracle.judge(position)
                times.append(time.perf_counter() - begin)
            print(f"{name:28}{left:7}{np.mean(times):8.3f} s{max(times):9.3f} s", flush=True)


if __name__ == "__main__":
    right = compare(Path(sys.argv[1]) if len(sys.argv) > 1 else BUILT_IN)
    measure()
    sys.exit(0 if right else 1)
