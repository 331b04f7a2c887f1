"""nought engine: an agent for other programs."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from nought.cli.shared import EvaluatingPrecision


def engine(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT",
            help="A player's name: rollout:400, a game (its agent), a run, search:RUN@best:800 …",
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="A name, a file or openspiel:NAME. [dim]Default: what the agent learned, or connect4.[/]",
        ),
    ] = None,
    precision: EvaluatingPrecision = None,  # noqa: ARG001  its callback has read it
) -> None:
    """Speak the text protocol of docs/reference/engines.md on standard input and output.

    Any program that speaks it can be a player too: [cyan]program:COMMAND[/].

    Example: [cyan]printf 'position 44\\ngo simulations 400\\n' | nought engine rollout:400[/]
    """
    # Answers alone go to standard output: what anything else prints there, C++ included, goes to standard error.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", errors="backslashreplace")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    from nought.cli.shared import game_of
    from nought.clients.engine import Engine, serve
    from nought.games import load

    played = load(game) if game else game_of(agent)
    serve(Engine(agent, played), sys.stdin, out)
