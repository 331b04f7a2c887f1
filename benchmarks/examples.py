"""How strong do the example games become in three minutes? Each is learned as a user does, and then plays a match against
search with random play to the end, with as many simulations as take the same processor time on one game.

    python benchmarks/examples.py                           all of them, three minutes each
    python benchmarks/examples.py hex kalah --minutes 10
    python benchmarks/examples.py hex --games 400           a run that is there already is only measured

Where every position is known, perfect play has the same match: no player can be expected to score more.

Runs are kept under runs/, as example-NAME.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from nought.agents import agent
from nought.agents.match import named_match
from nought.errors import NoughtError
from nought.games import Game, Position, load
from nought.games.examples import example_path, examples
from nought.learning.run import Run, run_folder
from nought.oracle import find_oracle
from nought.rating import varied_openings
from nought.selfplay.players import Player

OUT = Console(highlight=False)
OPPONENT = "rollout:400"
TRIED = 64  # simulations with which the agent's time is measured
POSITIONS, TIMES = 4, 5  # on so many, so often


def learned(name: str, minutes: float) -> str:
    """The run that has learned this example; made as a user makes one, unless it is there."""
    run = f"example-{name}"
    if not run_folder(run).exists():
        command = ["train", str(example_path(name)), "--run", run, "--minutes", str(minutes)]
        if subprocess.run([sys.executable, "-m", "nought", *command]).returncode:
            raise NoughtError("the training failed; see above")
    return run


def seconds(player: Player, positions: list[Position]) -> float:
    """A move's time on all cores together, without what other programs do to it."""
    begin = time.process_time()
    for position in positions:
        player.choose({0: position})
    return (time.process_time() - begin) / len(positions)


def equal_simulations(game: Game, network: str) -> int:
    """How many simulations with this network take the opponent's time; on new positions each time, because what was
    searched before is known."""
    openings = varied_openings(game, POSITIONS * TIMES, seed=1)
    ours, theirs = (agent(name, game, games=1, device="cpu") for name in (f"{network}:{TRIED}", OPPONENT))
    parts = [openings[i::TIMES] for i in range(TIMES)]
    ratios = [seconds(theirs, part) / seconds(ours, part) for part in parts]
    return max(1, round(TRIED * statistics.median(ratios[1:])))


def measured(name: str, minutes: float, games: int) -> list[str]:
    """A row of the table."""
    game = load(str(example_path(name)))
    run = learned(name, minutes)
    equal = equal_simulations(game, run)
    openings = varied_openings(game, games // 2)
    score = named_match(game, (f"{run}:{equal}", OPPONENT), games, openings=openings).all
    most = "–"
    if find_oracle(game).knows(game.start()):
        most = f"{named_match(game, ('oracle', OPPONENT), games, openings=openings).all.score:.1%}"
    played = sum(report.selfplay.games for report in Run(run_folder(run)).reports())
    return [name, f"{played:,}", str(equal), *map(str, score), f"{score.score:.1%}", most]


def main(
    names: Annotated[list[str] | None, typer.Argument(help=f"Of {', '.join(examples())}.")] = None,
    minutes: Annotated[float, typer.Option(help="To learn each game in.")] = 3.0,
    games: Annotated[int, typer.Option(help="Of each match.")] = 200,
) -> None:
    table = Table(title=f"learned for {minutes:g} minutes, against {OPPONENT} in equal time")
    for column in ("game", "games played", "simulations", "won", "drawn", "lost", "score", "perfect play"):
        table.add_column(column, justify="left" if column == "game" else "right")
    try:
        for name in names or examples():
            table.add_row(*measured(name, minutes, games))
            OUT.print(table)
    except NoughtError as error:
        OUT.print(f"[red]{error}[/]")
        raise typer.Exit(2) from None


if __name__ == "__main__":
    typer.run(main)
