"""Why tests may be skipped, and one line at the end of the tests that says how many were, for want of what.

With NOUGHT_ALL_TESTS=1, as in CI, the tests fail if any is skipped for want of something that can be installed.
"""

import os
from collections import Counter
from typing import Any

import pytest

CHROMIUM = "no Chromium (apt install chromium, or say where it is in NOUGHT_CHROMIUM)"
POSTGRESQL = "no PostgreSQL server (apt install postgresql)"
NODE = "no node (apt install nodejs)"
OPENSSL = "no openssl (apt install openssl)"
COMPILER = "no C++ compiler (apt install g++)"
SCREEN = "no screen (apt install xvfb)"
RAY = "no Ray (pip install 'nought[cluster]')"
GPU = "no CUDA GPU"
NVCC = "no nvcc, CUDA's compiler"
INSTRUCTIONS = "no processor with these instructions"
ROOT = "root may write everywhere (run the tests as another user)"
SLOW = "left for when there is time (NOUGHT_SLOW_TESTS=1)"

ALLOWED = {GPU, NVCC, INSTRUCTIONS, ROOT, SLOW}  # nothing to install helps, or far too much

slow = pytest.mark.skipif(not os.environ.get("NOUGHT_SLOW_TESTS"), reason=SLOW)


class Skips:
    """Notes what is skipped: a test, or a whole file for what it imports.

    With pytest-xdist, tests are reported to the process that started the others, skipped files are not.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.reasons: dict[str, str] = {}  # by test or file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self.reasons[report.nodeid] = _reason(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.reasons[report.nodeid] = _reason(report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.reasons |= getattr(node, "workeroutput", {}).get("skips", {})

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["skips"] = self.reasons
        elif self.forbidden() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.reasons:
            counts = Counter((reason, "::" in name) for name, reason in self.reasons.items())
            terminalreporter.write_line("; ".join(_sentence(n, *what) for what, n in counts.most_common()))
        if forbidden := self.forbidden():
            terminalreporter.write_line(f"NOUGHT_ALL_TESTS allows none for: {', '.join(forbidden)}", red=True)

    def forbidden(self) -> list[str]:
        """The reasons that should not be, where all tests that can be run are demanded."""
        if not os.environ.get("NOUGHT_ALL_TESTS"):
            return []
        return sorted(set(self.reasons.values()) - ALLOWED)


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.removeprefix("Skipped: ")


def _sentence(n: int, reason: str, single: bool) -> str:
    return f"{n} {'test' if single else 'file'}{'s' if n > 1 else ''} skipped: {reason}"
