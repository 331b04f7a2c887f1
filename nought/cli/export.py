"""nought export: a network for other programs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from nought.cli.output import require_writable
from nought.cli.shared import game_of
from nought.errors import NoughtError
from nought.games import load


class Format(StrEnum):
    """The programs for which a network can be written."""

    ONNX = "onnx"
    KAGGLE = "kaggle"


ENDINGS = {Format.ONNX: ".onnx", Format.KAGGLE: ".py"}


def export(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", help="A run, RUN@VERSION, a game (its agent), agents/NAME or a network's file."
        ),
    ],
    format: Annotated[Format, typer.Option(help="Format of the new file.")] = Format.ONNX,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The new file. [dim]Default: the network's name, ending in .onnx or .py.[/]"
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game's name or file, if it is no longer what it was."),
    ] = None,
) -> None:
    """Write a network for other programs, and compare its answers with the original's.

    [bold]onnx[/]: takes planes (batch × planes × rows × columns) and gives policy, the probability of every move,
    and value, for the player to move. [bold]kaggle[/]: one Python file that plays Kaggle's ConnectX by search.

    Example: [cyan]nought export connect4-1 --format kaggle --output agent.py[/]
    """
    from nought.agents.networks import trained
    from nought.export.kaggle import export_kaggle
    from nought.export.onnx import export_onnx
    from nought.network.checkpoint import load_network

    source = trained(agent)
    found = load_network(source.path)
    played = load(game) if game else game_of(agent)
    network = load_network(source.path, played).network
    path = output or Path(source.title + ENDINGS[format])
    if path.resolve() == source.path.resolve():
        raise NoughtError("the new file must not take the checkpoint's place; choose another --output")
    require_writable(path)
    with Console(stderr=True).status("exporting …"):
        exported = (export_onnx if format is Format.ONNX else export_kaggle)(network, played, path)
    Console(highlight=False, soft_wrap=True).print(
        f"[bold]{escape(str(path))}[/]: version {found.version} for {escape(played.name)}, "
        f"{path.stat().st_size / 1e6:.1f} MB; on {exported.positions} positions of random games its answers differ "
        f"by at most {max(exported.policy_difference, exported.value_difference):.1g}"
    )
