"""nought replay: step through a game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from nought.errors import NoughtError


def replay(
    what: Annotated[
        str,
        typer.Argument(
            metavar="FILE|ID|LINK",
            help="A saved game, a file of games as in runs/NAME/games/, or a game of a server.",
        ),
    ],
    game: Annotated[int, typer.Option(min=1, help="Which game of the file.")] = 1,
    remote: Annotated[
        str | None, typer.Option(metavar="URL", help="The server that keeps the game with this id.")
    ] = None,
) -> None:
    """Step through a game in this terminal; in a pipe, print it whole.

    → and ← step, Home and End jump, a number and Enter goes to that move, q leaves.

    Example: [cyan]nought replay runs/connect4-1/games/000003.jsonl --game 2[/]
    """
    from nought.clients.remote import Server
    from nought.clients.replay import game_of_file, game_of_server, link, show_all, step_through

    if remote:
        titled = game_of_server(Server(remote), what)
    elif place := link(what):
        titled = game_of_server(Server(place[0]), place[1])
    elif Path(what).exists():
        titled = game_of_file(Path(what), game)
    else:
        raise NoughtError(f"there is no file {what}; a game of a server needs --remote URL")
    out = Console(highlight=False)
    if sys.stdin.isatty() and out.is_terminal:
        step_through(titled, out, typer.getchar)
    else:
        show_all(titled, out)
