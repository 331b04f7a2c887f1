"""A run's folder on another machine: sent there, and what has changed is brought back while it learns.

What is brought back is written so that the folder is a whole run at every moment, whatever ends meanwhile: the state last.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from nought.errors import NoughtError
from nought.files import TEMPORARY, flush_folder, write_whole
from nought.learning.run import GAMES, LOCK, SAMPLES, STATE, VERSIONS

KEPT_IN = (VERSIONS[0], SAMPLES[0], GAMES[0], STATE)  # folders of a run whose files come and go
TRIES = 5  # to read a folder that changes meanwhile

Marks = dict[
    str, tuple[int, int]
]  # of files, by which they are known to be the same: size, and time of the last change


@dataclass(frozen=True)
class Changes:
    """What has happened in a run's folder."""

    files: dict[str, bytes] = field(
        default_factory=dict
    )  # that are new or others, by their place in the folder
    there: frozenset[str] = frozenset()  #                   all files


def whole(folder: Path) -> dict[str, bytes]:
    """All files of a run."""
    return changes(folder, {})[0].files


def changes(folder: Path, before: Marks) -> tuple[Changes, Marks]:
    """What has happened since a folder had these marks, and its marks now. A process may be working on the run."""
    for _ in range(TRIES):
        states = sorted(path.name for path in (folder / STATE).iterdir() if path.name.isdigit())
        try:
            marks = {name: _mark(folder / name) for name in _names(folder, states)}
            files = {name: (folder / name).read_bytes() for name in marks if before.get(name) != marks[name]}
        except FileNotFoundError:
            continue
        if not states or (folder / STATE / states[-1]).is_dir():  # the newest that was seen is still whole
            return Changes(files, frozenset(marks)), marks
    return Changes({}, frozenset(before)), before


def _names(folder: Path, states: list[str]) -> Iterator[str]:
    """The files of a run up to these states: states first, for what they need was written before them."""
    for state in states:
        yield from (f"{STATE}/{state}/{path.name}" for path in (folder / STATE / state).iterdir())
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        parts = PurePosixPath(name).parts
        if path.is_file() and parts[0] != STATE and name != LOCK and not path.name.startswith(TEMPORARY):
            yield name


def _mark(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def apply(folder: Path, changed: Changes) -> None:
    """Let the same happen in another folder."""
    for part in KEPT_IN:
        (folder / part).mkdir(parents=True, exist_ok=True)
    states: dict[str, dict[str, bytes]] = {}
    for name, content in changed.files.items():
        parts = PurePosixPath(name).parts
        if ".." in parts or name.startswith("/"):
            raise NoughtError(f"{name} is no file of a run")
        if parts[0] == STATE and len(parts) == 3:
            states.setdefault(parts[1], {})[parts[2]] = content
        else:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
    for number in sorted(states):
        _place(folder / STATE, number, states[number])
    _remove(folder, changed.there)


def _place(states: Path, number: str, files: dict[str, bytes]) -> None:
    """A state counts from the moment its folder has its name."""
    new = Path(tempfile.mkdtemp(dir=states, prefix=TEMPORARY))
    for name, content in files.items():
        write_whole(new / name, content)
    if (states / number).exists():
        shutil.rmtree(states / number)
    os.rename(new, states / number)
    flush_folder(states)


def _remove(folder: Path, there: frozenset[str]) -> None:
    """Remove what is no longer there, of what comes and goes."""
    for part in KEPT_IN:
        for path in list((folder / part).rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and name not in there and not path.name.startswith(TEMPORARY):
                path.unlink()
    for state in (folder / STATE).iterdir():
        if state.is_dir() and not any(state.iterdir()):
            state.rmdir()
