"""Files that a verb is to write: better refused before the work than after it."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from nought.errors import NoughtError
from nought.files import TEMPORARY


def require_writable(path: Path, *, new: bool = False) -> None:
    """An error where a file cannot be written here, whole, when the work is done; `new`: or where one is already."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        found = None
    except OSError as error:
        raise NoughtError(f"{path} cannot be written: {error.strerror}") from None
    if found is not None:
        if stat.S_ISDIR(found.st_mode):
            raise NoughtError(f"{path} is a folder: name a file in it")
        if not stat.S_ISREG(found.st_mode):
            raise NoughtError(f"{path} is not a file that could be written anew")
        if new:
            raise NoughtError(f"{path} is there already: choose another name")
    _require_room(path)


def _require_room(path: Path) -> None:
    """Try to make a file in the same folder, and remove it again."""
    if not path.parent.is_dir():
        raise NoughtError(f"{path} cannot be written: there is no folder {path.parent}")
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=TEMPORARY):
            pass
    except OSError as error:
        raise NoughtError(f"{path} cannot be written: {error.strerror}") from None
