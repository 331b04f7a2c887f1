"""One word for one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import nought

PACKAGE = Path(nought.__file__).parent


def test_no_two_classes_have_the_same_name() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(path.relative_to(PACKAGE)))
    assert len(homes) > 100
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}
