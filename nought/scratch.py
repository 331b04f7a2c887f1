"""Folders for as long as a process needs them. One that is killed leaves its own behind; the next of the same kind removes it."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
import time
from pathlib import Path
from types import TracebackType

from filelock import FileLock, Timeout

LOCK = "in-use"
NEW = 60.0  # seconds in which a folder may not be locked yet


class ScratchFolder:
    """A new folder among the system's temporary ones, or in another `parent`, until it is closed."""

    def __init__(self, kind: str, parent: Path | None = None) -> None:
        parent = parent or Path(tempfile.gettempdir())
        _remove_left(kind, parent)
        self.path = Path(tempfile.mkdtemp(prefix=_prefix(kind), dir=parent))
        self._lock = FileLock(self.path / LOCK, thread_local=False)  # the system ends it with the process
        self._lock.acquire()

    def close(self) -> None:
        """Remove it."""
        self._lock.release()
        shutil.rmtree(self.path, ignore_errors=True)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _prefix(kind: str) -> str:
    return f"nought-{kind}-"


def _remove_left(kind: str, parent: Path) -> None:
    """Remove folders of this user that nobody uses any more."""
    for folder in parent.glob(f"{_prefix(kind)}*"):
        with contextlib.suppress(OSError, Timeout):
            if _old_and_ours(folder):
                with FileLock(folder / LOCK, timeout=0):
                    pass
                shutil.rmtree(folder, ignore_errors=True)


def _old_and_ours(folder: Path) -> bool:
    found = folder.lstat()
    ours = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    lock = (folder / LOCK).lstat()  # no folder of ours, where there is none
    return ours and stat.S_ISDIR(found.st_mode) and time.time() - lock.st_mtime > NEW
