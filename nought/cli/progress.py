"""A bar on the terminal for work that takes a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from nought.events import PhaseProgress


@contextmanager
def progress_bar() -> Iterator[PhaseProgress]:
    """Shows what it is told while the work goes on; nothing where there is no terminal."""
    console = Console(stderr=True, highlight=False)
    columns = (
        BarColumn(20), TextColumn("[dim]{task.percentage:>3.0f} % {task.description}"), TimeElapsedColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda what, done: bar.update(task, description=escape(what), completed=done)
