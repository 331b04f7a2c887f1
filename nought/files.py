"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

TEMPORARY = ".tmp-"  # what a file's name begins with until it is whole


def write_whole(path: Path, content: bytes, *, mode: int = 0o666) -> None:
    """Write to a temporary file, flush, rename: a crash leaves the old file or the new one, never a part.

    `mode` says who may read and write it, less what the umask takes away.
    """
    temporary = path.with_name(f"{TEMPORARY}{os.getpid()}-{secrets.token_hex(8)}")
    try:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    flush_folder(path.parent)


def flush_folder(path: Path) -> None:
    """Have a folder's names on the disk, where the system can: not every one opens folders."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
