"""Options that several verbs have."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from nought.config import LARGEST_SEED


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


GameArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help="A name, a file or openspiel:NAME, as in `nought games`. "
        "[dim]Default: what the agent has learned, or connect4.[/]",
    ),
]
Seed = Annotated[int, seed_option("Another seed plays other games.")]
Device = Annotated[str, typer.Option(metavar="NAME", help="auto, cpu or cuda.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")]
