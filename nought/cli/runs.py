"""nought runs: what has been learned here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from nought.cli.shared import say_note
from nought.errors import NoughtError

NARROW = 60  # columns, below which headings are short


def runs(name: Annotated[str | None, typer.Argument(help="One run, iteration by iteration.")] = None) -> None:
    """List the runs under runs/, or summarise one.

    Example: [cyan]nought runs connect4-1[/]
    """
    from nought.learning.run import run_folder, runs_folder

    out = Console(highlight=False)
    if name is not None:
        _summary(out, run_folder(name))
        return
    folders = sorted(runs_folder().iterdir()) if runs_folder().is_dir() else []
    found = [folder for folder in folders if folder.is_dir() and not folder.name.startswith(".")]
    if found:
        _list(out, found)
    else:
        out.print("no runs yet; `nought train` makes one")


def _summary(out: Console, folder: Path) -> None:
    from nought.cli.watch import Terminal
    from nought.learning.run import Run

    run = Run(folder)
    done = run.progress()
    out.print(
        f"[bold]{escape(run.game_name)}[/], {escape(str(folder))}: version {done.version} after "
        f"{done.iteration} iterations, {done.minutes:.1f} minutes",
        soft_wrap=True,
    )
    say_note(run.learned.note)
    _warn(out, run.damage())
    terminal = Terminal(out, run.parameters.run)
    terminal.header()
    for report in run.reports():
        terminal.iteration(report)


def _list(out: Console, folders: list[Path]) -> None:
    """A row for every run, and a line for everything that is wrong with one."""
    from nought.learning.run import Run

    numbers = ("iter", "ver.", "min") if out.width < NARROW else ("iterations", "version", "minutes")
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in ("run", "game"):
        table.add_column(column, overflow="fold")
    for column in numbers:
        table.add_column(column, justify="right", no_wrap=True)
    wrong: list[str] = []
    for folder in folders:
        try:
            run = Run(folder)
            done = run.progress()
            cells = (run.game_name, str(done.iteration), str(done.version), f"{done.minutes:.1f}")
            table.add_row(*map(escape, (folder.name, *cells)))
            wrong += [f"{folder.name}: {problem}" for problem in run.damage()]
        except NoughtError as error:
            wrong.append(f"{folder.name}: {error}")
    if table.row_count:
        out.print(table)
    _warn(out, wrong)


def _warn(out: Console, lines: list[str]) -> None:
    for line in lines:
        out.print(f"[red]{escape(line)}[/]", soft_wrap=True)
