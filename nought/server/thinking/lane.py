"""A lane: one evaluator and one thread. Jobs of all clients take turns, and what they ask is evaluated together."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any, TypeVar

import numpy as np

from nought.search import Evaluator
from nought.server.http.errors import Busy
from nought.server.thinking.evaluation_cache import Answer, EvaluationCache
from nought.server.thinking.jobs import Answers, Job, States
from nought.server.thinking.search_pool import SearchPool
from nought.server.thinking.waiting import Ticket, WaitingJobs

log = logging.getLogger("nought.server")

T = TypeVar("T")

AT_ONCE = 32  # questions of one job answered from the cache before others have their turn


class Lane:
    """Every job gets its turn, in a circle: a long search cannot keep short ones waiting, nor many searches few."""

    def __init__(
        self,
        name: str,
        make_evaluator: Callable[[], Evaluator],
        pool: SearchPool,
        *,
        remember: bool,
        batch: int,
    ) -> None:
        self.name, self.pool, self.batch = name, pool, batch
        self._make_evaluator = make_evaluator
        self._cache = EvaluationCache() if remember else None
        self._new: deque[tuple[str, Job[Any], Future[Any]]] = deque()
        self._waiting = WaitingJobs()
        self._open: set[Future[Any]] = set()  # results that somebody waits for
        self._changed = threading.Condition()
        self._closed = False
        self.evaluated = self.batches = self.remembered = 0  # positions, calls, positions that needed none
        self._thread = threading.Thread(target=self._work, name=f"lane {name}", daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        return bool(self._open)

    @property
    def closed(self) -> bool:
        """Whether it takes no more jobs: it was closed, or its evaluator failed."""
        return self._closed

    def start(self, job: Job[T], client: str = "") -> Future[T]:
        """Start a client's job; cancelling the future drops it. Jobs run on the lane's thread alone."""
        result: Future[T] = Future()
        with self._changed:
            if self._closed:
                raise Busy("the server is about to stop", retry_after=5)
            self._open.add(result)
            result.add_done_callback(self._open.discard)
            self._new.append((client, job, result))
            self._changed.notify()
        return result

    def close(self) -> None:
        """End the thread; jobs under way are told that the server stops."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    # ---- on the lane's thread ------------------------------------------------------------------------------
    def _work(self) -> None:
        error: BaseException = Busy("the server is about to stop", retry_after=5)
        try:
            evaluate = self._make_evaluator()
            while self._take_in():
                self._turn(evaluate)
        except BaseException as failure:  # of the evaluator: whoever waits is told, and nobody else gets in
            log.exception("the evaluator of %s failed", self.name)
            error = failure
        with self._changed:
            self._closed = True
            self._new.clear()
            self._waiting.clear()
        for result in list(self._open):
            _settle(result, error=error)

    def _take_in(self) -> bool:
        """Begin new jobs, waiting for one if there is nothing to do; False when the lane is closed."""
        with self._changed:
            while not (self._closed or self._new or self._waiting):
                self._changed.wait()
            new = [self._new.popleft() for _ in range(len(self._new))]
            closed = self._closed
        for client, job, result in new:
            self._step(client, job, result, None)
        return not closed

    def _turn(self, evaluate: Evaluator) -> None:
        """Answer those at the front, as many as make a batch; they line up again at the end."""
        turn = self._waiting.take(self.batch)
        if not turn:
            return
        policies, values = self._answers(np.concatenate([ticket.asked for ticket in turn]), evaluate)
        at = 0
        for client, job, asked, result in turn:
            here = slice(at, at + len(asked))
            self._step(client, job, result, (policies[here], values[here]))
            at += len(asked)

    def _answers(self, states: States, evaluate: Evaluator) -> Answers:
        """The evaluations of positions: those that are remembered, and those that have to be made."""
        if self._cache is None:
            self.batches += 1
            self.evaluated += len(states)
            return evaluate(states)
        keys = [state.tobytes() for state in states]
        found = [self._cache.get(key) for key in keys]
        unknown = {key: i for i, (key, answer) in enumerate(zip(keys, found, strict=True)) if answer is None}
        if unknown:
            policies, values = evaluate(states[list(unknown.values())])
            for n, key in enumerate(unknown):
                self._cache.put(key, policies[n].copy(), values[n])
            found = [answer or self._cache.get(key) for key, answer in zip(keys, found, strict=True)]
            self.batches += 1
        self.evaluated += len(unknown)
        self.remembered += len(states) - len(unknown)
        return _stacked([answer for answer in found if answer is not None])

    def _step(self, client: str, job: Job[Any], result: Future[Any], answers: Answers | None) -> None:
        """Let a job go on to its next question or to its end. What is remembered is answered at once, so that those
        who line up all need the evaluator and batches are full; but not for ever, since others wait."""
        try:
            for _ in range(AT_ONCE):
                asked = next(job) if answers is None else job.send(answers)
                answers = self._recall(asked)
                if answers is None:
                    break
            self._waiting.add(Ticket(client, job, asked, result))
        except StopIteration as end:
            _settle(result, end.value)
        except Exception as error:  # a job's failure is its own
            _settle(result, error=error)

    def _recall(self, states: States) -> Answers | None:
        """The evaluations of positions that are all remembered."""
        if self._cache is None:
            return None
        known = []
        for state in states:
            answer = self._cache.get(state.tobytes())
            if answer is None:
                return None
            known.append(answer)
        self.remembered += len(known)
        return _stacked(known)


def _stacked(answers: list[Answer]) -> Answers:
    return np.stack([policy for policy, _ in answers]), np.array([value for _, value in answers], np.float32)


def _settle(result: Future[Any], value: Any = None, error: BaseException | None = None) -> None:
    with suppress(InvalidStateError):  # the client has left
        if error is not None:
            result.set_exception(error)
        else:
            result.set_result(value)
