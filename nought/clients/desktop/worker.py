"""One thread that does what takes a while, in order, so that the window never waits."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable
from typing import Any


class Worker:
    """Does jobs one after the other."""

    def __init__(self) -> None:
        self.jobs: queue.Queue[tuple[Callable[..., None], tuple[Any, ...], dict[str, Any]]] = queue.Queue()
        threading.Thread(target=self._work, daemon=True, name="network").start()

    @property
    def busy(self) -> bool:
        """Whether there is a job that is not done."""
        return self.jobs.unfinished_tasks > 0

    def do(self, job: Callable[..., None], *arguments: Any, **options: Any) -> None:
        self.jobs.put((job, arguments, options))

    def _work(self) -> None:
        while True:
            self._do_next()  # nothing of a job outlives it here: a window must not be let go of by this thread

    def _do_next(self) -> None:
        job, arguments, options = self.jobs.get()
        try:
            job(*arguments, **options)
        except Exception:  # the next job is done all the same
            sys.excepthook(*sys.exc_info())
        finally:
            self.jobs.task_done()
