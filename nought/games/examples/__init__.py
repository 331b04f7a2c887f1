"""Games to read, to play and to start from: `nought new mygame.py --like gomoku`."""

from __future__ import annotations

from pathlib import Path

from nought.errors import NoughtError

FOLDER = Path(__file__).parent
TEMPLATE = "_new.py"  # what `nought new` writes: a comment for everything


def examples() -> list[str]:
    """The names of the examples."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))


def example_path(name: str) -> Path:
    """The file of an example."""
    if name not in examples():
        raise NoughtError(f"there is no example called {name!r}; there are {', '.join(examples())}")
    return FOLDER / f"{name}.py"
