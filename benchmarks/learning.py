"""What a short run learns, on this machine.

    python benchmarks/learning.py connect4     ten minutes, then 300 games against rollout:400 at 64 simulations
    python benchmarks/learning.py tictactoe    three minutes at most, then against perfect play
    python benchmarks/learning.py RUN          the match alone, with a run that is there already

Runs are kept under runs/.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from nought.agents import agent
from nought.agents.match import named_match
from nought.games import Game, Position, load
from nought.learning.loop import learn
from nought.learning.run import Run
from nought.oracle import OraclePlayer, find_oracle
from nought.presets import override, preset
from nought.rating.match import play_match

OUT = Console(highlight=False)


def train(name: str, run: str, minutes: float, **overrides: object) -> None:
    parameters = override(preset("best", name), {"run.minutes": minutes, **overrides})
    learn(Run.create(Path("runs") / run, name, parameters))


def connect4(run: str) -> None:
    game = load("connect4")
    match = named_match(game, (f"search:{run}@best:64", "rollout:400"), 300)
    wins, draws, losses = match.all
    elo, low, high = match.elo
    OUT.print(
        f"{match.a} against {match.b}, {len(match.distinct)} games from {match.openings} openings: "
        f"{wins}-{draws}-{losses}, Elo {elo:+.0f} ({low:+.0f} to {high:+.0f})"
    )


def small(name: str, run: str) -> None:
    """Every reachable position: does the move keep the outcome? And 200 games against perfect play."""
    game = load(name)
    oracle = find_oracle(game)
    positions = reachable(game)
    player = agent(f"search:{run}@best:100", game, games=256)
    chosen = player.choose(dict(enumerate(positions)))
    right = sum(chosen[i] in oracle.judge(p).keeping for i, p in enumerate(positions))
    OUT.print(f"{name}: {right:,} of {len(positions):,} positions played optimally at 100 simulations")
    match = play_match(game, player, OraclePlayer(oracle), 200, openings=[game.start()])
    wins, draws, losses = match.all
    OUT.print(f"against perfect play, {len(match.distinct)} different games: {wins}-{draws}-{losses}")


def reachable(game: Game) -> list[Position]:
    """All unfinished positions."""
    seen, new = {game.start()}, [game.start()]
    while new:
        new = list({after for p in new for m in p.legal if not (after := p.play(m)).finished} - seen)
        seen |= set(new)
    return list(seen)


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
