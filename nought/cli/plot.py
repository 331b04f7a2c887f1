"""nought plot: a run as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nought.cli.output import require_writable


def plot(
    name: Annotated[str, typer.Argument(metavar="RUN", help="A run, as in `nought runs`.")],
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Picture to write. [dim]Default: plot.png in the run's folder.[/]"),
    ] = None,
) -> None:
    """Draw a run: losses, ratings by version, matches against the best so far.

    Example: [cyan]nought plot connect4-1 --output curves.svg[/]
    """
    from nought.learning.plot import plot_run
    from nought.learning.run import Run, run_folder
    from nought.plotting import picture_format

    run = Run(run_folder(name))
    path = output or run.folder / "plot.png"
    picture_format(path)
    require_writable(path)
    plot_run(name, run.reports(), path, run.steps())
    typer.echo(path)
