"""The reports of a run's iterations: a file for each kind of them, with a line for each iteration."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from nought.events import IterationReport, StepsReport
from nought.learning.storage import read_lines, write_text
from nought.learning.typed import typed

Report = IterationReport | StepsReport
Reader = Callable[[Path], tuple[Sequence[Report], list[str]]]


def append_report(path: Path, report: Report | None) -> None:
    """Write a report at the end of its file."""
    if report is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(_line(report))


def forget_after(iteration: int, path: Path, read: Reader) -> list[str]:
    """Take the reports of later iterations out of a file, and lines that cannot be read; what is wrong with those."""
    reports, wrong = read(path)
    kept = [report for report in reports if report.iteration <= iteration]
    if wrong or len(kept) < len(reports):
        write_text(path, "".join(map(_line, kept)))
    return wrong


def read_steps(path: Path) -> tuple[list[StepsReport], list[str]]:
    """The losses of every step in a file, a line for each iteration, and what is wrong with the lines that cannot be read."""
    return read_lines(path, lambda line: typed(StepsReport, line))


def read_reports(path: Path) -> tuple[list[IterationReport], list[str]]:
    """The reports in a file, a line each, and what is wrong with the lines that cannot be read."""
    return read_lines(path, _report)


def _report(line: Any) -> IterationReport:
    """A report from its line; ratings of earlier versions of this program, by games of the networks alone, are left out."""
    if (exam := line.get("exam")) and "games" not in exam:
        line = line | {
            "exam": {"accuracy": exam["accuracy"], "games": [], "elo": None, "seconds": exam["seconds"]}
        }
    report: IterationReport = typed(IterationReport, line)
    return report


def _line(report: Report) -> str:
    return json.dumps(dataclasses.asdict(report)) + "\n"
