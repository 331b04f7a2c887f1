"""The GPU's driver, as far as it is needed to run PTX: modules, functions, launches."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from nought.errors import NoughtError

# Threads of different games have little to share but their turn: few in a block wait less for each other. With fewer
# registers than the search would like, more of them have room beside the network. Measured on an H200; neither matters much.
THREADS = 16  #    in a block
REGISTERS = 64  # of a thread at most
LOG_SIZE = 8192
SHARED_MEMORY = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
MAX_REGISTERS, ERROR_LOG, ERROR_LOG_SIZE = (
    0,
    5,
    6,
)  # CU_JIT_MAX_REGISTERS, CU_JIT_ERROR_LOG_BUFFER, …_SIZE_BYTES


class GpuFailed(NoughtError):
    """The GPU's driver refused something."""


@functools.cache
def _driver() -> Any:
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise GpuFailed("there is no driver of an NVIDIA GPU on this machine") from None


def _check(code: int, what: str) -> None:
    if code != 0:
        raise GpuFailed(f"the GPU's driver cannot {what}: code {code}")


class CudaModule:
    """PTX, or code for this very kind of GPU, loaded into the GPU that torch uses in this thread; `shared` are functions that
    need so many bytes of shared memory, more than others get."""

    def __init__(self, code: bytes, shared: Mapping[str, int] = MappingProxyType({})) -> None:
        driver, self.module, self.context = _driver(), ctypes.c_void_p(), ctypes.c_void_p()
        _check(driver.cuCtxGetCurrent(ctypes.byref(self.context)), "say where it works")
        log = ctypes.create_string_buffer(LOG_SIZE)
        given = {MAX_REGISTERS: REGISTERS, ERROR_LOG: ctypes.addressof(log), ERROR_LOG_SIZE: LOG_SIZE}
        options, values = (ctypes.c_int * len(given))(*given), (ctypes.c_void_p * len(given))(*given.values())
        loaded = ctypes.byref(self.module)
        failed = driver.cuModuleLoadDataEx(loaded, code + b"\0", len(given), options, values)
        if failed:
            said = log.value.decode(errors="replace").strip().splitlines() or [f"code {failed}"]
            raise GpuFailed(f"the GPU's driver cannot load a module: {said[0]}")
        self.functions: dict[str, ctypes.c_void_p] = {}
        for name, size in shared.items():
            _check(
                driver.cuFuncSetAttribute(self._function(name), SHARED_MEMORY, size),
                f"give {name} its memory",
            )

    def _function(self, name: str) -> ctypes.c_void_p:
        if name not in self.functions:
            found = ctypes.c_void_p()
            code = _driver().cuModuleGetFunction(ctypes.byref(found), self.module, name.encode())
            _check(code, f"find {name}")
            self.functions[name] = found
        return self.functions[name]

    def launch(
        self, name: str, stream: int, parts: int, memory: int, words: int, room: int, floats: int, note: int
    ) -> None:
        """Run an entry in as many threads as there are parts, in this stream: see CUDA_KERNEL in text.py."""
        self.run(name, stream, -(parts // -THREADS), THREADS, 0, memory, words, room, floats, parts, note)

    def run(self, name: str, stream: int, blocks: int, threads: int, shared: int, *given: int) -> None:
        """Run a function in so many blocks of threads, each with so many bytes of shared memory."""
        # the thread may be one that has not used the GPU yet, such as those in which torch finds gradients
        _check(_driver().cuCtxSetCurrent(self.context), "work in this thread")
        arguments = [ctypes.c_uint64(n) for n in given]
        pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(a) for a in arguments])
        code = _driver().cuLaunchKernel(
            self._function(name), blocks, 1, 1, threads, 1, 1, shared, ctypes.c_void_p(stream), pointers, None
        )
        _check(code, f"launch {name}")
