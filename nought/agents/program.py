"""Another program as a player: it speaks the text protocol of docs/reference/engines.md on its standard input and output."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Mapping
from typing import IO, NoReturn

from nought.errors import NoughtError
from nought.games import Game, Position
from nought.games.notation import format_moves, parse_move

GREETING = "nought 1"  # the protocol's name and version
ANSWER_TIMEOUT = 60.0  # seconds for an answer: a game may have to be compiled first
QUIT_TIMEOUT = 1.0  # seconds to end after `quit`
LONGEST_LINE = 10_000  # bytes
ENDED = ""  # in the queue of answers: there will be no more


class ProgramPlayer:
    """Plays by asking a program, a position at a time. The program ends with this player, or with Python."""

    def __init__(self, command: str, game: Game, *, go: str = "go", timeout: float = ANSWER_TIMEOUT) -> None:
        self.name = f"program:{command}"
        self.game, self.go, self.timeout = game, go, timeout
        self.process = _start(self.name, command)
        self.close = weakref.finalize(self, _end, self.process)
        self.answers: queue.Queue[str] = queue.Queue(maxsize=100)
        self.complaints: deque[str] = deque(maxlen=1)
        threads = [
            threading.Thread(target=reader, args=(stream, kept), daemon=True)
            for reader, stream, kept in (
                (_read_answers, self.process.stdout, self.answers),
                (_read_complaints, self.process.stderr, self.complaints),
            )
        ]
        for thread in threads:
            thread.start()
        self.last_words = threads[1]
        if not self._ask(GREETING).startswith(GREETING):
            self._fail(f"does not speak {GREETING!r}")
        self._order(f"game {game.name}")

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        return {g: self._choose(position) for g, position in positions.items()}

    def _choose(self, position: Position) -> int:
        if self.game.position(position.moves) != position:
            raise NoughtError(f"{self.name} can only play positions whose moves from the start are known")
        self._order(f"position {format_moves(self.game, position.moves)}")
        answer = self._ask(self.go)
        try:
            word, text = answer.split()[:2]
            if word != "move":
                raise ValueError
            move = parse_move(position, text)
            position.play(move)
        except ValueError:
            self._fail(f"answers {_shown(answer)} to {self.go!r}, not `move …`")
        except NoughtError as error:
            self._fail(f"answers {_shown(answer)}: {error}")
        return move

    def _order(self, line: str) -> None:
        if (answer := self._ask(line)) != "ok":
            self._fail(f"answers {_shown(answer)} to {_shown(line)}, not `ok`")

    def _ask(self, line: str) -> str:
        """Send a line and wait for the answer; empty lines and comments do not count as one."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except (OSError, ValueError):  # it has closed its end, or we ours
            self._fail("has ended")
        end = time.monotonic() + self.timeout
        while True:
            try:
                answer = self.answers.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                self._fail(f"has not answered {_shown(line)} for {self.timeout:g} seconds")
            if answer == ENDED:
                self._fail("has ended")
            if (answer := answer.strip()) and not answer.startswith("#"):
                return answer

    def _fail(self, what: str) -> NoReturn:
        """End the program and say what it did, with the last thing it said on its standard error."""
        self.close()
        self.last_words.join(QUIT_TIMEOUT)
        code = self.process.returncode
        with_code = f" (exit code {code})" if what == "has ended" and code else ""
        said = f"; it said: {self.complaints[0]}" if self.complaints else ""
        raise NoughtError(f"{self.name} {what}{with_code}{said}")


def _start(name: str, command: str) -> subprocess.Popen[bytes]:
    try:
        words = shlex.split(command)
        if not words:
            raise ValueError("it is empty")
        return subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # so that what it starts itself ends with it
        )
    except OSError as error:
        raise NoughtError(f"{name} cannot be started: {error.strerror}: {words[0]}") from None
    except ValueError as error:
        raise NoughtError(f"{name} is not a command line: {error}") from None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask the program to end, and kill it where it does not."""
    assert process.stdin is not None
    with contextlib.suppress(OSError, ValueError):
        process.stdin.write(b"quit\n")
        process.stdin.close()
    try:
        process.wait(QUIT_TIMEOUT)
    except subprocess.TimeoutExpired:
        _kill(process)
        process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the program, and where the system keeps them together the programs that it has started."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:  # Windows
        process.kill()


def _read_answers(stream: IO[bytes], answers: queue.Queue[str]) -> None:
    with stream:
        while line := stream.readline(LONGEST_LINE):
            answers.put(line.decode(errors="replace"))
    answers.put(ENDED)


def _read_complaints(stream: IO[bytes], complaints: deque[str]) -> None:
    with stream:
        while line := stream.readline(LONGEST_LINE):
            if text := " ".join(line.decode(errors="replace").split()):
                complaints.append(text[:200])


def _shown(line: str) -> str:
    return repr(line if len(line) <= 60 else line[:60] + "…")
