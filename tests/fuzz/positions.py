"""Files of labelled positions."""

from __future__ import annotations

from pathlib import Path
from random import Random

from nought.games import Game, load
from nought.oracle.labelled import built_in_positions, read_positions
from tests.fuzz.damage import ODD_TEXTS, damaged_bytes, damaged_text
from tests.fuzz.surface import Surface

NAMES = ("tictactoe", "connect4", "dots-and-boxes:2x2", "dots-and-boxes:3x3", "othello:6x6", "othello")
WORDS = (
    *ODD_TEXTS,
    "moves",
    "s1",
    "scores",
    "edge_values",
    "value",
    "outcome",
    "board",
    "category",
    "1:1",
    '""',
)
MOST_ROWS = 3


class Positions(Surface):
    """The first line and some others of a file that comes with nought, damaged."""

    name, share = "positions", 0.002

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.files: list[tuple[Game, str, list[str]]] = []
        for game in map(load, NAMES):
            path = built_in_positions(game)
            assert path is not None
            first, *others = path.read_text(encoding="utf-8").splitlines(keepends=True)
            self.files.append((game, first, others))

    def make(self, chance: Random) -> tuple[Game, bytes]:
        game, first, others = chance.choice(self.files)
        rows = [chance.choice(others) for _ in range(chance.randint(0, MOST_ROWS))]
        text = "".join([first if chance.random() < 0.95 else chance.choice(self.files)[1], *rows])
        data = damaged_text(chance, text, WORDS).encode("utf-8", "surrogatepass")
        return game, damaged_bytes(chance, data) if chance.random() < 0.2 else data

    def feed(self, given: tuple[Game, bytes]) -> None:
        game, data = given
        path = self.folder / "positions.csv"
        path.write_bytes(data)
        for labelled in read_positions(path, game):
            assert set(labelled.truth.best) <= set(labelled.position.legal)
