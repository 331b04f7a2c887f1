"""The reports of a run's iterations, read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nought.events import IterationReport
from nought.learning.storage import read_lines
from nought.learning.typed import typed


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
