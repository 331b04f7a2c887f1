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
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import numpy as np

from nought.files import cache_folder, write_whole
from nought.games import contract
from nought.games.game import FOR_PEOPLE, Game

UNUSED_DAYS = 30  # generated modules not used for so long are deleted
_importing = threading.RLock()  # no thread is given a module that another one is still importing

# A function becomes a compiled one by rebinding its name, before any of them is first called. Only functions
# called from Python get a way in from there and a place in the disk cache: the others live inside them.
COMPILE_ALL = """
from types import FunctionType as _Function
from numba import njit as _njit
_called, _inlined = {called}, {inlined}
_missing = {{*(_called or ()), *_inlined}} - globals().keys()
assert not _missing, f"there is no function {{', '.join(sorted(_missing))}} to compile"
for _name, _value in list(globals().items()):
    if isinstance(_value, _Function) and _value.__module__ == __name__:
        _from_python = _called is None or _name in _called
        globals()[_name] = _njit(
            _value, nogil=True, error_model="numpy", forceinline=_name in _inlined,
            cache=_from_python and {cached}, no_cpython_wrapper=not _from_python, no_cfunc_wrapper=True, boundscheck={checked},
        )
"""
# Arithmetic is done in the order in which it is written, with nothing fused: so the same search makes the same numbers
# on every machine. Reordering (Numba's fastmath) gained nothing that could be told from noise with PUCT.
COMPILE_RULES, COMPILE_CHECKED = (
    COMPILE_ALL.format(called=None, inlined=(), checked=checked, cached=True) for checked in (False, True)
)
# Only text that was just compiled can be looked at; what is found in the cache has none.
COMPILE_FOR_TEXT = COMPILE_ALL.format(called=(), inlined=(), checked=False, cached=False)


@dataclass(frozen=True)
class Kernels:
    """Source files to be compiled together on top of a game's rules."""

    files: tuple[Path, ...]
    called: tuple[str, ...]  #      functions that Python calls
    inlined: tuple[str, ...]  #     functions compiled in place wherever they are used
    device: tuple[str, ...] = ()  # functions that a GPU calls, each with (words, room, number of the thread)
    browser: tuple[
        str, ...
    ] = ()  # those that a browser calls, each with (words, room, number); it answers a number

    @property
    def epilogue(self) -> str:
        return self._compiling((*self.called, *self.device), cached=True)

    def epilogue_for_text(self, entries: tuple[str, ...]) -> str:
        """What compiles only these functions, and what they need."""
        return self._compiling(entries, cached=False)

    def _compiling(self, called: tuple[str, ...], *, cached: bool) -> str:
        return COMPILE_ALL.format(called=called, inlined=self.inlined, checked=False, cached=cached)


def compiled(game: Game, kernels: Kernels | None = None, *, checked: bool = False) -> ModuleType:
    """The game's rules, or these kernels on top of them, compiled (each function at its first call). A game whose
    rules cannot be compiled (OpenSpiel's) gets the same module, uncompiled. In `checked` rules a wrong index is an
    IndexError; otherwise it reads or writes memory that is not the rules' own.
    """
    if not game.compilable:
        return _plain(game, kernels)
    rules = _rules_text(game, COMPILE_CHECKED if checked else COMPILE_RULES)
    text = "" if kernels is None else _joined(kernels, kernels.epilogue)
    name = _name(rules, text)
    # The rules stand in a module of their own, so that names in a game's file never meet the kernels' names.
    module = _module(f"{name}_rules", rules)
    return module if kernels is None else _module(name, _on_top_of(f"{name}_rules", text))


def written_for_text(
    game: Game, kernels: Kernels, entries: tuple[str, ...], trace: str
) -> tuple[str, Path, Path]:
    """Modules to be compiled for another machine by a process of its own: their name, and the files of the rules and of
    the kernels. An edit of anything that leaves its trace gives new ones."""
    rules = _rules_text(game, COMPILE_FOR_TEXT)
    text = f"# {trace}\n{_joined(kernels, kernels.epilogue_for_text(entries))}"
    name = _name(rules, text)
    on_top = _on_top_of(f"{name}_rules", text)
    return name, _write(f"{name}_rules", rules), _write(name, on_top)


def _name(rules: str, text: str) -> str:
    """Nothing but the text counts: a game whose file was renamed or copied is compiled already."""
    digest = hashlib.sha256(f"{rules}\0{text}".encode()).hexdigest()
    return f"nought_{digest[:16]}"


def _rules_text(game: Game, epilogue: str) -> str:
    tree = ast.parse(Path(contract.__file__).read_text(encoding="utf-8"))
    defaults = [
        ast.unparse(node)
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and getattr(game.rules, node.name) is getattr(contract, node.name)
    ]
    return "\n\n".join([_without_drawing(game.source), *defaults, epilogue])


@lru_cache(maxsize=256)
def _without_drawing(source: str) -> str:
    """A game's file without the functions that are for people: another picture is no reason to compile again."""
    lines = source.split("\n")
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name in FOR_PEOPLE:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            end = node.end_lineno or node.lineno
            lines[first - 1 : end] = [""] * (end - first + 1)  # the others keep their lines, for messages
    return "\n".join(lines)


def _joined(kernels: Kernels, epilogue: str) -> str:
    """The kernel files as one text: without their imports of each other, and with a trace of the text of every
    other part of nought they import, so that an edit there is noticed too."""
    parts: list[str] = []
    for file in kernels.files:
        text, imported = _kernel_file(file, file.stat().st_mtime_ns)
        for module in imported:
            origin = importlib.util.find_spec(module)
            assert origin is not None and origin.origin is not None
            parts.append(f"# {module}: {hashlib.sha256(Path(origin.origin).read_bytes()).hexdigest()}")
        parts.append(text)
    return "\n".join([*parts, epilogue])


@lru_cache(maxsize=256)
def _kernel_file(file: Path, _edited: int) -> tuple[str, list[str]]:
    """A kernel file's text without its imports of other kernels, and the other parts of nought that it imports.
    Remembered until it is edited: parsing takes longer than a short search."""
    source = file.read_text(encoding="utf-8")
    lines, imported = source.splitlines(), []
    for node in ast.parse(source).body:
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        if re.match(r"nought\.\w+\.kernels", node.module):
            end = node.end_lineno or node.lineno
            lines[node.lineno - 1 : end] = [""] * (end - node.lineno + 1)
        elif node.module.startswith("nought.") and node.module != contract.__name__:
            imported.append(node.module)
    return "\n".join(lines), imported


def _on_top_of(rules: str, text: str) -> str:
    return text.replace(f"from {contract.__name__} import", f"from {rules} import")


def _plain(game: Game, kernels: Kernels | None) -> ModuleType:
    if kernels is None:
        return game.rules
    name = f"nought_plain_{hashlib.sha256(game.source.encode()).hexdigest()[:16]}"
    sys.modules[f"{name}_rules"] = game.rules
    module = ModuleType(name)
    exec(_on_top_of(f"{name}_rules", _joined(kernels, "")), module.__dict__)
    for function in kernels.called:  # numbers overflow as silently as they do when compiled
        setattr(module, function, np.errstate(all="ignore")(getattr(module, function)))
    return module


def _module(name: str, text: str) -> ModuleType:
    """The module of this text, imported from the file that has its name."""
    with _importing:
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
        return _write_into(Path(_session_folder().name), name, text)


@lru_cache(maxsize=1)
def _session_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder that only this user can write to, and that is gone when the program ends."""
    return tempfile.TemporaryDirectory(prefix="nought-")


def _write_into(folder: Path, name: str, text: str) -> Path:
    path = folder / name / f"{name}.py"
    if path.exists():
        os.utime(path.parent)
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if old.is_dir() and old.stat().st_mtime < time.time() - UNUSED_DAYS * 86400:
            shutil.rmtree(old, ignore_errors=True)
    write_whole(path, text.encode())
    return path
