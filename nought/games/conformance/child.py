"""The check of one game in a process of its own, which may crash or hang: `apart.py` waits for what it says."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import IO, Any

from nought.errors import NoughtError
from nought.games.conformance.games import check_game
from nought.games.conformance.report import LOADING, PLAIN, Report
from nought.games.conformance.shared import SharedTrace
from nought.games.registry import load
from nought.process import end_with_parent

REPORT_INTERVAL = 0.1  # seconds between reports in which nothing is found


class Messages:
    """What is told to the parent: a line of JSON for each message."""

    def __init__(self, out: IO[str]) -> None:
        self.out = out
        self.told, self.findings = 0.0, 0

    def tell(self, kind: str, value: Any) -> None:
        self.out.write(json.dumps({kind: value}) + "\n")
        self.out.flush()

    def heard(self, report: Report) -> None:
        """Report a game that was played, if something was found or the last report was a while ago."""
        findings = len(report.failures) + len(report.warnings)
        if findings == self.findings and time.monotonic() < self.told + REPORT_INTERVAL:
            return
        self.told, self.findings = time.monotonic(), findings
        self.tell("report", report.as_values())


def main() -> int:
    """Check the game named first, in this many games from this seed, with the trace in the file named last."""
    name, games, seed, path = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends compiled rules, too
    end_with_parent()
    messages = Messages(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)  # what the rules print does not get between the messages
    trace = SharedTrace(Path(path))
    trace.asking(PLAIN, LOADING)
    try:
        report = check_game(load(name), int(games), int(seed), messages.heard, trace)
        messages.tell("done", report.as_values())
    except NoughtError as error:
        messages.tell("error", str(error))
    except Exception:  # of the check itself
        messages.tell("bug", traceback.format_exc())
    return 0


if __name__ == "__main__":
    sys.exit(main())
