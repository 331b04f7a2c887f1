"""Programs that tests start: every wait has a limit, and one that has died fails the test with what it said."""

import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest

LIMIT = 200.0  # seconds for anything, on a machine that is busy; a whole test has 300
NOUGHT = (sys.executable, "-m", "nought")


def run_program(
    command: Sequence[str], *, input: str | bytes = "", limit: float = LIMIT, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """A program that runs to its end; it is told and says text, or bytes if its input is bytes."""
    text = isinstance(input, str)
    try:
        return subprocess.run(
            command, input=input, timeout=limit, capture_output=True, text=text, check=False, **options
        )
    except subprocess.TimeoutExpired as late:
        said = "\n".join((part or b"").decode(errors="replace") for part in (late.stdout, late.stderr))
        pytest.fail(f"{list(command)} has not ended after {limit:.0f} s; it said:\n{said}")


def until(true: Callable[[], Any], limit: float = LIMIT) -> Any:
    """Wait until something is true; what it is then."""
    end = time.monotonic() + limit
    while not (answer := true()):
        if time.monotonic() > end:
            pytest.fail(f"it has not come to pass after {limit:.0f} s")
        time.sleep(0.01)
    return answer


class Program:
    """A program under way. What it says goes to files: a pipe that nobody reads would fill up."""

    def __init__(self, command: Sequence[str], folder: Path, **options: Any) -> None:
        self.command, self.folder = list(command), folder
        with (folder / "output").open("w") as output, (folder / "errors").open("w") as errors:
            self.process = subprocess.Popen(self.command, stdout=output, stderr=errors, **options)

    @property
    def code(self) -> int | None:
        """Its exit code, once it has ended."""
        return self.process.poll()

    @property
    def output(self) -> str:
        """Its standard output so far."""
        return (self.folder / "output").read_text(errors="replace")

    @property
    def errors(self) -> str:
        """Its standard error so far."""
        return (self.folder / "errors").read_text(errors="replace")

    def until(self, true: Callable[[], Any], limit: float = LIMIT) -> Any:
        """Wait until something is true that the program brings about; what it is then."""
        end = time.monotonic() + limit
        while True:
            code = self.code  # asked first: what it did just before its end counts
            if answer := true():
                return answer
            if code is not None:
                self._fail(f"has ended with code {code}")
            if time.monotonic() > end:
                self._fail(f"has not done after {limit:.0f} s what the test waits for")
            time.sleep(0.01)

    def end(self, limit: float = LIMIT) -> int:
        """Wait for its end; its exit code."""
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self._fail(f"has not ended after {limit:.0f} s")

    def _fail(self, what: str) -> NoReturn:
        pytest.fail(f"{self.command} {what}; it said:\n{self.output}\n{self.errors}")


@contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[Program]:
    """A program that is killed, if it has not ended, when the test no longer needs it."""
    with tempfile.TemporaryDirectory(prefix="nought-program-") as folder:
        program = Program(command, Path(folder), **options)
        try:
            yield program
        finally:
            program.process.kill()
            program.end(30)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def answers(address: str) -> bool:
    """Whether a server answers there."""
    try:
        with urllib.request.urlopen(address, timeout=10):
            return True
    except OSError:
        return False
