"""nought bench: how fast is this machine?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from nought.cli.shared import Device, GameArgument, Json, Precision
from nought.games import Game, load
from nought.presets import override, parse_overrides, preset

if TYPE_CHECKING:  # it brings torch
    from nought.benchmark import Benchmark
    from nought.network.resnet import Network


def bench(
    game: GameArgument = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to measure each speed.")] = 2.0,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Change a parameter of self-play and learning: section.name=value.",
        ),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help="Play with this network: a run, a game (its agent), agents/NAME or a file. "
            "[dim]Default: an untrained one.[/]",
        ),
    ] = None,
    device: Device = "auto",
    precision: Precision = None,
    json: Json = False,
) -> None:
    """Measure this machine: search, network, self-play and learning.

    The search alone: 256 games a thread play themselves with 64 simulations a move, graph and proofs on; the
    evaluator costs nothing. Then what a run of `nought train` does in a second.

    Example: [cyan]nought bench connect4 --set network.filters=64 --set network.blocks=5[/]
    """
    from nought.benchmark import run_benchmark
    from nought.network import choose_device

    loaded = load(game) if game else _learned(agent) or load("connect4")
    gpu = choose_device(device).type == "cuda"
    overrides = parse_overrides(settings or []) | ({"run.precision": precision} if precision else {})
    parameters = override(preset("best", loaded.name, gpu=gpu), overrides)
    parameters.check()
    with Console(stderr=True).status("") as status:
        measured = run_benchmark(
            loaded,
            seconds=seconds,
            parameters=parameters if loaded.compilable else None,
            device=device,
            network=_network(agent, loaded) if agent else None,
            report=lambda what: status.update(f"{what} …"),
        )
    if json:
        typer.echo(measured.as_json())
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    for name, figure in _rows(measured):
        table.add_row(name, figure)
    out = Console(highlight=False)
    if measured.network is not None:
        out.print(f"[dim]{escape(measured.network.machine)}[/]")
    out.print(table)


def _learned(agent: str | None) -> Game | None:
    """The game that an agent has learned; None where there is no agent."""
    from nought.agents import learned_game

    return learned_game(agent) if agent else None


def _network(name: str, game: Game) -> Network:
    from nought.agents.networks import trained
    from nought.network import load_network

    return load_network(trained(name).path, game).network


def _rows(measured: Benchmark) -> Iterator[tuple[str, str]]:
    speed, times = measured.search, measured.compile
    one, every = speed.simulations_per_s_one_thread, speed.simulations_per_s_all_threads
    yield "[bold]search[/], simulations a second, one thread", f"{one:,.0f}"
    yield f"  {speed.threads} threads", f"{every:,.0f} ({every / one:.2f} ×)"
    yield "  simulations that needed no evaluation", f"{speed.evaluations_saved:.0%}"
    yield "    known to the cache", f"{speed.saved_by_cache:.0%}"
    yield "    known to the graph, or proven", f"{speed.saved_by_graph:.0%}"
    yield "    end of the game", f"{speed.saved_by_end:.0%}"
    if times is not None:
        yield "  from start to first search, cold", f"{times.cold_s:.1f} s"
        yield "  from start to first search, warm", f"{times.warm_s:.1f} s"
    network, play, learning = measured.network, measured.selfplay, measured.learning
    if network is None or play is None or learning is None:
        return
    shape = f"{network.filters}×{network.blocks}, {network.device}, {network.precision}"
    yield f"[bold]network[/] ({shape}), evaluations a second", f"{network.evaluations_per_s:,.0f}"
    for precision, rate in network.by_precision.items():
        if precision != network.precision:
            yield f"  in {precision}", f"{rate:,.0f}"
    yield "  of the machine's rate in multiplying matrices", f"{network.share_of_matrix_rate:.0%}"
    games = f"{play.threads} × {play.games} games, {play.simulations} simulations"
    yield f"[bold]self-play[/] ({games}), simulations a second", f"{play.simulations_per_s:,.0f}"
    yield "  evaluations a second", f"{play.evaluations_per_s:,.0f}"
    yield "  of the network's rate", f"{play.share_of_network_rate:.0%}"
    yield "  games a second", f"{play.games_per_s:,.1f}"
    if play.gpu_busy is not None:
        yield "  GPU busy", f"{play.gpu_busy:.0%}"
    yield (
        f"[bold]learning[/] (batches of {learning.batch}), positions a second",
        f"{learning.positions_per_s:,.0f}",
    )
