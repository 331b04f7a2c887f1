"""nought runs: what has been learned here."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from nought.cli.watch import Terminal
from nought.errors import NoughtError


def runs(name: Annotated[str | None, typer.Argument(help="One run, iteration by iteration.")] = None) -> None:
    """List the runs under runs/, or summarise one.

    Example: [cyan]nought runs connect4-1[/]
    """
    from nought.learning.run import RUNS, Run, run_folder

    out = Console(highlight=False)
    if name is not None:
        run = Run(run_folder(name))
        done = run.progress()
        out.print(
            f"[bold]{run.game.name}[/], {run.folder}: version {done.version} after {done.iteration} iterations, {done.minutes:.1f} minutes"
        )
        terminal = Terminal(out, run.parameters.run)
        terminal.header()
        for report in run.reports():
            terminal.iteration(report)
        return
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in ("run", "game", "iterations", "version", "minutes"):
        table.add_column(
            column, justify="right" if column in ("iterations", "version", "minutes") else "left"
        )
    for folder in sorted(RUNS.iterdir()) if RUNS.is_dir() else []:
        if folder.name.startswith(".") or not folder.is_dir():
            continue
        try:
            run = Run(folder)
            done = run.progress()
            table.add_row(
                folder.name, run.game.name, str(done.iteration), str(done.version), f"{done.minutes:.1f}"
            )
        except NoughtError as error:
            table.add_row(folder.name, f"[red]{error}[/]", "", "", "")
    out.print(table if table.row_count else "no runs yet; `nought train` makes one")
