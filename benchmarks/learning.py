"""What a short run learns, on this machine.

    python benchmarks/learning.py connect4     ten minutes, then 100 games against rollout:400 at 64 simulations
    python benchmarks/learning.py tictactoe    three minutes at most, then against perfect play
    python benchmarks/learning.py RUN          the match alone, with a run that is there already

Runs are kept under runs/.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from rich.console import Console

from nought.agents import agent
from nought.agents.match import named_match
from nought.games import Game, Position, load
from nought.learning.loop import learn
from nought.learning.run import Run
from nought.presets import override, preset
from nought.selfplay import Player, play_games

OUT = Console(highlight=False)


class Perfect:
    """Plays any best move of a game small enough to be solved; used to measure, never to learn."""

    name = "perfect"

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        self.values: dict[Position, float] = {}
        self.value(game.start())

    def value(self, position: Position) -> float:
        """For player 0."""
        if position not in self.values:
            if position.finished:
                self.values[position] = position.result
            else:
                choose = max if position.player == 0 else min
                self.values[position] = choose(self.value(position.play(m)) for m in position.legal)
        return self.values[position]

    def best(self, position: Position) -> list[int]:
        return [m for m in position.legal if self.value(position.play(m)) == self.value(position)]

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        return {g: int(self.random.choice(self.best(p))) for g, p in positions.items()}


def train(name: str, run: str, minutes: float, **overrides: object) -> None:
    parameters = override(preset("best", name), {"run.minutes": minutes, **overrides})
    learn(Run.create(Path("runs") / run, name, parameters))


def connect4(run: str) -> None:
    game = load("connect4")
    match = named_match(game, (f"search:{run}@best:64", "rollout:400"), 100)
    wins, draws, losses = match.all
    elo, low, high = match.elo
    OUT.print(
        f"{match.a} against {match.b}, {len(match.distinct)} games from {match.openings} openings: "
        f"{wins}-{draws}-{losses}, Elo {elo:+.0f} ({low:+.0f} to {high:+.0f})"
    )


def small(name: str, run: str) -> None:
    """Every reachable position: does the search's move keep the value? And 200 games against perfect play."""
    game = load(name)
    perfect = Perfect(game)
    positions = [p for p in perfect.values if not p.finished]
    player: Player = agent(f"search:{run}@best:64", game, games=256)
    chosen = player.choose(dict(enumerate(positions)))
    right = sum(chosen[i] in perfect.best(p) for i, p in enumerate(positions))
    OUT.print(f"{name}: {right} of {len(positions)} positions played optimally at 64 simulations")
    starts = [game.start()] * 100
    results = [p.result for p in play_games((player, perfect), starts)]
    results += [-p.result for p in play_games((perfect, player), starts)]
    OUT.print(
        f"against perfect play, 200 games: {sum(r < 0 for r in results)} lost, {sum(r > 0 for r in results)} won"
    )


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else "connect4"
    if what == "connect4":
        train("connect4", "benchmark-connect4", 10)
        connect4("benchmark-connect4")
    elif what in ("tictactoe", "dots-and-boxes:2x2"):
        run = "benchmark-" + what.replace(":", "-")
        train(what, run, 2.5, **{"network.filters": 32, "network.blocks": 3, "selfplay.positions": 4000})
        small(what, run)
    else:
        connect4(what)
