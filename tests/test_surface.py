"""What `import nought` offers, and that it costs nothing until it is used."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import nought

NAMES = [
    "Analysis",
    "Evaluator",
    "FromPlanes",
    "Game",
    "IterationReport",
    "Listener",
    "NoughtError",
    "Parameters",
    "Player",
    "Position",
    "Run",
    "Search",
    "SearchParameters",
    "SearchPlayer",
    "__version__",
    "agent",
    "analyse",
    "analyse_with",
    "choose_move",
    "learn",
    "load",
    "play_games",
    "preset",
]
LOADED = """
import json, sys
before = set(sys.modules)
import nought
dir(nought)
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def test_the_names_that_are_offered() -> None:
    assert nought.__all__ == NAMES
    assert set(NAMES) <= set(dir(nought))


@pytest.mark.parametrize("name", NAMES)
def test_each_is_there_and_says_what_it_is(name: str) -> None:
    assert getattr(nought, name).__doc__


def test_types_are_imported_from_where_the_values_are() -> None:
    tree = ast.parse(Path(nought.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imported = {
        node.module: tuple(alias.name for alias in node.names)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
    }
    assert imported == nought.HOMES
    assert sorted([*(name for names in nought.HOMES.values() for name in names), "__version__"]) == NAMES


def test_a_name_that_is_not_offered() -> None:
    with pytest.raises(AttributeError, match="module 'nought' has no attribute 'analyze'"):
        _ = nought.analyze


def test_importing_it_imports_nothing_heavy() -> None:
    answer = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    loaded = json.loads(answer.stdout)
    assert "nought" in loaded
    assert not {"numpy", "numba", "torch", "rich"} & set(loaded)
    assert [name for name in loaded if name.startswith("nought.")] == []
