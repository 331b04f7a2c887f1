"""nought export: a network for other programs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from nought.errors import NoughtError
from nought.games import load


class Format(StrEnum):
    ONNX = "onnx"


def export(
    checkpoint: Annotated[Path, typer.Argument(help="A network's file, as in runs/NAME/versions.")],
    format: Annotated[Format, typer.Option(help="Format of the new file.")] = Format.ONNX,
    output: Annotated[
        Path | None,
        typer.Option(help="The new file. [dim]Default: the checkpoint's name, ending in .onnx.[/]"),
    ] = None,
    game: Annotated[
        str | None, typer.Option(help="The game's name or file, if it is no longer what it was.")
    ] = None,
) -> None:
    """Write a network for other programs, and compare its answers with the original's.

    The new network takes planes (batch × planes × rows × columns) and gives policy, the probability of every move,
    and value, for the player to move.

    Example: [cyan]nought export runs/connect4-1/versions/0012.safetensors --output agent.onnx[/]
    """
    from nought.network.checkpoint import load_network
    from nought.network.export import export_onnx

    found = load_network(checkpoint)
    played = load(game or found.game)
    network = load_network(checkpoint, played).network
    path = output or checkpoint.with_suffix(f".{format.value}")
    if path.resolve() == checkpoint.resolve():
        raise NoughtError("the new file must not take the checkpoint's place; choose another --output")
    with Console(stderr=True).status("exporting …"):
        exported = export_onnx(network, played, path)
    Console(highlight=False, soft_wrap=True).print(
        f"[bold]{escape(str(path))}[/]: version {found.version} for {escape(played.name)}, "
        f"{path.stat().st_size / 1e6:.1f} MB; on {exported.positions} positions of random games its answers differ "
        f"by at most {max(exported.policy_difference, exported.value_difference):.1g}"
    )
