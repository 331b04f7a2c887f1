"""What must not happen while an input is tried, besides exceptions: silence, errors in the log, writing elsewhere, and
running what was only to be read."""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

POLL = 0.05  # seconds between looks at the clock
LAST_RESORT = 10  # times the limit, after which the process itself ends: no signal gets through
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGING = {"os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.truncate", "shutil.rmtree"}
PROGRAMS = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "pickle.find_class"}


class TooLong(BaseException):
    """An input took longer than it may. No `except Exception` keeps it."""


class Watch(logging.Handler):
    """Notes what happens while inputs are tried: `what()` says it once, and forgets it."""

    def __init__(self, folders: tuple[Path, ...], limit: float) -> None:
        super().__init__(logging.ERROR)
        self.folders = tuple(f"{folder.resolve()}{os.sep}" for folder in folders)
        self.limit = limit
        self.strange = ""  # a folder whose files are not to be run
        self.starts_programs = False
        self._seen: list[str] = []
        self._begun = 0.0  # when the input under way began; 0: none is
        self._main = threading.get_ident()

    def what(self) -> str:
        """What has happened since somebody asked last; empty if nothing has."""
        seen, self._seen = self._seen, []
        return "; ".join(seen[:3])

    def note(self, text: str) -> None:
        self._seen.append(text)

    def emit(self, record: logging.LogRecord) -> None:
        self.note(f"the log has an error: {self.format(record)}")

    @contextlib.contextmanager
    def trying(self) -> Iterator[None]:
        """While an input is tried, its time is running and its deeds are noted."""
        self._begun = time.monotonic()
        try:
            yield
        finally:
            self._begun = 0.0

    @contextlib.contextmanager
    def on(self) -> Iterator[Watch]:
        """Watch the log, the clock and the files."""
        _listen()
        before = signal.signal(signal.SIGUSR1, _interrupt)
        logging.getLogger().addHandler(self)
        ended = threading.Event()
        clock = threading.Thread(target=self._look_at_the_clock, args=(ended,), daemon=True)
        clock.start()
        _watching.append(self)
        try:
            yield self
        finally:
            _watching.remove(self)
            ended.set()
            clock.join()
            logging.getLogger().removeHandler(self)
            signal.signal(signal.SIGUSR1, before)

    def _look_at_the_clock(self, ended: threading.Event) -> None:
        said = 0.0
        while not ended.wait(POLL):
            begun = self._begun
            if begun and begun != said and time.monotonic() > begun + self.limit:
                signal.pthread_kill(self._main, signal.SIGUSR1)
                said = begun
            if begun and time.monotonic() > begun + LAST_RESORT * self.limit:
                faulthandler.dump_traceback()
                os._exit(70)

    def heard(self, event: str, given: tuple[Any, ...]) -> None:
        """An event of the interpreter's own audit."""
        if not self._begun or self.starts_programs:  # whose files are their own affair
            return
        if event == "open":
            path, mode, flags = given
            writes = (mode and set(mode) & set("wax+")) or (flags or 0) & WRITING
            if writes and isinstance(path, str | bytes | os.PathLike):
                self._check(event, os.path.realpath(os.fsdecode(path)))
        elif event in CHANGING:
            self._check(event, _place(given[0], given[-1] if event != "shutil.rmtree" else -1))
        elif event == "os.rename":
            self._check(event, _place(given[0], given[2]))
            self._check(event, _place(given[1], given[3]))
        elif event in PROGRAMS:
            self.note(f"{event}: {str(given)[:200]}")
        elif event == "exec" and self.strange and isinstance(given[0], CodeType):
            self._check_code(given[0].co_filename)

    def _check_code(self, name: str) -> None:
        if os.path.isabs(name) and os.path.realpath(name).startswith(self.strange):
            self.note(f"{name} was run, and only to be read")

    def _check(self, event: str, path: str) -> None:
        if not path.startswith(self.folders) and not path.startswith("/dev/") and "__pycache__" not in path:
            self.note(f"{event} outside of the folder: {path}")


def _place(path: Any, folder: Any) -> str:
    """Where something is that is itself not followed; relative to an open folder, if there is one."""
    name = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else ""
    if isinstance(folder, int) and folder >= 0 and not os.path.isabs(name):
        name = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), name)
    name = os.path.abspath(name)
    return os.path.join(os.path.realpath(os.path.dirname(name)), os.path.basename(name))


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise TooLong


_watching: list[Watch] = []


def _hook(event: str, given: tuple[Any, ...]) -> None:
    for watch in _watching:
        watch.heard(event, given)


@lru_cache
def _listen() -> None:
    """Have the interpreter tell what it does; once, for there is no way to take that back."""
    sys.addaudithook(_hook)
