"""nought new: the file of a game, to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from nought.cli.output import require_writable
from nought.errors import NoughtError
from nought.files import write_whole
from nought.games.registry import BUILTIN, read_source
from nought.shell import command


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file, as mygame.py.")],
    like: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Begin with the rules of this game: one of ours, or an example as kalah. "
            "[dim]Default: a small one with a comment for everything.[/]",
        ),
    ] = None,
) -> None:
    """Write a small game of your own, to be changed.

    It passes `nought check` as it is. docs/guide/your-own-game.md explains what it can have.

    Example: [cyan]nought new mygame.py --like nim[/]
    """
    if file.suffix != ".py":
        raise NoughtError(f"a game is a Python file: {file.with_suffix('.py')}, not {file}")
    require_writable(file, new=True)
    write_whole(file, _source(like).encode())
    out = Console(highlight=False, soft_wrap=True)
    out.print(f"[bold]{escape(str(file))}[/] is a game. Change it, and then")
    for verb, what in (("check", "is it right?"), ("play", "play it"), ("train", "let it be learned")):
        out.print(f"  [cyan]{escape(command(verb, str(file)))}[/]  [dim]{what}[/]")


def _source(like: str | None) -> str:
    """The text to begin with."""
    from nought.games.examples import FOLDER, TEMPLATE, example_path, examples

    if like is None:
        return (FOLDER / TEMPLATE).read_text(encoding="utf-8")
    if like in BUILTIN:
        return read_source(like)
    if like not in examples():
        raise NoughtError(
            f"there is no game {like!r} to begin with; there are {', '.join([*BUILTIN, *examples()])}"
        )
    return example_path(like).read_text(encoding="utf-8")
