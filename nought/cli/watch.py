"""Watching a run: lines for people, and for machines."""

from __future__ import annotations

import dataclasses
import json
import signal
import time

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn

from nought.config import RunParameters
from nought.events import IterationReport, Listener, MachineReport


class JsonLines(Listener):
    """Every iteration as a line of JSON on standard output."""

    def __enter__(self) -> JsonLines:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def iteration(self, report: IterationReport) -> None:
        typer.echo(json.dumps(dataclasses.asdict(report)))


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

    def _press(self, *received: object) -> None:
        self.pressed = True
        raise KeyboardInterrupt

    def progress(self, phase: str, done: float) -> None:
        if self.pressed:
            raise KeyboardInterrupt

    def iteration(self, report: IterationReport) -> None:
        self.progress("", 1.0)


class Terminal(Listener):
    """A line for every iteration, and in a real terminal a bar for the phase under way and the time left."""

    COLUMNS = (
        ("iter", 4), ("min", 5), ("games", 6), ("positions", 9), ("/s", 6), ("policy (best)", 13),
        ("value", 5), ("version", 12), ("Elo", 5), ("right", 5),
    )  # fmt: skip

    def __init__(self, out: Console, run: RunParameters) -> None:
        self.out, self.run = out, run
        self.last: IterationReport | None = None
        self.since = time.monotonic()  # when the last iteration ended
        self.bar = Progress(
            TextColumn("[dim]{task.description:<9}"),
            BarColumn(40),
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
        self.out.print("[dim]" + " ".join(f"{name:>{width}}" for name, width in self.COLUMNS) + "[/]")

    def progress(self, phase: str, done: float) -> None:
        left = self.minutes_left()
        minutes, seconds = divmod(max(0, int(60 * (left or 0))), 60)
        shown = "" if left is None else f" · {minutes}:{seconds:02d} left"
        self.bar.update(self.task, description=phase, completed=done, left=shown)

    def minutes_left(self) -> float | None:
        """Of the whole run; None while nobody can know."""
        now = (time.monotonic() - self.since) / 60
        spent = self.last.minutes if self.last else 0.0
        left = [self.run.minutes - spent - now] if self.run.minutes else []
        if self.run.iterations and self.last:
            left.append((self.run.iterations - self.last.iteration) * spent / self.last.iteration - now)
        return min(left, default=None)

    def iteration(self, report: IterationReport) -> None:
        self.last, self.since = report, time.monotonic()
        played, learned, judged, exam = report.selfplay, report.learning, report.gate, report.exam
        match = f"{judged.wins}-{judged.draws}-{judged.losses} " if judged.seconds else ""
        cells = (
            f"{report.iteration}",
            f"{report.minutes:.1f}",
            f"{played.games:,}",
            f"{played.positions:,}",
            f"{played.positions / played.seconds:,.0f}",
            f"{learned.policy_loss:.3f} ({learned.policy_entropy:.2f})",
            f"{learned.value_loss:.3f}",
            match + (f"→ {report.version}" if judged.accepted else "✗"),
            f"{exam.elo[0]:.0f}" if exam and exam.elo else "",
            f"{exam.accuracy:.1%}" if exam and exam.accuracy is not None else "",
        )
        self.out.print(
            " ".join(f"{cell:>{width}}" for cell, (_, width) in zip(cells, self.COLUMNS, strict=True))
        )
