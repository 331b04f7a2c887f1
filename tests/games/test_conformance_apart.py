"""Rules that crash or never return, in a process of their own."""

import os
import signal
import sys
from pathlib import Path

import pytest

from nought.errors import NoughtError
from nought.games import load
from nought.games.conformance.apart import check_apart
from nought.games.conformance.shared import Call, SharedTrace
from tests.games.broken import TICTACTOE
from tests.support.programs import NOUGHT, started, until

ABORTS = "import os\n\n\ndef play(state, action):\n    os.abort() if state.sum() > 3 else None\n"
# compiled, int8 grows to int64; the state keeps the compiler from removing the loop
LOOPS_COMPILED = (
    "def play(state, action):\n    while np.int8(100) + np.int8(100) > 0:\n        state[0] = 1 - state[0]\n"
)


def written(folder: Path, play: str) -> str:
    (folder / "mygame.py").write_text(TICTACTOE.replace("def play(state, action):\n", play), encoding="utf-8")
    return str(folder / "mygame.py")


def test_a_crash_is_a_finding(tmp_path: Path) -> None:
    name = written(tmp_path, ABORTS)
    report = check_apart(name, games=5)
    compiles, crash = report.failures  # what was found before is kept
    assert compiles.check == "compiles"
    assert crash.message == "play ends the whole program (SIGABRT)"
    assert load("tictactoe").position(crash.moves).state.sum() > 3
    assert crash.line


def test_a_plain_rule_that_never_returns(tmp_path: Path) -> None:
    name = written(tmp_path, "def play(state, action):\n    while state[4]:\n        pass\n")
    (hang,) = check_apart(name, games=5, timeout=1.0).failures
    assert hang.message == "play has not returned after 1 s"
    assert 4 in hang.moves


def test_a_compiled_rule_that_never_returns(tmp_path: Path) -> None:
    (hang,) = check_apart(written(tmp_path, LOOPS_COMPILED), games=5, timeout=1.0).failures
    assert hang.message == "compiled, play has not returned after 1 s"
    assert hang.moves == ()


def test_a_file_that_is_never_read(tmp_path: Path) -> None:
    (tmp_path / "mygame.py").write_text("while True:\n    pass\n")
    (hang,) = check_apart(str(tmp_path / "mygame.py"), timeout=1.0).failures
    assert hang.message == "the game's file has not been read after 1 s"


def test_it_is_the_same_check(tmp_path: Path) -> None:
    heard: list[int] = []
    report = check_apart("tictactoe", 20, 3, listener=lambda report: heard.append(report.games))
    assert report.passed
    assert (report.games, report.longest, report.allowed, report.symmetries) == (20, 9, 9, 8)
    assert heard and heard == sorted(heard)
    with pytest.raises(NoughtError, match="there is no game called 'nosuch'"):
        check_apart("nosuch")


def test_what_rules_print_is_not_taken_for_a_message(tmp_path: Path) -> None:
    name = written(tmp_path, "def play(state, action):\n    print('{}')\n    state[action] += 0\n")
    report = check_apart(name, games=3)
    assert report.games == 3


def test_a_trace_is_read_as_it_was_written(tmp_path: Path) -> None:
    trace = SharedTrace.create(tmp_path / "trace")
    other = SharedTrace(tmp_path / "trace")
    assert trace.last() == Call(0, "", "", ())
    other.at([3, 70000, 5])
    other.asking("", "planes")
    other.asking("compiled", "result")
    assert trace.last() == Call(2, "compiled", "result", (3, 70000, 5))
    other.at(())
    assert trace.last().moves == ()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_nothing_outlives_the_command(end: signal.Signals, tmp_path: Path) -> None:
    """Ctrl-C or kill -9, while the rules are compiled or do not return."""
    marker = tmp_path / "pid"
    loops = f"import os\n\nopen({str(marker)!r}, 'w').write(str(os.getpid()))\n\n\n{LOOPS_COMPILED}"
    command = [*NOUGHT, "check", written(tmp_path, loops), "--timeout", "100"]
    with started(command, start_new_session=True) as program:
        program.until(lambda: marker.exists() and marker.read_text())
        child = int(marker.read_text())
        if end == signal.SIGINT:
            os.killpg(program.process.pid, end)  # as a terminal does
        else:
            program.process.send_signal(end)
        assert program.end() == (130 if end == signal.SIGINT else -signal.SIGKILL)
        assert "Traceback" not in program.errors
    until(lambda: not alive(child))


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
