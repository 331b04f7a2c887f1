"""Of the processes that run tests, one compiles what several need at the same time, and the others find it."""

import threading
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from filelock import FileLock
from numba.core.dispatcher import Dispatcher

from nought.files import cache_folder

_under_way = threading.local()


def compile_once() -> None:
    """From now on, whoever compiles a module's functions waits until no other process does, and looks again."""
    folder = cache_folder() / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    Dispatcher.compile = one_at_a_time(Dispatcher.compile, folder)


def one_at_a_time(compile: Callable[[Any, Any], Any], folder: Path) -> Callable[[Any, Any], Any]:
    """What compiles a function, alone."""

    @wraps(compile)
    def waits(self: Any, sig: Any) -> Any:
        module = self.py_func.__module__ or ""  # some of Numba's own have none
        if not module.startswith("nought_") or getattr(_under_way, "module", None):
            return compile(self, sig)  # inside of another it has waited already
        _under_way.module = module
        try:
            with FileLock(folder / module):
                return compile(self, sig)
        finally:
            _under_way.module = None

    return waits
