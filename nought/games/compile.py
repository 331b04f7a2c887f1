"""Compiling a game: generated modules hold its rules and the code specialised to them.

Numba's disk cache does not notice an edit in another file and never hits for functions made at run time. So
the rules and the kernels are written as modules into the cache folder, named by a hash of all their text: an
unchanged game finds its compiled code again, and an edited one gets new modules.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from nought.games import contract
from nought.games.spec import Game

UNUSED_DAYS = 30  # generated modules not used for so long are deleted

# A function becomes a compiled one by rebinding its name, before any of them is first called. The rules keep
# exact arithmetic; the search may reorder its sums, but NaN keeps its meaning.
COMPILE_ALL = """
from types import FunctionType as _Function
from numba import njit as _njit
for _name, _value in list(globals().items()):
    if isinstance(_value, _Function) and _value.__module__ == __name__:
        globals()[_name] = _njit(_value, nogil=True, cache=True, error_model="numpy", fastmath={fastmath}, forceinline=_name in {inline})
"""
EXACT, REORDERED = "False", "{'contract', 'reassoc', 'nsz', 'arcp'}"


def cache_folder() -> Path:
    """Where generated and computed files are kept: $NOUGHT_CACHE, or the user's cache folder."""
    if "NOUGHT_CACHE" in os.environ:
        return Path(os.environ["NOUGHT_CACHE"]).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nought"


def compiled(game: Game, kernels: Sequence[Path] = (), inline: frozenset[str] = frozenset()) -> ModuleType:
    """The game's rules, or with kernel files these kernels on top of them, compiled (each function at its
    first call). A game whose rules cannot be compiled (OpenSpiel's) gets the same module, uncompiled.
    """
    if not game.compilable:
        return _plain(game, kernels)
    rules = _rules_text(game)
    parts = [_joined(Path(k).read_text(encoding="utf-8")) for k in kernels]
    digest = hashlib.sha256("\0".join([rules, *parts, *sorted(inline)]).encode()).hexdigest()[:16]
    name = f"nought_{re.sub('[^a-z0-9]+', '_', Path(game.name).name.lower())}_{digest}"
    if not kernels:
        return _module(name, rules)
    # The rules stand in a module of their own, so that names in a game's file never meet the kernels' names.
    _module(f"{name}_rules", rules)
    text = "\n\n".join(parts).replace("from nought.games.contract import", f"from {name}_rules import")
    return _module(name, text + COMPILE_ALL.format(fastmath=REORDERED, inline=sorted(inline)))


def _rules_text(game: Game) -> str:
    tree = ast.parse(Path(contract.__file__).read_text(encoding="utf-8"))
    defaults = [
        ast.unparse(node)
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and getattr(game.rules, node.name) is getattr(contract, node.name)
    ]
    return "\n\n".join([game.source, *defaults, COMPILE_ALL.format(fastmath=EXACT, inline=[])])


def _joined(source: str) -> str:
    """Kernel source ready to stand in one module with the other kernels: without its imports of them, and
    with a trace of the text of every other part of nought it imports, so that their edits are noticed too."""
    lines = source.splitlines()
    traces = []
    for node in ast.parse(source).body:
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        if re.match(r"nought\.\w+\.kernels", node.module):
            lines[node.lineno - 1 : node.end_lineno] = [""] * (
                (node.end_lineno or node.lineno) - node.lineno + 1
            )
        elif node.module.startswith("nought.") and node.module != contract.__name__:
            origin = importlib.util.find_spec(node.module)
            assert origin is not None and origin.origin is not None
            traces.append(f"# {node.module}: {hashlib.sha256(Path(origin.origin).read_bytes()).hexdigest()}")
    return "\n".join([*traces, *lines])


def _plain(game: Game, kernels: Sequence[Path]) -> ModuleType:
    if not kernels:
        return game.rules
    name = f"nought_plain_{hashlib.sha256(game.source.encode()).hexdigest()[:16]}"
    sys.modules[f"{name}_rules"] = game.rules
    text = "\n\n".join(_joined(Path(k).read_text(encoding="utf-8")) for k in kernels)
    module = ModuleType(name)
    exec(text.replace("from nought.games.contract import", f"from {name}_rules import"), module.__dict__)
    return module


def _module(name: str, text: str) -> ModuleType:
    """The module of this text, imported from the file that has its name."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, _write(name, text))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _write(name: str, text: str) -> Path:
    try:
        return _write_into(cache_folder() / "compiled", name, text)
    except OSError:  # a read-only home: compile again in each session rather than not at all
        return _write_into(Path(tempfile.gettempdir()) / f"nought-{os.getuid()}", name, text)


def _write_into(folder: Path, name: str, text: str) -> Path:
    path = folder / name / f"{name}.py"
    if path.exists():
        os.utime(path.parent)
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if old.is_dir() and old.stat().st_mtime < time.time() - UNUSED_DAYS * 86400:
            shutil.rmtree(old, ignore_errors=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)
    return path
