"""CUDA's own functions, for what torch does not offer: graphs that compiled code launches."""

from __future__ import annotations

import ctypes
import weakref

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


class CudaRuntime:
    """The functions of CUDA that torch has loaded, to be called without torch."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(f"libcudart.so.{str(torch.version.cuda).split('.')[0]}")
        names = ("cudaGraphLaunch", "cudaEventRecord", "cudaEventSynchronize")
        self.functions = [getattr(self.library, name) for name in names]
        for function in self.functions:
            function.argtypes = [ctypes.c_void_p] * (1 if function is self.functions[-1] else 2)
        self.addresses = [ctypes.cast(f, ctypes.c_void_p).value for f in self.functions]

    def evaluate(self, graph: np.uint64, queue: NDArray[np.uint64]) -> None:
        """Launch a graph and sleep until it is done."""
        launch, record, wait = self.functions
        stream, event = int(queue[0]), int(queue[1])
        self.check(launch(int(graph), stream) or record(event, stream) or wait(event))

    def executable(self, graph: torch.cuda.CUDAGraph) -> int:
        """What can be launched of a captured graph; it lives as long as the graph."""
        found = ctypes.c_void_p()
        instantiate = self.library.cudaGraphInstantiate
        instantiate.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulonglong]
        self.check(instantiate(ctypes.byref(found), graph.raw_cuda_graph(), 0))
        weakref.finalize(graph, self.library.cudaGraphExecDestroy, found)
        assert found.value is not None
        return found.value

    def copy(self, source: Tensor, target: Tensor, stream: torch.cuda.Stream) -> None:
        """All of `source` to the beginning of `target`, in this stream; both are contiguous."""
        copy = self.library.cudaMemcpyAsync
        copy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
        size, either_way = source.numel() * source.element_size(), 4
        self.check(copy(target.data_ptr(), source.data_ptr(), size, either_way, stream.cuda_stream))

    def check(self, code: int) -> None:
        if code != 0:
            raise RuntimeError(f"CUDA failed with code {code}")
