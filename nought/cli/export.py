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
from nought.games.fingerprint import same_rules
from nought.shell import command_line

if TYPE_CHECKING:
    from nought.export.onnx import Export
    from nought.export.web import SiteAgent


class Format(StrEnum):
    """The programs for which a network can be written."""

    ONNX = "onnx"
    KAGGLE = "kaggle"
    JCE = "jce"
    WEB = "web"


ENDINGS = {Format.ONNX: ".onnx", Format.KAGGLE: ".py", Format.JCE: ".jce", Format.WEB: "-web"}


def export(
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...",
            help="A run, RUN@VERSION, a game (its agent), agents/NAME or a network's file; for web several of a game.",
            show_default=False,
        ),
    ],
    format: Annotated[Format, typer.Option(help="Format of the new file or, for web, folder.")] = Format.ONNX,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The new file or folder. [dim]Default: the network's name, ending in .onnx, .py, .jce or -web.[/]",
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
    [bold]web[/]: a folder for any web host, a page on which the visitor's browser thinks by itself, offline, too;
    of several agents one chooses there. [bold]jce[/]: the file of Wandhoven's program, for networks of its shape;
    such a file is also read wherever a network's file is.

    Example: [cyan]nought export connect4-1 --format kaggle --output agent.py[/]
    """
    from nought.agents.networks import trained
    from nought.export.jce import export_jce
    from nought.export.kaggle import export_kaggle
    from nought.export.onnx import export_onnx
    from nought.network.checkpoint import load_network

    if len(agents) > 1 and format is not Format.WEB:
        raise NoughtError(f"--format {format} takes one agent, not {len(agents)}")
    agent = agents[0]
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
            exported = _as_site(agents, played, path)
        else:
            writes = {Format.ONNX: export_onnx, Format.KAGGLE: export_kaggle, Format.JCE: export_jce}
            exported = writes[format](network, played, path)
    Console(highlight=False, soft_wrap=True).print(
        f"[bold]{escape(str(path))}[/]: version {found.version} for {escape(played.name)}, {_size(path)}; on "
        f"{exported.positions} positions of random games its answers differ by at most "
        f"{max(exported.policy_difference, exported.value_difference):.1g}"
    )
    if format is Format.WEB:
        print(f"To see it here: {command_line('python', '-m', 'http.server', '--directory', str(path))}")


def _as_site(agents: list[str], game: Game, folder: Path) -> Export:
    from nought.agents.networks import playing
    from nought.export.web import export_web
    from nought.server.views import game_view

    for agent in agents:
        if not same_rules(learned := game_of(agent), game):
            raise NoughtError(f"a site has one game: {agent} plays {learned.name}, not {game.name}")
    view = game_view(game, [], oracle=False)
    return export_web([_on_site(agent, game) for agent in agents], game, view, playing(1), folder)


def _on_site(agent: str, game: Game) -> SiteAgent:
    """An agent with what its card says, or what is known of a run."""
    from nought.agents.names import Kind, parse
    from nought.agents.networks import trained
    from nought.agents.shipped import card
    from nought.export.web import SiteAgent
    from nought.network.checkpoint import load_network

    name, source = parse(agent), trained(agent)
    found = load_network(source.path, game)
    shape = found.network.architecture
    facts = {"Network": f"{shape.filters} filters, {shape.blocks} blocks", "Version": str(found.version)}
    title, about = source.title, ""
    if name.kind is Kind.SHIPPED:
        known = card(name.what)
        title, about = known.title, known.about
        facts |= {word.capitalize(): str(text) for word, text in known.facts.get("measured", {}).items()}
    return SiteAgent(found.network, title, about, facts, source.simulations)


def _size(path: Path) -> str:
    """How large a file is or, of a folder, all its files, and what of that goes over the wire."""
    if path.is_file():
        return f"{path.stat().st_size / 1e6:.1f} MB"
    contents = [file.read_bytes() for file in path.rglob("*") if file.is_file()]
    compressed = sum(len(gzip.compress(content)) for content in contents)
    return f"{sum(map(len, contents)) / 1e6:.2f} MB, {compressed / 1e6:.2f} MB compressed"
