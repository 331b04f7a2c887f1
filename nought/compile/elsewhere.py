"""Code for another machine than this processor.

Numba decides once, when it starts, for which processor it writes text. So the same generated modules as for this processor
are compiled in a process of their own (apart.py), little optimised, and LLVM makes the other machine's code of the text.
The code is kept beside the generated modules.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import llvmlite
import numba

from nought.compile.cpu import Kernels, written_for_text
from nought.errors import NoughtError
from nought.files import write_whole
from nought.games.game import Game

SECONDS = 600.0  # to compile a game in
FOLDER = Path(__file__).parent


class OtherMachine(NamedTuple):
    """A machine that code can be made for."""

    kind: str  #                        the ending of its files, and apart.py's word for it
    name: str  #                        as people call it
    files: tuple[str, ...]  #           of this folder: where an edit changes its code
    error: type[NoughtError]  #         what is raised where rules cannot be compiled for it


def code_for(machine: OtherMachine, game: Game, kernels: Kernels, entries: tuple[str, ...]) -> bytes:
    """These functions of the kernels, on top of a game's rules, as code for another machine."""
    if not game.compilable:
        raise machine.error(f"the rules of {game.name} are not compiled")
    name, rules, module = written_for_text(game, kernels, entries, _trace(machine))
    kept = module.with_suffix(f".{machine.kind}")
    if kept.exists():
        return kept.read_bytes()
    code = compiled_apart(machine, game, [machine.kind, name, str(rules), str(module), *entries])
    with contextlib.suppress(OSError):  # a read-only home: compile again in each session
        write_whole(kept, code)
    return code


def _trace(machine: OtherMachine) -> str:
    """What the code of a module depends on, besides its text."""
    files = ("text.py", "apart.py", "elsewhere.py", *machine.files)
    digest = hashlib.sha256(b"".join((FOLDER / file).read_bytes() for file in files)).hexdigest()
    return f"for {machine.name}, by numba {numba.__version__}, llvmlite {llvmlite.__version__}, {digest}"


def compiled_apart(machine: OtherMachine, game: Game, arguments: list[str]) -> bytes:
    """What the other process writes; its last line of complaint is why it could not."""
    command = [sys.executable, "-m", "nought.compile.apart", *arguments]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,  # which ends when this process does
            stdout=out,
            stderr=err,
            env=_environment(),
        )
        try:
            failed = process.wait(SECONDS) != 0
        finally:
            process.kill()
            process.wait()
        out.seek(0)
        err.seek(0)
        code, complaint = out.read(), err.read().decode(errors="replace")
    if failed:
        lines = [line.strip() for line in complaint.splitlines() if line.strip()]
        why = (lines or ["no reason was given"])[-1]
        raise machine.error(f"the rules of {game.name} do not compile for {machine.name}: {why}")
    return code


def _environment() -> dict[str, str]:
    """Numba's settings for text that suits any machine: no instructions of one processor, no vectors, and little
    optimised, because LLVM does that for the other machine afterwards."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING": "1",
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_OPT": "1",
        "NUMBA_LOOP_VECTORIZE": "0",
        "NUMBA_SLP_VECTORIZE": "0",
    }
