"""nought study: many runs by one plan, and what they show."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from nought.cli.progress import progress_bar
from nought.cli.shared import Cluster, say_note
from nought.errors import NoughtError
from nought.events import PhaseProgress

if TYPE_CHECKING:
    from nought.study.estimate import Estimate
    from nought.study.plan import PlannedRun, Study

DRY_RUN_SECONDS = 8.5  # seconds of --dry-run, with a little more for the program to begin and end


def study(
    what: Annotated[str, typer.Argument(metavar="FILE|report", help="A plan (TOML), or the word report.")],
    name: Annotated[
        str | None, typer.Argument(help="After report: the study, by its file or as studies/NAME.toml.")
    ] = None,
    part: Annotated[
        str, typer.Option(help='Only the parts of the study whose names fit, as in "2x2*".')
    ] = "*",
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Runs at once. [dim]Default: as many as the cores have threads for.[/]"),
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    cluster: Cluster = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Show the runs and what is known of their time after 10 seconds, and do nothing.",
        ),
    ] = False,
    measure: Annotated[
        bool,
        typer.Option("--measure", help="With --dry-run: try for minutes what nobody knows the time of."),
    ] = False,
    output: Annotated[
        Path | None, typer.Option(help="Folder of the report. [dim]Default: reports/NAME.[/]")
    ] = None,
) -> None:
    """Do all runs of a study, several at once; or report on a study.

    What is done is skipped and what was begun goes on, so the same command continues after Ctrl-C or a crash.
    The runs are under runs/, like all others.

    Example: [cyan]nought study studies/prince.toml --part "2x2*"[/], then [cyan]nought study report prince[/]
    """
    began = time.monotonic()
    from nought.study.plan import read_study

    if what == "report":
        if name is None:
            raise NoughtError("which study? As in `nought study report prince`")
        _report(read_study(name, part), output)
        return
    if name is not None:
        raise NoughtError(f"nought study takes one file; {name!r} is one word too many")
    planned = read_study(what, part)
    at_once = jobs or max(1, (os.cpu_count() or 1) // planned.threads)
    if dry_run:
        _show(planned)
        _show_time(planned, at_once, device, math.inf if measure else began + DRY_RUN_SECONDS)
    elif measure:
        raise NoughtError("--measure tries how long runs take: it goes with --dry-run")
    else:
        _run(planned, at_once, device, None if cluster == "none" else cluster)


def _run(planned: Study, jobs: int, device: str, cluster: str | None) -> None:
    from nought.study.sweep import standing, sweep

    out = Console(highlight=False)
    runs = planned.runs()
    done = sum(standing(run).done for run in runs)
    where = f"{jobs} at once" if cluster is None else f"as many at once as the cluster {cluster} has room for"
    out.print(f"[bold]{escape(planned.title)}[/]: {len(runs)} runs, {done} of them done; {where}")
    try:
        with progress_bar() as bar:
            lines = _Lines(out, bar, len(runs), done)
            if cluster is None:
                sweep(planned, jobs, device, lines)
            else:
                from nought.cluster.studies import cluster_sweep

                cluster_sweep(planned, cluster, device, lines, say_note)
    except KeyboardInterrupt:
        Console(stderr=True, highlight=False).print("stopped; the same command goes on where it was")
        raise typer.Exit(130) from None
    out.print(f"all runs are done; what they show: [cyan]nought study report {planned.name}[/]")


class _Lines:
    """A line for every run that ends, and a bar for the whole study."""

    def __init__(self, out: Console, bar: PhaseProgress, runs: int, done: int) -> None:
        self.out, self.bar, self.runs, self.done = out, bar, runs, done
        self.began = time.monotonic()
        self.share: float | None = None  # of the study that was done when this began

    def ended(self, run: PlannedRun, minutes: float) -> None:
        self.done += 1
        self.out.print(f"{self.done:>4}/{self.runs}  {escape(run.name)}  [dim]{minutes:.1f} minutes[/]")
        self.out.file.flush()  # whoever follows a file of it sees it at once

    def standing(self, working: Sequence[PlannedRun], share: float) -> None:
        self.share = share if self.share is None else self.share
        spent, gained = (time.monotonic() - self.began) / 60, share - self.share
        left = f" · {spent * (1 - share) / gained:.0f} minutes left" if gained > 0 else ""
        self.bar(f"{', '.join(run.name for run in working)}{left}", share)


def _show(planned: Study) -> None:
    """Show the plan of a study."""
    from nought.study.sweep import standing

    runs = planned.runs()
    done = {run for run in runs if standing(run).done}
    out = Console(highlight=False)
    table = _table("part", "settings", numbers=("runs", "done"))
    shown: set[PlannedRun] = set()
    for part in planned.parts:
        for point, of_point in part.runs.items():
            new = set(of_point) - shown
            shown |= new
            counts = (str(len(new)), str(len(new & done))) if new else ("as above", "")
            table.add_row(part.name, escape(point.label), *counts)
    out.print(table)
    out.print(f"{len(runs)} runs, {len(done)} of them done")
    out.file.flush()  # whoever follows a file of it sees it at once


def _show_time(planned: Study, jobs: int, device: str, end: float) -> None:
    """Print how long the study will take, as far as that is known."""
    from nought.study.estimate import TRIAL_TIMEOUT, Effort, estimates

    quick = math.isfinite(end)
    effort = Effort(device, max(0.0, end - time.monotonic()), jobs) if quick else Effort(device)
    out = Console(highlight=False)
    with progress_bar() as bar:
        found = estimates(planned, effort, lambda done: bar("short trials of what nobody has run yet", done))
    table = _table("part", numbers=("minutes each", "left"))
    table.add_column("known from")
    shown: set[PlannedRun] = set()
    for part in planned.parts:
        own = {run for runs in part.runs.values() for run in runs} - shown
        shown |= own
        table.add_row(part.name, *_times([found[run] for run in planned.runs() if run in own]))
    out.print()
    out.print(table)
    out.print(_sum(list(found.values()), jobs))
    if quick and any(estimate.minutes is None for estimate in found.values()):
        out.print(
            f"[cyan]--measure[/] tries what is not known, up to {TRIAL_TIMEOUT:.0f} seconds for each setting"
        )


def _table(*names: str, numbers: Sequence[str]) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for name in names:
        table.add_column(name)
    for name in numbers:
        table.add_column(name, justify="right")
    return table


def _sum(found: Sequence[Estimate], jobs: int) -> str:
    known = [estimate.minutes for estimate in found if estimate.minutes is not None]
    if not known:
        return f"{len(found)} runs; how long they take is not known"
    missing = len(found) - len(known)
    least = missing or any(estimate.source == "too slow" for estimate in found)
    wall = max(sum(known) / jobs, max(known))
    return (
        f"{len(found)} runs, {'at least ' if least else ''}{_duration(sum(known))} of work left: about "
        f"{_duration(wall)} with {jobs} at once if nothing else needs the machine"
        + (f"; {missing} of them not counted" if missing else "")
    )


def _times(own: Sequence[Estimate]) -> tuple[str, ...]:
    if not own:
        return "", "", "the same as above"
    to_do = [estimate for estimate in own if estimate.source != "done"]
    known = [estimate.minutes for estimate in to_do if estimate.minutes is not None]
    sign = "≥ " if len(known) < len(to_do) or any(e.source == "too slow" for e in own) else ""
    low, high = (f"{find(known, default=0):.1f}" for find in (min, max))
    each = (f"{sign}{low}" if low == high else f"{sign}{low} – {high}") if known else ""
    left = f"{sign}{sum(known):.1f}" if known or not to_do else ""
    return each, left, ", ".join(dict.fromkeys(estimate.source for estimate in own))


def _duration(minutes: float) -> str:
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"


def _report(planned: Study, output: Path | None) -> None:
    from nought.study.report import write_report

    with progress_bar() as bar:
        path = write_report(planned, output or Path("reports") / planned.name, bar)
    typer.echo(path)
