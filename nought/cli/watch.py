"""Watching a run: lines for people, and for machines."""

from __future__ import annotations

import dataclasses
import json
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn

from nought.config import RunParameters
from nought.events import ExamReport, IterationReport, Listener, MachineReport, NodeReport
from nought.learning.state import Progress as RunProgress


class JsonLines(Listener):
    """Every iteration as a line of JSON on standard output."""

    def __enter__(self) -> JsonLines:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def iteration(self, report: IterationReport) -> None:
        typer.echo(json.dumps(dataclasses.asdict(report)))

    def warning(self, text: str) -> None:
        typer.echo(text, err=True)


class CtrlC(Listener):
    """Makes sure that Ctrl-C is heard: where it comes while Python ignores exceptions, as in a destructor or a callback,
    it is raised again at the next report."""

    def __init__(self) -> None:
        self.pressed = False

    def __enter__(self) -> CtrlC:
        self.before = signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *error: object) -> None:
        signal.signal(signal.SIGINT, self.before)

    def _press(self, *_: object) -> None:
        self.pressed = True
        raise KeyboardInterrupt

    def progress(self, phase: str, done: float) -> None:  # noqa: ARG002  a listener's
        if self.pressed:
            raise KeyboardInterrupt

    def iteration(self, report: IterationReport) -> None:  # noqa: ARG002  a listener's
        self.progress("", 1.0)


class Column(NamedTuple):
    """A column of the table of iterations."""

    name: str
    width: int
    rank: int  # those of lowest rank are left out first where the terminal is narrow
    cell: Callable[[IterationReport], str]


COLUMNS = (
    Column("iter", 4, 10, lambda r: f"{r.iteration}"),
    Column("min", 5, 9, lambda r: f"{r.minutes:.1f}"),
    Column("games", 6, 3, lambda r: f"{r.selfplay.games:,}"),
    Column("positions", 9, 2, lambda r: f"{r.selfplay.positions:,}"),
    Column("/s", 6, 1, lambda r: f"{r.selfplay.positions / r.selfplay.seconds:,.0f}"),
    Column(
        "policy(best)", 12, 4, lambda r: f"{r.learning.policy_loss:.3f} ({r.learning.policy_entropy:.2f})"
    ),
    Column("value", 5, 5, lambda r: f"{r.learning.value_loss:.3f}"),
    Column("version", 11, 8, lambda r: _verdict(r)),
    Column("Elo", 8, 6, lambda r: _elo(r.exam)),
    Column("right", 5, 7, lambda r: _right(r.exam)),
)


def _verdict(report: IterationReport) -> str:
    gated = report.gate
    match = f"{gated.wins}-{gated.draws}-{gated.losses} " if gated.seconds else ""
    return match + (f"→ {report.version}" if gated.accepted else "✗")


def _elo(exam: ExamReport | None) -> str:
    """A rating and half the width of its interval; nothing where there is none that says enough."""
    if exam is None or exam.elo is None:
        return ""
    elo, low, high = exam.elo
    return f"{elo:.0f}±{(high - low) / 2:.0f}"


def _right(exam: ExamReport | None) -> str:
    if exam is None or exam.accuracy is None:
        return ""
    return "100%" if exam.accuracy == 1 else f"{exam.accuracy:.1%}"


def _given(nodes: tuple[NodeReport, ...]) -> str:
    """What each machine of a cluster has given."""
    parts = (f"{node.node} {node.positions:,}" for node in nodes if node.positions)
    dropped = sum(node.dropped for node in nodes)
    return " · ".join(parts) + (f" · {dropped:,} too old" if dropped else "")


def fitting(width: int) -> list[Column]:
    """The columns that a terminal of this width has room for."""
    columns = list(COLUMNS)
    while sum(column.width + 1 for column in columns) - 1 > width:
        columns.remove(min(columns, key=lambda column: column.rank))
    return columns


class Terminal(Listener):
    """A line for every iteration; in a real terminal also a bar: how much of the run is done, and the time left."""

    def __init__(
        self, out: Console, limits: RunParameters, done: RunProgress | None = None, began: float | None = None
    ) -> None:
        self.out, self.limits = out, limits
        self.done = done or RunProgress()
        self.since = time.perf_counter() if began is None else began  # this time is not in `done` yet
        self.columns = fitting(out.width)
        self.bar = Progress(
            TextColumn("[dim]{task.description:<9}"),
            BarColumn(max(4, min(40, out.width - 32))),
            TextColumn("[dim]{task.percentage:>3.0f} %{task.fields[left]}"),
            console=out,
            transient=True,
            disable=not out.is_terminal,
        )
        self.task = self.bar.add_task("preparing", total=1.0, left="")

    def __enter__(self) -> Terminal:
        self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def machine(self, report: MachineReport) -> None:
        self.out.print(f"[dim]{escape(str(report))}[/]")
        self.header()

    def header(self) -> None:
        self.out.print("[dim]" + " ".join(f"{c.name:>{c.width}}" for c in self.columns) + "[/]")

    def warning(self, text: str) -> None:
        self.out.print(f"[yellow]{escape(text)}[/]", soft_wrap=True)

    def progress(self, phase: str, done: float) -> None:  # noqa: ARG002  a listener's
        share, left = self.standing()
        minutes, seconds = divmod(max(0, int(60 * (left or 0))), 60)
        shown = "" if left is None else f" · {minutes}:{seconds:02d} left"
        self.bar.update(self.task, description=phase, completed=share, left=shown)

    def standing(self) -> tuple[float, float | None]:
        """The share of the whole run that is done, and the minutes it still needs; None while nobody can know."""
        counted = self.done.share_done(replace(self.limits, minutes=0.0))  # iterations and games
        whole = [self.limits.minutes] if self.limits.minutes else []
        whole += [self.done.minutes / counted] if counted else []
        if not whole:
            return counted, None
        spent = self.done.minutes + (time.perf_counter() - self.since) / 60
        return min(1.0, spent / min(whole)), max(0.0, min(whole) - spent)

    def iteration(self, report: IterationReport) -> None:
        games = self.done.games + report.selfplay.games
        self.done = RunProgress(iteration=report.iteration, games=games, minutes=report.minutes)
        self.since = time.perf_counter()
        cells = (f"{column.cell(report):>{column.width}}" for column in self.columns)
        self.out.print(" ".join(cells), soft_wrap=True)
        if nodes := report.selfplay.nodes:
            self.out.print(f"[dim]     {escape(_given(nodes))}[/]", soft_wrap=True)
