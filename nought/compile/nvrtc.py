"""CUDA's own compiler, as a library that comes with torch: C++ → code for one kind of GPU."""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path
from typing import Any

from nought.compile.driver import GpuFailed

LIBRARY = "libnvrtc.so"


def compiled(source: str, architecture: str) -> bytes:
    """A C++ source as code for GPUs of this architecture, such as sm_90a; raises GpuFailed with what is wrong."""
    library, program = _library(), ctypes.c_void_p()
    _check(library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"nought.cu", 0, None, None))
    try:
        options = [f"--gpu-architecture={architecture}".encode(), b"--std=c++17"]
        failed = library.nvrtcCompileProgram(
            program, len(options), (ctypes.c_char_p * len(options))(*options)
        )
        if failed:
            said = _taken(library, "ProgramLog", program).decode(errors="replace")
            raise GpuFailed(f"CUDA's compiler cannot compile: {(said.strip().splitlines() or ['?'])[0]}")
        return _taken(library, "CUBIN", program)
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def _taken(library: Any, what: str, program: ctypes.c_void_p) -> bytes:
    size = ctypes.c_size_t()
    _check(getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    taken = ctypes.create_string_buffer(size.value)
    _check(getattr(library, f"nvrtcGet{what}")(program, taken))
    return taken.raw


def _check(code: int) -> None:
    if code != 0:
        raise GpuFailed(f"CUDA's compiler failed with code {code}")


@functools.cache
def _library() -> Any:
    """The compiler of the CUDA that torch was built for; raises GpuFailed where there is none."""
    import torch

    if torch.version.cuda is None:
        raise GpuFailed("torch is here without CUDA, whose compiler comes with it")
    name = f"{LIBRARY}.{torch.version.cuda.partition('.')[0]}"
    packages = Path(torch.__file__).parents[1] / "nvidia"  # where pip puts what torch needs
    for place in (name, *map(str, sorted(packages.glob(f"*/lib/{name}")))):
        try:
            return ctypes.CDLL(place)
        except OSError:
            continue
    raise GpuFailed(f"there is no {name}, CUDA's compiler, on this machine")
