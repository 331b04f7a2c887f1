"""Reading and writing a run's files. They may be damaged, or a stranger's: nothing that is no plain file is opened, no
link is followed, sizes are known before anything is read, and every failure of reading is a `Damaged` that names the
file in one line."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import shutil
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open

from nought.errors import NoughtError
from nought.files import write_whole

MOST_TEXT = 1 << 20  #  bytes of a file of text; there are few hundred in one
MOST_LINES = 1 << 28  # bytes of a file with a line for each iteration or game
MOST_ARRAYS = 10_000  # of one file; there are about ten for each thread
NUMBER = re.compile(r"\d{1,9}", re.ASCII)  # by which files are called


T = TypeVar("T")


class Damaged(NoughtError):
    """A file of a run that cannot be read."""

    def __init__(self, path: Path, what: str, why: str = "") -> None:
        self.what = f"{path} is {what}"
        super().__init__(f"{self.what} ({why})" if why else self.what)


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn whatever fails in reading a file into a `Damaged` of that file."""
    try:
        yield
    except Damaged:
        raise
    except FileNotFoundError:
        raise Damaged(path, "missing") from None
    except PermissionError:
        raise Damaged(path, "not yours to read") from None
    except (
        Exception
    ) as error:  # JSON, ZIP, arrays and tensors each have their own, and they are not all documented
        raise Damaged(path, "damaged", _one_line(error)) from None


def check_inside(folder: Path, path: Path) -> Path:
    """The path of something in a folder, if no link leads there: what is elsewhere is nothing of a run's."""
    step = folder
    for part in path.relative_to(folder).parts:
        step = step / part
        if step.is_symlink():
            raise Damaged(
                step, "a link, and a run's files are in its own folder: put there what it points to"
            )
    return path


def check_plain(folder: Path) -> None:
    """An error if there is anything but files and folders somewhere in a folder."""
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place) / name
            check_inside(Path(place), path)
            kind = path.lstat().st_mode
            if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
                raise Damaged(path, "neither a file nor a folder: remove it")


def numbered(folder: Path, suffix: str = "") -> list[Path]:
    """What is called by a number in a folder, with this suffix, the smallest number first; links are not among it."""
    if not folder.is_dir():
        return []
    with reading(folder):
        found = [
            path
            for path in folder.iterdir()
            if path.suffix == suffix and NUMBER.fullmatch(path.stem) and not path.is_symlink()
        ]
    return sorted(found, key=lambda path: (int(path.stem), path.name))


def remove(path: Path) -> None:
    """Remove a file, or a folder with all that is in it."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


# ---- text ----------------------------------------------------------------------------------------------------
def read_text(path: Path) -> str:
    """The text of a file that is not too long, with the line ends of this program."""
    with reading(path):
        return io.TextIOWrapper(io.BytesIO(_read_bytes(path, MOST_TEXT)), encoding="utf-8").read()


def read_json(path: Path) -> Any:
    """What a JSON file holds."""
    with reading(path):
        return json.loads(_read_bytes(path, MOST_LINES))


def read_lines(path: Path, make: Callable[[Any], T]) -> tuple[list[T], list[str]]:
    """What is made of each line of a file of JSON lines, and what is wrong with the others; without a file, nothing."""
    found: list[T] = []
    wrong: list[str] = []
    if not os.path.lexists(path):
        return found, wrong
    for number, line in enumerate(_read_bytes(path, MOST_LINES).split(b"\n"), 1):
        if line.strip():
            try:
                with reading(path):
                    found.append(make(json.loads(line)))
            except Damaged:
                wrong.append(f"line {number} of {path} is damaged")
    return found, wrong


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    write_whole(path, text.encode())


def _read_bytes(path: Path, most: int) -> bytes:
    with reading(path), _opened(path) as file:
        if (size := os.fstat(file.fileno()).st_size) > most:
            raise ValueError(f"{size:,} bytes are too many")
        return file.read(most)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """A plain file, open to read; a link is not followed, and a pipe is not waited for."""
    if path.is_symlink():
        raise Damaged(path, "a link, and a run's files are in its own folder: put there what it points to")
    flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with open(path, "rb", opener=lambda name, mode: os.open(name, mode | flags)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("it is no file")
        yield file


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


# ---- arrays --------------------------------------------------------------------------------------------------
def write_arrays(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Write arrays by name into a file, whole or not at all."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    write_whole(path, buffer.getvalue())


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """All arrays of a file."""
    with reading(path), _opened(path) as file, zipfile.ZipFile(file) as archive:
        _check_sizes(archive, os.fstat(file.fileno()).st_size)
        file.seek(0)
        with np.load(file, allow_pickle=False) as arrays:
            return {name: np.asarray(arrays[name]) for name in arrays.files}


def positions_in(path: Path) -> int:
    """How many positions a file of samples holds; none if it is damaged."""
    with contextlib.suppress(Damaged, KeyError):
        return len(read_arrays(path)["outcome"])
    return 0


def _check_sizes(archive: zipfile.ZipFile, size: int) -> None:
    """No array is larger than what the file holds of it. Ours are not compressed: what is might be a bomb."""
    members = archive.infolist()
    if len(members) > MOST_ARRAYS:
        raise ValueError(f"{len(members):,} arrays are too many")
    if any(member.compress_type != zipfile.ZIP_STORED for member in members):
        raise ValueError("it is compressed, which nought's files are not")
    if sum(member.file_size for member in members) > size:
        raise ValueError("it claims to hold more than it has bytes")
    for member in members:
        with archive.open(member) as file:
            version = np.lib.format.read_magic(file)
            read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
            shape, _, kind = read[version](file)
            empty = not kind.itemsize or max(shape, default=0) > size  # of which any number would fit
            if kind.hasobject or empty or math.prod(shape) * kind.itemsize != member.file_size - file.tell():
                raise ValueError(f"{member.filename} is not as long as it says")


def zip_problem(path: Path) -> str | None:
    """What is wrong with a file of arrays at a glance: its end says where they are."""
    try:
        with reading(path), _opened(path) as file, zipfile.ZipFile(file):
            return None
    except Damaged as damaged:
        return damaged.what


def tensors_problem(path: Path) -> str | None:
    """What is wrong with a file of tensors at a glance; its beginning says how long it is."""
    try:
        with reading(path), _opened(path), safe_open(path, framework="np"):
            return None
    except Damaged as damaged:
        return damaged.what
