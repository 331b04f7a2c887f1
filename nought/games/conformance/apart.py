"""A check whose rules may do anything: in a process of its own, whose crash or silence is a finding as well."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from nought.errors import NoughtError
from nought.games.conformance.report import COMPILING, LOADING, NOTHING, Finding, Report, called, note
from nought.games.conformance.shared import Call, SharedTrace
from nought.games.game import Game
from nought.games.notation import format_moves, is_fixed
from nought.games.registry import load

POLL = 0.1  # seconds between looks whether the rules still answer


def check_apart(
    name: str,
    games: int = 100,
    seed: int = 0,
    timeout: float = 10.0,
    listener: Callable[[Report], None] = lambda _: None,
) -> Report:
    """What `check_game` finds in the game of this name, asked in a process of its own. Rules that crash,
    or of which one takes longer than `timeout` seconds to answer, end the check with a finding that says so."""
    with tempfile.TemporaryDirectory(prefix="nought-check-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "trace"
        trace = SharedTrace.create(path)
        process = subprocess.Popen(
            [sys.executable, "-m", "nought.games.conformance.child", name, str(games), str(seed), str(path)],
            stdin=subprocess.PIPE,  # which ends when this process does
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for this process, which then ends the other one
        )
        try:
            return _Watch(name, process, trace, timeout, listener).wait()
        finally:
            process.kill()
            process.wait()
            trace.close()


class _Watch:
    def __init__(
        self,
        name: str,
        process: subprocess.Popen[str],
        trace: SharedTrace,
        timeout: float,
        listener: Callable[[Report], None],
    ) -> None:
        self.name, self.process, self.trace = name, process, trace
        self.timeout, self.listener = timeout, listener
        self.report = Report(name)
        self.messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        assert process.stdout is not None
        threading.Thread(target=_read, args=(process.stdout, self.messages), daemon=True).start()
        self.answering, self.since = 0, time.monotonic()  # the number of the call under way, and since when

    def wait(self) -> Report:
        """The child's report, or what can be said without it."""
        while True:
            try:
                message = self.messages.get(timeout=POLL)
            except queue.Empty:
                if self._hangs():
                    return self._ended(_never_returned(self.trace.last(), self.timeout))
                continue
            if message is None:  # it has ended without a last word
                return self._ended(_crashed(self.trace.last(), self.process.wait()))
            (kind, value), *_ = message.items()
            if kind == "error":
                raise NoughtError(value)
            if kind == "bug":
                raise RuntimeError(f"the check itself failed:\n{value}")
            self.report = Report.from_values(value)
            if kind == "done":
                return self.report
            self.listener(self.report)

    def _hangs(self) -> bool:
        call = self.trace.last()
        now = time.monotonic()
        if call.number != self.answering or call.rule in (NOTHING, COMPILING):
            self.answering, self.since = call.number, now
        return now > self.since + self.timeout

    def _ended(self, message: str) -> Report:
        """The report so far, and why there is no more."""
        call = self.trace.last()
        if call.rule == NOTHING:
            raise NoughtError(f"{self.name}: the check did not begin: {message}")
        line = _line(load(self.name), call.moves) if call.moves else ""
        note(self.report.failures, Finding("returns", message, call.moves, line))
        return self.report


def _line(game: Game, moves: Sequence[int]) -> str:
    """The moves as people write them or, where only the rules could say how, their numbers: those may never return."""
    return format_moves(game, moves) if is_fixed(game) else " ".join(map(str, moves))


def _read(stream: IO[str], messages: queue.Queue[dict[str, Any] | None]) -> None:
    for line in stream:
        messages.put(json.loads(line))
    messages.put(None)


def _never_returned(call: Call, seconds: float) -> str:
    if call.rule == LOADING:
        return f"the game's file has not been read after {seconds:g} s"
    return f"{_called(call)} has not returned after {seconds:g} s"


def _crashed(call: Call, code: int) -> str:
    how = f"exit code {code:#x}"
    if code < 0:
        how = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    return f"{_called(call)} ends the whole program ({how})"


def _called(call: Call) -> str:
    others = {NOTHING: "its process", LOADING: "the game's file", COMPILING: "compiling the rules"}
    return others.get(call.rule) or called(call.how, call.rule)
