"""What people see of a run."""

from __future__ import annotations

import io
import os
import signal

import pytest
from rich.console import Console

from nought.cli.watch import CtrlC, Terminal
from nought.config import RunParameters
from nought.events import (
    ExamReport,
    GateReport,
    IterationReport,
    LearningReport,
    MachineReport,
    SelfPlayReport,
)

MACHINE = MachineReport("CPU", 2, "bfloat16", "1.9 × as fast as float32 here")


def report(iteration: int, gate: GateReport, exam: ExamReport | None) -> IterationReport:
    return IterationReport(
        iteration,
        3,
        2.0 * iteration,
        5000,
        SelfPlayReport(40, 1000, 2.0, 64000, 30000, 0.1),
        LearningReport(20, 1.0, 0.002, 1.234, 1.0, 0.5),
        gate,
        exam,
    )


def lines(run: RunParameters, *reports: IterationReport) -> list[str]:
    text = io.StringIO()
    with Terminal(Console(file=text, width=80), run) as terminal:
        terminal.machine(MACHINE)
        terminal.progress("self-play", 0.5)
        for each in reports:
            terminal.iteration(each)
    return text.getvalue().splitlines()


def test_plain_lines_fit_a_terminal_and_say_what_happened() -> None:
    exam = ExamReport(0.875, (9, 1, 0), (6, 2, 2), (412.3, 300.0, 500.0), 0.1)
    machine, header, accepted, rejected = lines(
        RunParameters(),
        report(1, GateReport(23, 1, 16, True, None, 1.0), exam),
        report(2, GateReport(18, 2, 20, False, None, 1.0), None),
    )
    assert machine == "CPU, 2 threads, bfloat16 (1.9 × as fast as float32 here)"
    assert len(header) <= 80 and len(accepted) == len(header)
    for name, cell in (("policy (best)", "1.234 (1.00)"), ("Elo", "412"), ("right", "87.5%")):
        assert name in header and cell in accepted
    assert "23-1-16 → 3" in accepted and "18-2-20 ✗" in rejected


def test_time_left_is_the_sooner_of_minutes_and_iterations() -> None:
    terminal = Terminal(Console(file=io.StringIO()), RunParameters(minutes=10, iterations=4))
    assert 9.9 < terminal.minutes_left() <= 10
    terminal.iteration(report(2, GateReport(0, 0, 0, True, None, 0.0), None))
    # two more iterations of two minutes; ten minutes would leave six
    assert 3.9 < terminal.minutes_left() <= 4
    assert Terminal(Console(file=io.StringIO()), RunParameters(minutes=0)).minutes_left() is None


def test_ctrl_c_is_heard_though_python_ignored_it() -> None:
    before = signal.getsignal(signal.SIGINT)
    with CtrlC() as ctrl_c:
        ctrl_c.progress("self-play", 0.5)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):  # as if nobody had seen the first
            ctrl_c.progress("self-play", 0.6)
    assert signal.getsignal(signal.SIGINT) is before
