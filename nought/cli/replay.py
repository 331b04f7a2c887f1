"""nought replay: step through a game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from nought.errors import NoughtError


def replay(
    file: Annotated[Path, typer.Argument(help="A file of games, as in runs/NAME/games/.")],
    game: Annotated[int, typer.Option(min=1, help="Which game of the file.")] = 1,
) -> None:
    """Step through a game in this terminal; in a pipe, print it whole.

    Example: [cyan]nought replay runs/connect4-1/games/000003.jsonl --game 2[/]
    """
    from nought.clients.replay import show_all, step_through
    from nought.selfplay.record import read_games

    games = read_games(file)
    if game > len(games):
        raise NoughtError(f"{file} has {len(games)} games; there is no game {game}")
    out = Console(highlight=False)
    if sys.stdin.isatty() and out.is_terminal:
        step_through(games[game - 1], out)
    else:
        show_all(games[game - 1], out)
