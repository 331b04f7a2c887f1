"""Options that several verbs have."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from nought.config import LARGEST_SEED
from nought.errors import NoughtError

if TYPE_CHECKING:  # which takes a moment to import
    from nought.agents.match import PlayMatch
    from nought.games import Game


def seed_number(text: str | int) -> int:
    """A seed as it is typed, or the number that stands for none."""
    text = str(text)
    if not re.fullmatch(r"\d{1,30}", text, re.ASCII) or int(text) > LARGEST_SEED:
        raise typer.BadParameter(f"a seed is a whole number from 0 to {LARGEST_SEED}, not {text[:40]!r}.")
    return int(text)


def seed_option(help: str) -> typer.models.OptionInfo:
    """`--seed` of a verb, with what another one changes."""
    info: typer.models.OptionInfo = typer.Option(parser=seed_number, metavar="NUMBER", help=help)
    return info


GAME_HELP = (
    "A name, a file or openspiel:NAME, as in `nought games`. "
    "[dim]Default: what the agent has learned, or connect4.[/]"
)
GameArgument = Annotated[str | None, typer.Argument(metavar="GAME", help=GAME_HELP)]


def game_of(*players: str | None) -> Game:
    """The game that the first of the players with a network has learned, or connect4. Where that game's file is not
    what it was, a line on standard error says so."""
    from nought.agents import learned
    from nought.games import load

    for player in players:
        if player and (found := learned(player)):
            say_note(found.note)
            return found.game
    return load("connect4")


@contextmanager
def matches_on(cluster: str | None, device: str) -> Iterator[PlayMatch]:
    """Who plays matches: the cluster at this address, or this machine."""
    if cluster in (None, "none"):
        from nought.agents.match import named_match

        yield named_match
        return
    from nought.cluster.matches import cluster_matches
    from nought.network.precision import SETTING

    if os.environ.get(SETTING, "auto") != "auto":
        raise NoughtError("--precision is for this machine: those of a cluster choose for themselves")
    with cluster_matches(cluster, device, say_note) as play_match:
        yield play_match


def say_note(note: str) -> None:
    """A remark on standard error, if there is one."""
    if note:
        Console(stderr=True, highlight=False, soft_wrap=True).print(f"[dim]{escape(note)}[/]")


Seed = Annotated[int, seed_option("Another seed plays other games.")]
Device = Annotated[str, typer.Option(metavar="NAME", help="auto, cpu or cuda.")]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Where other machines help, with Ray: HOST:PORT, auto, or local, which starts a cluster here; none: nowhere.",
    ),
]
PRECISION_HELP = (
    "In which the network evaluates: auto, float32, bfloat16, or int8 on a CPU. "
    "[dim]Default: auto, the fastest, measured.[/]"
)
Precision = Annotated[str | None, typer.Option(metavar="NAME", help=PRECISION_HELP)]


def set_precision(ctx: typer.Context, precision: str | None) -> str | None:
    """Let all networks of this command evaluate so; where this machine cannot, a line says so."""
    if precision is None or ctx.resilient_parsing:
        return None
    from nought.network.precision import SETTING, wanted_precision, why_not

    before = os.environ.get(SETTING, "auto")
    os.environ[SETTING] = wanted_precision(precision)
    ctx.call_on_close(lambda: os.environ.update({SETTING: before}))
    if precision != "auto" and (reason := why_not(precision)) is not None:
        say_note(f"no {precision} on a CPU here: {reason}; the next best is used")
    return precision


# For verbs that only evaluate; a run keeps its precision among its parameters.
EvaluatingPrecision = Annotated[
    str | None, typer.Option(metavar="NAME", help=PRECISION_HELP, callback=set_precision)
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")]
