"""nought export: a network for other programs, or an agent as a site that thinks in the browser."""

from __future__ import annotations

import gzip
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from nought.cli.output import require_writable
from nought.cli.shared import game_of
from nought.errors import NoughtError
from nought.games import Game, load
from nought.shell import command_line

if TYPE_CHECKING:
    from nought.export.onnx import Export
    from nought.network.checkpoint import Checkpoint


class Format(StrEnum):
    """The programs for which a network can be written."""

    ONNX = "onnx"
    KAGGLE = "kaggle"
    WEB = "web"


ENDINGS = {Format.ONNX: ".onnx", Format.KAGGLE: ".py", Format.WEB: "-web"}


def export(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", help="A run, RUN@VERSION, a game (its agent), agents/NAME or a network's file."
        ),
    ],
    format: Annotated[Format, typer.Option(help="Format of the new file or, for web, folder.")] = Format.ONNX,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The new file or folder. [dim]Default: the network's name, ending in .onnx, .py or -web.[/]",
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
    [bold]web[/]: a folder for any web host, a page on which the visitor's browser thinks by itself, offline, too.

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
    if format is not Format.WEB:
        require_writable(path)
    with Console(stderr=True).status("exporting …"):
        if format is Format.WEB:
            exported = _as_site(agent, found, played, path)
        else:
            exported = (export_onnx if format is Format.ONNX else export_kaggle)(network, played, path)
    Console(highlight=False, soft_wrap=True).print(
        f"[bold]{escape(str(path))}[/]: version {found.version} for {escape(played.name)}, {_size(path)}; on "
        f"{exported.positions} positions of random games its answers differ by at most "
        f"{max(exported.policy_difference, exported.value_difference):.1g}"
    )
    if format is Format.WEB:
        print(f"To see it here: {command_line('python', '-m', 'http.server', '--directory', str(path))}")


def _as_site(agent: str, found: Checkpoint, game: Game, folder: Path) -> Export:
    from nought.agents.names import Kind, parse
    from nought.agents.networks import playing, trained
    from nought.agents.shipped import card
    from nought.export.web import AgentFacts, export_web
    from nought.server.views import game_view

    name, source = parse(agent), trained(agent)
    shape = found.network.architecture
    facts = {"Network": f"{shape.filters} filters, {shape.blocks} blocks", "Version": str(found.version)}
    title, about = source.title, ""
    if name.kind is Kind.SHIPPED:
        known = card(name.what)
        title, about = known.title, known.about
        facts |= {word.capitalize(): str(text) for word, text in known.facts.get("measured", {}).items()}
    view = game_view(game, [], oracle=False)
    who = AgentFacts(title, about, facts, max(source.simulations, 1))
    return export_web(found.network, game, view, who, playing(who.simulations), folder)


def _size(path: Path) -> str:
    """How large a file is or, of a folder, all its files, and what of that goes over the wire."""
    if path.is_file():
        return f"{path.stat().st_size / 1e6:.1f} MB"
    contents = [file.read_bytes() for file in path.rglob("*") if file.is_file()]
    compressed = sum(len(gzip.compress(content)) for content in contents)
    return f"{sum(map(len, contents)) / 1e6:.2f} MB, {compressed / 1e6:.2f} MB compressed"
