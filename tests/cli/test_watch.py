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
from nought.learning.state import Progress

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
    exam = ExamReport(0.875, (), (412.3, 300.0, 500.0), 0.1)
    machine, header, accepted, rejected = lines(
        RunParameters(),
        report(1, GateReport(23, 1, 16, True, None, 1.0), exam),
        report(2, GateReport(18, 2, 20, False, None, 1.0), None),
    )
    assert machine == "CPU, 2 threads, bfloat16 (1.9 × as fast as float32 here)"
    assert len(header) <= 80 and len(accepted) == len(header)
    for name, cell in (("policy(best)", "1.234 (1.00)"), ("Elo", "412±100"), ("right", "87.5%")):
        assert name in header and cell in accepted
    assert "23-1-16 → 3" in accepted and "18-2-20 ✗" in rejected


def test_time_left_is_the_sooner_of_minutes_and_iterations() -> None:
    terminal = Terminal(Console(file=io.StringIO()), RunParameters(minutes=10, iterations=4))
    share, left = terminal.standing()
    assert share < 0.01 and left == pytest.approx(10 * (1 - share))
    terminal.iteration(report(2, GateReport(0, 0, 0, True, None, 0.0), None))
    # two more iterations of two minutes; ten minutes would leave six
    share, left = terminal.standing()
    assert 0.5 <= share < 0.51 and left == pytest.approx(8 * (1 - share))
    unknown = Terminal(Console(file=io.StringIO()), RunParameters(minutes=0))
    assert unknown.standing() == (0.0, None)


def test_a_run_limited_by_games_has_a_share_and_a_time() -> None:
    terminal = Terminal(Console(file=io.StringIO()), RunParameters(minutes=0, games=160))
    terminal.iteration(report(1, GateReport(0, 0, 0, True, None, 0.0), None))  # 40 games in two minutes
    share, left = terminal.standing()
    assert 0.25 <= share < 0.26 and left == pytest.approx(8 * (1 - share))


def test_a_resumed_run_goes_on_from_its_share() -> None:
    done = Progress(iteration=3, games=120, minutes=6.0)
    share, left = Terminal(Console(file=io.StringIO()), RunParameters(minutes=12), done).standing()
    assert 0.5 <= share < 0.51 and left == pytest.approx(12 * (1 - share))


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_narrow_terminal_has_fewer_columns_and_no_number_is_cut(width: int) -> None:
    exam = ExamReport(1.0, (), (1654.3, 1500.0, 1800.0), 0.1)
    text = io.StringIO()
    terminal = Terminal(Console(file=text, width=width), RunParameters())
    terminal.header()
    terminal.iteration(report(123, GateReport(23, 1, 16, True, None, 1.0), exam))
    header, line = text.getvalue().splitlines()
    assert len(header) <= width and len(line) == len(header)
    for cell in ("123", "246.0", "23-1-16 → 3", "1654±150", "100%"):
        assert cell in line


def test_what_is_not_known_well_enough_is_not_shown() -> None:
    *_, line = lines(
        RunParameters(), report(1, GateReport(0, 0, 0, True, None, 0.0), ExamReport(None, (), None, 0.1))
    )
    assert "±" not in line


def test_ctrl_c_is_heard_though_python_ignored_it() -> None:
    before = signal.getsignal(signal.SIGINT)
    with CtrlC() as ctrl_c:
        ctrl_c.progress("self-play", 0.5)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):  # as if nobody had seen the first
            ctrl_c.progress("self-play", 0.6)
    assert signal.getsignal(signal.SIGINT) is before
