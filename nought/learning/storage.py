"""Arrays and tensors in files, and whether such a file is whole."""

from __future__ import annotations

import contextlib
import io
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from nought.files import write_whole


def write_arrays(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Write arrays by name into a file, whole or not at all."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    write_whole(path, buffer.getvalue())


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """All arrays of a file; ValueError if it is damaged."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return dict(arrays)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise ValueError(str(error)) from None


def positions_in(path: Path) -> int:
    """How many positions a file of samples holds; none if it is damaged."""
    with contextlib.suppress(ValueError, KeyError):
        return len(read_arrays(path)["outcome"])
    return 0


def zip_problem(path: Path, *, thorough: bool = False) -> str | None:
    """What is wrong with a file of arrays: its end says where they are; being thorough, read them all."""
    try:
        if zipfile.is_zipfile(path):
            read_arrays(path) if thorough else None
            return None
    except (OSError, ValueError):
        pass
    return _missing_or_damaged(path)


def tensors_problem(path: Path) -> str | None:
    """What is wrong with a file of tensors; its beginning says how long it is."""
    try:
        with safe_open(path, framework="np"):
            return None
    except (OSError, SafetensorError):
        return _missing_or_damaged(path)


def _missing_or_damaged(path: Path) -> str:
    return f"{path} is {'damaged' if path.exists() else 'missing'}"
