"""nought bench: how fast is the search here?"""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from nought.games import load


def bench(
    game: Annotated[
        str, typer.Argument(help="A name, a file or openspiel:NAME, as in `nought games`.")
    ] = "connect4",
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to measure each speed.")] = 2.0,
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Measure the speed of the search on this machine.

    256 games a thread play themselves with 64 simulations a move, graph and proofs on; the evaluator costs
    nothing, so that the search alone is measured.

    Example: [cyan]nought bench othello --json[/]
    """
    from nought.benchmark import run_benchmark

    loaded = load(game)
    with Console(stderr=True).status("") as status:
        measured = run_benchmark(loaded, seconds=seconds, report=lambda what: status.update(f"{what} …"))
    if json:
        typer.echo(measured.as_json())
        return
    speed, times = measured.search, measured.compile
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    one, every = speed.simulations_per_s_one_thread, speed.simulations_per_s_all_threads
    table.add_row("simulations a second, one thread", f"{one:,.0f}")
    table.add_row(f"simulations a second, {speed.threads} threads", f"{every:,.0f} ({every / one:.2f} ×)")
    table.add_row("simulations that needed no evaluation", f"{speed.evaluations_saved:.0%}")
    table.add_row("  known to the cache", f"{speed.saved_by_cache:.0%}")
    table.add_row("  known to the graph, or proven", f"{speed.saved_by_graph:.0%}")
    table.add_row("  end of the game", f"{speed.saved_by_end:.0%}")
    if times is not None:
        table.add_row("from start to first search, cold", f"{times.cold_s:.1f} s")
        table.add_row("from start to first search, warm", f"{times.warm_s:.1f} s")
    Console(highlight=False).print(table)
