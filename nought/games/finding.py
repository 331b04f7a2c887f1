"""Games in a folder, found by reading: a file that defines what the contract asks for is a game. Nothing is run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from nought.games.game import FACTS, RULES

LARGEST = 200_000  # bytes of a file that is looked at
RESEMBLES = re.compile(rb"^def legal_moves\(", re.MULTILINE)  # without which it is no attempt at a game


class FoundFile(NamedTuple):
    """A file that is a game, or nearly one."""

    path: Path
    problem: str = ""  # why it is no game; empty where it is one


def find_games(folder: Path) -> list[FoundFile]:
    """The game files of a folder, not of those within it, by name."""
    return sorted(_found(folder), key=lambda found: found.path.name)


def _found(folder: Path) -> Iterator[FoundFile]:
    for path in folder.glob("*.py"):
        try:
            if path.name.startswith(("_", ".")) or not path.is_file() or path.stat().st_size > LARGEST:
                continue
            text = path.read_bytes()
        except OSError:  # it cannot be read, and is nobody's game here
            continue
        if RESEMBLES.search(text):
            yield FoundFile(path, _problem(text))


def _problem(text: bytes) -> str:
    try:
        defined = set(_defined(ast.parse(text)))
    except (SyntaxError, ValueError) as error:
        return f"line {getattr(error, 'lineno', '?')} is not Python: {getattr(error, 'msg', error)}"
    missing = [name for name in (*FACTS, *RULES) if name not in defined]
    return f"it does not define {', '.join(missing)}" if missing else ""


def _defined(module: ast.Module) -> Iterator[str]:
    """The names that a file gives to functions and values."""
    for statement in module.body:
        if isinstance(statement, ast.FunctionDef):
            yield statement.name
        for part in ast.walk(statement) if isinstance(statement, ast.Assign | ast.AnnAssign) else ():
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id
