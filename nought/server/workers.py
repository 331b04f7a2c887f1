"""Several processes that serve one port. The one that starts them keeps what they have in common (`http/common.py`), and
starts another in the place of one that has died.

What a worker holds, a search or a game in which an agent thinks, ends with the line to it, however the worker has ended.
"""

from __future__ import annotations

import logging
import multiprocessing
import selectors
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from nought.errors import NoughtError
from nought.server.http.common import Common

log = logging.getLogger("nought.server")

POLL = 0.2  # seconds between two looks at whether to stop, and at whom to start
RESTART_PAUSE = 1.0  # seconds at least between two starts of a worker
SILENCE = 60.0  # seconds after which a worker, which reports every second, is taken to hang
LAST_WORDS = 2.0  # seconds that a worker has to end once it has hung up
PRELOADED = ["nought.server.run"]  # what workers need is loaded once, and shared

# Serves until it is told to stop: the number of a worker, and its end of the line.
Serving = Callable[[int, Connection], None]


@dataclass(eq=False)
class WorkerProcess:
    """A worker, as the process that started it knows it."""

    number: int
    process: BaseProcess
    line: Connection
    begun: float = field(default_factory=time.monotonic)
    heard: float = field(default_factory=time.monotonic)  # when it has last said something
    held: Counter[tuple[str, Any]] = field(default_factory=Counter)  # places, by part and by whose they are


class Workers:
    """Keeps so many workers alive until it is told to stop, and answers what they ask."""

    def __init__(self, count: int, serving: Serving, common: Common, announce: Callable[[], None]) -> None:
        self.count, self.serving, self.common, self.announce = count, serving, common, announce
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(PRELOADED)
        self._selector = selectors.DefaultSelector()
        self._alive: dict[int, WorkerProcess] = {}
        self._due: dict[int, float] = dict.fromkeys(range(count), 0.0)  # when to start whom
        self._announced = False
        self._failed = ""  # why it could not start
        self._told: list[int] = []  # signals to stop

    def run(self, patience: float) -> None:
        """Serve until SIGTERM or Ctrl-C; then workers have `patience` seconds to end, or until it is said again."""
        with self._noting_signals():
            while not self._told and not self._failed:
                self._start_due()
                self._attend()
                self._end_the_silent()
            self._stop(time.monotonic() + patience)
        if self._failed:
            raise NoughtError(self._failed)
        for number in self._told:
            signal.raise_signal(number)  # having finished its work, it ends as it was told to

    @contextmanager
    def _noting_signals(self) -> Iterator[None]:
        def note(number: int, _: object) -> None:
            self._told.append(number)

        before = {number: signal.signal(number, note) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _start_due(self) -> None:
        now = time.monotonic()
        for number in [number for number, due in self._due.items() if due <= now]:
            ours, theirs = multiprocessing.Pipe()
            process = self._context.Process(
                target=self.serving, args=(number, theirs), name=f"worker {number}"
            )
            try:
                process.start()
            except (OSError, EOFError) as error:  # too little memory, or too many processes
                log.error("worker %d could not be started: %s", number, error)
                self._due[number] = now + RESTART_PAUSE
                continue
            del self._due[number]
            theirs.close()  # so that its end is seen here
            self._listen_to(WorkerProcess(number, process, ours))

    def _listen_to(self, worker: WorkerProcess) -> None:
        self._alive[worker.number] = worker
        self._selector.register(worker.line, selectors.EVENT_READ, worker)

    def _attend(self) -> None:
        """Answer those who ask, or wait a moment for somebody."""
        for key, _ in self._selector.select(POLL):
            worker: WorkerProcess = key.data
            try:
                self._answer(worker, *worker.line.recv())
            except (EOFError, OSError):
                self._bury(worker)
        if not self._announced and self.common.board.count() == self.count:
            self._announced = True
            self.announce()

    def _answer(self, worker: WorkerProcess, part: str, method: str, what: Any, awaited: bool) -> None:
        """Do what a worker asks, and take note of what it holds."""
        worker.heard = time.monotonic()
        try:
            answer = getattr(self.common.parts[part], method)(*what)
        except NoughtError as refusal:
            answer = refusal
        if method == "enter" and (answer is True or answer is None):
            worker.held[part, what] += 1
        elif method == "leave":
            worker.held.subtract([(part, what)])
            worker.held += Counter()  # forgets what it no longer holds
        if awaited:
            worker.line.send(answer)

    def _bury(self, worker: WorkerProcess) -> None:
        """Give back what a worker held that has ended, and let another take its place."""
        self._selector.unregister(worker.line)
        worker.line.close()
        del self._alive[worker.number]
        for part, whose in worker.held.elements():
            self.common.parts[part].leave(*whose)
        why = self.common.board.forget(worker.number)
        worker.process.join(LAST_WORDS)
        worker.process.kill()  # which is nothing to one that has ended
        worker.process.join()
        if self._told:
            return
        if not self._announced:
            self._failed = self._failed or why or "the server could not start: the log says why"
            return
        ended = f"could not serve: {why}" if why else _ending(worker.process.exitcode or 0)
        who = worker.number, worker.process.pid
        log.warning("worker %d (process %d) %s; another takes its place", *who, ended)
        self._due[worker.number] = worker.begun + RESTART_PAUSE

    def _end_the_silent(self) -> None:
        """Kill workers that hang: what they hold is wanted."""
        for number in self.common.board.serving & self._alive.keys():
            worker = self._alive[number]
            if time.monotonic() - worker.heard > SILENCE:
                log.error("worker %d (process %d) hangs", number, worker.process.pid)
                worker.heard = time.monotonic()
                worker.process.kill()

    def _stop(self, deadline: float) -> None:
        """Tell all workers to stop, and answer what they ask until they have."""
        for worker in self._alive.values():
            worker.process.terminate()
        while self._alive:
            if time.monotonic() > deadline or len(self._told) > 1:
                for worker in self._alive.values():
                    worker.process.kill()
            self._attend()


def _ending(code: int) -> str:
    """How a process has ended, by its exit code."""
    if code < 0:
        return f"was ended by signal {-code} ({signal.strsignal(-code)})"
    return f"ended with code {code}"
