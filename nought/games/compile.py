"""Compiling a game: one generated module holds its rules and the code specialised to them.

Numba's disk cache does not notice an edit in another file and never hits for functions made at run time. So
the rules and the kernels are written together into one module in the cache folder, named by a hash of its
text: an unchanged game finds its compiled code again, and an edited one gets a new module.
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
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from nought.games import contract
from nought.games.spec import OPTIONAL_RULES, Game

UNUSED_DAYS = 30  # generated modules not used for so long are deleted

# Rules and kernels become compiled functions by rebinding their names, before any of them is first called.
COMPILE_ALL = """
for _name, _value in list(globals().items()):
    if isinstance(_value, _FunctionType) and _value.__module__ == __name__:
        globals()[_name] = _njit(_value, nogil=True, cache=True, error_model="numpy", fastmath={fastmath})
"""


def cache_folder() -> Path:
    """Where generated and computed files are kept: $NOUGHT_CACHE, or the user's cache folder."""
    if "NOUGHT_CACHE" in os.environ:
        return Path(os.environ["NOUGHT_CACHE"]).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nought"


def compiled(game: Game, kernels: Iterable[Path] = ()) -> ModuleType:
    """A module with the game's rules and these kernel files, compiled (each function at its first call).

    A game whose rules cannot be compiled (OpenSpiel's) gets the same module, uncompiled.
    """
    if not game.compilable:
        return _plain_module(game, kernels)
    text = _module_text(game, kernels)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    name = f"nought_{re.sub('[^a-z0-9]+', '_', Path(game.name).name.lower())}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    path = _write(name, text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _module_text(game: Game, kernels: Iterable[Path]) -> str:
    rules = "\n\n".join(
        [
            "from types import FunctionType as _FunctionType\n\nfrom numba import njit as _njit",
            game.source,
            *(_contract_default(f) for f in OPTIONAL_RULES if getattr(game.rules, f) is getattr(contract, f)),
            COMPILE_ALL.format(fastmath=False),
        ]
    )
    parts = [_without_contract(Path(k).read_text(encoding="utf-8")) for k in kernels]
    # fast mathematics for the search, but never for the rules, and NaN keeps its meaning
    search = [*parts, COMPILE_ALL.format(fastmath="{'contract', 'reassoc', 'nsz', 'arcp'}")] if parts else []
    return "\n\n".join([rules, *search])


def _contract_default(function: str) -> str:
    tree = ast.parse(Path(contract.__file__).read_text(encoding="utf-8"))
    return next(ast.unparse(n) for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == function)


def _without_contract(source: str) -> str:
    """Kernel source without its imports of the contract and of other kernels: both stand in the same module."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and re.match(r"nought\.games\.contract|nought\.\w+\.kernels", node.module or ""):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
    return "\n".join(line for line in lines if not line.startswith("from __future__"))


def _plain_module(game: Game, kernels: Iterable[Path]) -> ModuleType:
    module = ModuleType(f"nought_plain_{hashlib.sha256(game.name.encode()).hexdigest()[:16]}")
    module.__dict__.update(vars(game.rules))
    for kernel in kernels:
        code = compile(_without_contract(Path(kernel).read_text(encoding="utf-8")), str(kernel), "exec")
        exec(code, module.__dict__)
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
