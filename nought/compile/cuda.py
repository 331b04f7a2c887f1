"""Rules and kernels as code for an NVIDIA GPU: PTX, which the GPU's driver turns into its own.

Numba compiles the same generated modules as for this processor, in a process of its own (it decides once, when it starts,
for which processor), and LLVM makes PTX of its text: see text.py for what is done to it. The GPU's own compiler is not
needed, and no CUDA but the driver. PTX is kept beside the generated modules.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import llvmlite
import numba

from nought.compile import text
from nought.compile.cpu import Kernels, written_for_text
from nought.errors import NoughtError
from nought.files import write_whole
from nought.games.game import Game

PROCESSOR = "sm_70"  # the oldest GPU with fast half precision; later ones run its code, too
FEATURES = "+ptx64"
TRIPLE = "nvptx64-nvidia-cuda"
SECONDS = 600.0  # to compile a game in


class NotForGpu(NoughtError):
    """A game's rules cannot be compiled for a GPU."""


def ptx(game: Game, kernels: Kernels) -> str:
    """The functions `kernels.device` on top of a game's rules, as one module of PTX with an entry for each."""
    if not game.compilable:
        raise NotForGpu(f"the rules of {game.name} are not compiled")
    name, rules, module = written_for_text(game, kernels, _trace())
    kept = module.with_suffix(".ptx")
    if kept.exists():
        return kept.read_text(encoding="utf-8")
    code = _compiled_apart(game, [name, str(rules), str(module), *kernels.device])
    with contextlib.suppress(OSError):  # a read-only home: compile again in each session
        write_whole(kept, code.encode())
    return code


def _trace() -> str:
    """What the PTX of a module depends on, besides its text."""
    files = (text.__file__, __file__, Path(__file__).with_name("apart.py"))
    digest = hashlib.sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()
    return f"for a GPU, by numba {numba.__version__}, llvmlite {llvmlite.__version__}, {digest}"


def _compiled_apart(game: Game, arguments: list[str]) -> str:
    """What the other process writes; its last line of complaint is why it could not."""
    command = [sys.executable, "-m", "nought.compile.apart", *arguments]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as out,
        tempfile.TemporaryFile("w+", encoding="utf-8") as err,
    ):
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
        code, complaint = out.read(), err.read()
    if failed:
        lines = [line.strip() for line in complaint.splitlines() if line.strip()]
        raise NotForGpu(
            f"the rules of {game.name} do not compile for a GPU: {(lines or ['no reason was given'])[-1]}"
        )
    return code


def _environment() -> dict[str, str]:
    """Numba's settings for text that suits any machine: no instructions of one processor, no vectors, and little
    optimised, because LLVM does that for the GPU afterwards."""
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
