"""A lane: the jobs of one agent. They take turns at its evaluators, and what they ask is evaluated together."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any, TypeVar

import numpy as np

from nought.search import Evaluator
from nought.server.http.errors import Busy
from nought.server.thinking.evaluation_cache import EvaluationCache, RememberingEvaluator
from nought.server.thinking.jobs import Answers, Job
from nought.server.thinking.search_pool import SearchPool
from nought.server.thinking.waiting import NOTHING, SLICE, Ticket, WaitingJobs

log = logging.getLogger("nought.server")

T = TypeVar("T")

AT_ONCE = 32  # questions of one job answered from the cache before others have their turn


class Lane:
    """Jobs in one line, and threads that serve it, each with an evaluator of its own.

    batch     positions evaluated at once; who stands further back waits
    threads   at most; a further one begins when somebody would wait for those there are
    """

    def __init__(
        self,
        name: str,
        make_evaluator: Callable[[], Evaluator],
        pool: SearchPool,
        *,
        remember: bool,
        batch: int,
        threads: int = 1,
    ) -> None:
        self.name, self.pool, self.batch, self.most_threads = name, pool, batch, threads
        self._make_evaluator = make_evaluator
        self._cache = EvaluationCache() if remember else None
        self._evaluators: list[RememberingEvaluator] = []
        self._waiting = WaitingJobs()
        self._open: set[Future[Any]] = set()  # results that somebody waits for
        self._changed = threading.Condition()
        self._closed = False
        self._idle = 0  # threads with nothing to do
        self._threads: list[threading.Thread] = []

    @property
    def busy(self) -> bool:
        return bool(self._open)

    @property
    def closed(self) -> bool:
        """Whether it takes no more jobs: it was closed, or its evaluator failed."""
        return self._closed

    def count(self, what: str) -> int:
        """How many positions were `evaluated` and `remembered` so far, and in how many `batches`."""
        return sum(getattr(evaluator, what) for evaluator in self._evaluators)

    def start(self, job: Job[T], client: str = "", positions: int = SLICE) -> Future[T]:
        """Start a client's job, which needs so many positions at most; cancelling the future drops it. Jobs run on the
        lane's threads alone."""
        result: Future[T] = Future()
        with self._changed:
            if self._closed:
                raise Busy("the server is about to stop", retry_after=5)
            self._open.add(result)
            result.add_done_callback(self._open.discard)
            self._waiting.add(Ticket(client, job, result, positions))
            self._call_for_help()
        return result

    def close(self) -> None:
        """End the threads; jobs under way are told that the server stops."""
        self._end(Busy("the server is about to stop", retry_after=5))
        for thread in self._threads:
            thread.join()

    def _begin_thread(self) -> None:
        thread = threading.Thread(target=self._work, name=f"lane {self.name}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _end(self, error: BaseException) -> None:
        """Take no more jobs, and tell whoever waits why."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
        for result in list(self._open):
            _settle(result, error=error)

    # ---- on a thread of the lane ---------------------------------------------------------------------------
    def _work(self) -> None:
        try:
            evaluator = RememberingEvaluator(self._make_evaluator(), self._cache)
            self._evaluators.append(evaluator)
            while turn := self._next_turn():
                self._serve(turn, evaluator)
        except BaseException as failure:  # of the evaluator: whoever waits is told, and nobody else gets in
            log.exception("the evaluator of %s failed", self.name)
            self._end(failure)

    def _next_turn(self) -> list[Ticket]:
        """Those at the front, as many as make a batch, when there are any; nobody when the lane is closed."""
        with self._changed:
            while not self._closed:
                if turn := self._waiting.take(self.batch):
                    self._call_for_help()
                    return turn
                self._idle += 1
                self._changed.wait()
                self._idle -= 1
        return []

    def _call_for_help(self) -> None:
        """Let a thread serve those who wait, a new one if all have something to do."""
        if self._waiting and self._idle:
            self._changed.notify()
        elif self._waiting and len(self._threads) < self.most_threads:
            self._begin_thread()

    def _serve(self, turn: list[Ticket], evaluator: RememberingEvaluator) -> None:
        """Answer what jobs ask; they line up again with what they ask next."""
        for ticket in turn:
            if not ticket.begun:
                self._step(ticket, None, evaluator)
        asking = [ticket for ticket in turn if len(ticket.asked)]
        if not asking:
            return
        policies, values = evaluator(np.concatenate([ticket.asked for ticket in asking]))
        at = 0
        for ticket in asking:
            here = slice(at, at := at + len(ticket.asked))
            self._step(ticket, (policies[here], values[here]), evaluator)
        with self._changed:
            for ticket in asking:
                if len(ticket.asked):
                    self._waiting.add(ticket)

    def _step(self, ticket: Ticket, answers: Answers | None, evaluator: RememberingEvaluator) -> None:
        """Let a job go on to its next question or to its end. What is remembered is answered at once, so that those
        who line up all need the evaluator and batches are full; but not for ever, since others wait."""
        job, ticket.begun = ticket.job, True
        try:
            for _ in range(AT_ONCE):
                ticket.asked = next(job) if answers is None else job.send(answers)
                answers = evaluator.recall(ticket.asked)
                if answers is None:
                    return
        except StopIteration as end:
            ticket.asked = NOTHING
            _settle(ticket.result, end.value)
        except Exception as error:  # a job's failure is its own
            ticket.asked = NOTHING
            _settle(ticket.result, error=error)


def _settle(result: Future[Any], value: Any = None, error: BaseException | None = None) -> None:
    with suppress(InvalidStateError):  # the client has left
        if error is not None:
            result.set_exception(error)
        else:
            result.set_result(value)
