"""A step of learning as one launch on a CUDA GPU."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

WARM_UP = 3  # steps before the one that is captured: by then everything they need has been made


class Captured:
    """A function of tensors, captured as a graph: its hundreds of small operations take longer to launch one by one
    than to run. It must always be given tensors of the same shapes, and its answer is overwritten by the next one.
    """

    def __init__(self, function: Callable[[tuple[Tensor, ...]], Tensor]) -> None:
        self.function = function
        self.stream = torch.cuda.Stream()
        self.inputs: tuple[Tensor, ...] | None = None  # where the graph finds its tensors
        self.graph: torch.cuda.CUDAGraph | None = None
        self.answer: Tensor | None = None
        self.calls = 0

    def __call__(self, tensors: tuple[Tensor, ...]) -> Tensor:
        if self.inputs is None:
            self.inputs = tuple(torch.empty_like(tensor, device="cuda") for tensor in tensors)
        for own, given in zip(self.inputs, tensors, strict=True):
            own.copy_(given, non_blocking=True)
        self.calls += 1
        if self.calls <= WARM_UP:  # on another stream, as capturing wants it
            self.stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(self.stream):
                self.answer = self.function(self.inputs)
            torch.cuda.current_stream().wait_stream(self.stream)
            return self.answer
        if self.graph is None:
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph, capture_error_mode="thread_local"):
                self.answer = self.function(self.inputs)
        self.graph.replay()
        assert self.answer is not None
        return self.answer
