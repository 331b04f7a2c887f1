"""Names of players and of games, as the command line and the server read them."""

from __future__ import annotations

from pathlib import Path
from random import Random

from nought.agents.names import parse
from nought.games import load
from nought.server.thinking.agents import Roster
from nought.server.thinking.own_runs import OwnRuns
from tests.fuzz.damage import ODD_TEXTS, damaged_text, made_up_text
from tests.fuzz.surface import Surface

PLAYERS = (
    "random", "oracle", "rollout:400", "openspiel-mcts:1000", "kaggle:agent.py", "program:./mine --fast", "connect4",
    "agents/connect4-small", "agents/connect4:6x7:16", "net:connect4-1@5", "search:connect4-1@best:800", "othello:6x6:3",
    "some/where/weights.safetensors", "net:elsewhere/run/", "dots-and-boxes:3x3",
)  # fmt: skip
GAMES = (
    "connect4:8x8:5",
    "othello:6x6",
    "dots-and-boxes:2x2",
    "tictactoe",
    "mygame.py:9x9",
    "./there/mine.py:3",
)


class Names(Surface):
    """Text that names a player or a game."""

    name, share = "names", 0.003

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.roster = Roster(OwnRuns(folder / "runs"))
        self.games = [load(name) for name in ("connect4", "othello:6x6")]

    def make(self, chance: Random) -> tuple[str, str]:
        how = chance.choice(("player", "agent", "game"))
        text = damaged_text(
            chance, chance.choice(GAMES if how == "game" else PLAYERS), (*ODD_TEXTS, *PLAYERS, *GAMES)
        )
        return how, made_up_text(chance) if chance.random() < 0.05 else text

    def feed(self, given: tuple[str, str]) -> None:
        how, text = given
        if how == "game":
            if not text.startswith("openspiel:"):  # whose sizes are another program's to check
                load(text)
        elif how == "agent":
            for game in self.games:
                self.roster.find(text, game)
        else:
            parse(text)
