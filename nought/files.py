"""Files that are there whole or not at all, and the user's folders that they go to."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

TEMPORARY = ".tmp-"  # what a file's name begins with until it is whole


def cache_folder() -> Path:
    """Where files are kept that can be made again: $NOUGHT_CACHE, or `nought` in the user's cache folder."""
    return _user_folder("NOUGHT_CACHE", "LOCALAPPDATA", "XDG_CACHE_HOME", ".cache")


def config_folder() -> Path:
    """Where a person's settings are kept: $NOUGHT_CONFIG, or `nought` in the user's configuration folder."""
    return _user_folder("NOUGHT_CONFIG", "APPDATA", "XDG_CONFIG_HOME", ".config")


def data_folder() -> Path:
    """Where the server keeps what people did: `nought` in the user's data folder."""
    return _user_folder("", "LOCALAPPDATA", "XDG_DATA_HOME", ".local/share")


def _user_folder(own: str, windows: str, xdg: str, custom: str) -> Path:
    """The folder that nought's own variable names, or the one that is the system's custom."""
    if own in os.environ:
        return Path(os.environ[own]).expanduser()
    if os.name == "nt" and windows in os.environ:
        return Path(os.environ[windows]) / "nought"
    return Path(os.environ.get(xdg) or Path.home() / custom) / "nought"


def write_whole(path: Path, content: bytes, *, mode: int = 0o666) -> None:
    """Write to a temporary file, flush, rename: a crash leaves the old file or the new one, never a part.

    `mode` says who may read and write it, less what the umask takes away.
    """
    with (
        replacing(path) as temporary,
        open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file,
    ):
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextlib.contextmanager
def replacing(path: Path, suffix: str = "") -> Iterator[Path]:
    """The path of a temporary file, which gets this name when it is written, and is removed where that fails."""
    temporary = path.with_name(f"{TEMPORARY}{os.getpid()}-{secrets.token_hex(8)}{suffix}")
    try:
        yield temporary
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
