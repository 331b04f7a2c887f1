"""Evaluating planes on a CUDA GPU.

A batch is one launch of a captured graph, on the evaluator's own stream: planes to the GPU, the network, answers back.
The thread then sleeps without the GIL until the answers are there. The graph, the stream and CUDA's functions are also
handed out as bare addresses, with which the compiled search evaluates positions without Python: threads that take the
GIL in turns wait half a millisecond for each batch, whatever its size.

Planes travel as the float32 numbers the rules wrote, straight from the pinned memory they were written to, and
are rounded to bfloat16 on the GPU, where that costs nothing. Sending half as many bytes would save less than it
takes: 16,384 Connect 4 positions are 5.5 MB, a tenth of a millisecond on a bus of 50 GB/s; rounding them first
takes a CPU core 0.2 ms, and the search needs that core. Smaller encodings would have to know which numbers a
game's planes hold: scores and fractions are allowed.
"""

from __future__ import annotations

import copy
import functools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nought.arithmetic import ceil_div
from nought.network.cuda_runtime import CudaRuntime
from nought.network.cuda_weights import GpuWeights, gpu_weights
from nought.network.fused import fuse_for_cuda
from nought.network.precision import ChosenPrecision, shown
from nought.network.resnet import Network, Output
from nought.network.sample import Sampler
from nought.network.tower import FusedTower, why_no_tower
from nought.network.tower_int8 import IntegerTower, why_no_integers
from nought.search import Native

Floats = NDArray[np.float32]

PRECISIONS = {"bfloat16": torch.bfloat16, "float32": torch.float32}
SMALLEST_GRAPH = 32  # positions in the smallest graph: fewer take no less time
CAPACITY_PARTS = 8  # of a large capacity; there is a graph for each number of them
TOLERANCE = 0.05  # how far the fused layers' answers may be from the plain ones'
SPARED = 0.2  # of the GPU's processors, for one shard's search while the other's tower runs as one kernel

Forward = Callable[[Tensor], Output]  # float32 planes → what the network says

# Capturing: a graph must not be captured while another thread waits for the whole device.
capturing = threading.Lock()
_fastest: dict[Any, str] = {}  # the way that was fastest, by what it depends on


class CudaForward:
    """Planes → policy and value. One belongs to one thread at a time; several share the GPU.

    Make it before other threads work on the GPU: capturing a graph does not bear anyone who waits for the device.
    Without `graphs` it answers only from the GPU's memory to there (`answer`), as part of somebody else's graph. With a
    `sample` of positions it may calculate in int8; whether it does depends on the weights (`precision`), and whoever has
    it in a graph must capture that anew when it changes.
    """

    def __init__(
        self,
        network: Network,
        capacity: int,
        device: torch.device,
        precision: str,
        *,
        compiled: bool = False,
        graphs: bool = True,
        sample: Sampler | None = None,
    ) -> None:
        self.device = device
        self.chosen = choose_precision(device, precision)
        self.precision, self.why = self.chosen.precision, self.chosen.why
        self.kind = PRECISIONS[self.precision]
        self.actions = network.actions
        self.spared = 0.0 if graphs else SPARED
        self.stream = torch.cuda.Stream(device)
        self.done = torch.cuda.Event(blocking=True)  # sleep rather than spin: the core is the search's
        self.pinned_planes = torch.zeros((capacity, *network.planes), pin_memory=True)
        self.pinned_answers = torch.zeros((capacity, network.actions + 1), pin_memory=True)
        self.room: Floats = self.pinned_planes.numpy()
        self.planes = torch.zeros((capacity, *network.planes), device=device)
        self.answers = torch.zeros((capacity, network.actions + 1), device=device)  # policy, then value
        weights = gpu_weights(network, device)
        self.network = self._prepared(weights)
        self.runtime = CudaRuntime()
        # The graphs share memory: one runs at a time, and leaves nothing there that is needed later.
        self.pool = torch.cuda.graph_pool_handle()
        with capturing, torch.cuda.device(device):
            self.stream.wait_stream(torch.cuda.current_stream(device))
            self.floats = self._way("plain" if compiled else self._fastest(), self.network)
            self.forward = self.floats
            self.integers: IntegerTower | None = None
            if sample is not None and not compiled and precision == "int8":
                self._try_integers(weights, sample)
                self._choose(weights)
            self.fast = self._plain(self._compiled()) if compiled else None  # for large batches
            self.sizes = batch_sizes(capacity) if graphs else []
            self.graphs = self._all_captured()
            self.done.record(self.stream)  # makes the event
        self.native = self._as_native()

    def _as_native(self) -> Native:
        sizes = sorted(self.graphs)
        graphs = [self.runtime.executable(self.graphs[size]) for size in sizes]
        return Native(
            self.room,
            self.pinned_answers.numpy(),
            np.array(sizes, np.int64),
            np.array(graphs, np.uint64),
            np.array([self.stream.cuda_stream, self.done.cuda_event, *self.runtime.addresses], np.uint64),
        )

    def _prepared(self, weights: GpuWeights) -> Network:
        lowered = copy.deepcopy(weights.plain).lowered(self.kind)
        return lowered.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def update(self, network: Network) -> None:
        """Put other weights in the same places, where the graphs find them."""
        weights = gpu_weights(network, self.device)
        new = weights.plain.state_dict()
        self.stream.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(self.stream), torch.no_grad():
            for name, tensor in self.network.state_dict().items():
                tensor.copy_(new[name])
            if isinstance(self.floats, FusedTower):
                self.floats.pack()
            before = self.forward
            self._choose(weights)
        self.stream.synchronize()
        if self.forward is not before and self.sizes:
            with capturing, torch.cuda.device(self.device):
                self.graphs = self._all_captured()
            self.native.graphs[:] = self._as_native().graphs  # where the compiled search finds them

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        n = len(planes)
        if planes.ctypes.data != self.room.ctypes.data:
            self.room[:n] = planes
        size = int(np.searchsorted(self.native.sizes, n))
        self.runtime.evaluate(self.native.graphs[size], self.native.queue)
        answers = self.native.answers
        return answers[:n, : self.actions].copy(), answers[:n, self.actions].copy()

    def answer(self, planes: Tensor, policy: Tensor, value: Tensor) -> None:
        """Planes → policy and value, all of them on the GPU, in the stream that is current."""
        self._answer(self.forward, planes, policy, value)

    def _answer(self, forward: Forward, planes: Tensor, policy: Tensor, value: Tensor) -> None:
        output = forward(planes)
        policy.copy_(torch.softmax(output.policy, 1).view_as(policy))
        value.copy_(output.value.view_as(value))

    # ---- integers ------------------------------------------------------------------------------------------
    def _try_integers(self, weights: GpuWeights, sample: Sampler) -> None:
        """Have int8 where there is a kernel for this network: at 64 positions it is a tenth faster, at thousands twice."""
        floats, why_not = self.chosen.floats, why_no_integers(self.network)
        if why_not is None:
            try:
                self.integers = IntegerTower(self.network, weights, sample, self.spared)
            except Exception as error:  # there are none for these planes, or there is no compiler here
                why_not = shown(error)
        if why_not is None:
            self.chosen = ChosenPrecision("int8", "as asked for", floats)
        else:
            self.why = f"no int8: {why_not}"
            self.chosen = self.chosen._replace(why=self.why)

    def _choose(self, weights: GpuWeights) -> None:
        """Evaluate these weights in integers, if those answer alike."""
        if self.integers is None:
            return
        found = self.integers.follow(weights)
        if found.enough:
            self.forward, self.precision, self.why = self.integers, "int8", self.chosen.why
        else:
            self.forward, self.precision = self.floats, self.chosen.floats
            self.why = f"int8 answers otherwise: {found}"

    # ---- capturing -----------------------------------------------------------------------------------------
    def _all_captured(self) -> dict[int, torch.cuda.CUDAGraph]:
        """A graph for each size of a batch."""
        half = len(self.planes) // 2
        return {
            size: self._captured(self.fast if self.fast and size >= half else self.forward, size)
            for size in self.sizes
        }

    def _step(self, forward: Forward, size: int) -> None:
        """What a graph does: the first `size` planes → answers, from pinned memory and to it."""
        self.runtime.copy(self.pinned_planes[:size], self.planes, self.stream)
        answers = self.answers[:size]
        self._answer(forward, self.planes[:size], answers[:, : self.actions], answers[:, self.actions])
        self.runtime.copy(self.answers[:size], self.pinned_answers, self.stream)

    def _captured(self, forward: Forward, size: int) -> torch.cuda.CUDAGraph:
        return captured(lambda: self._step(forward, size), self.stream, self.pool)

    def _compiled(self) -> Any:
        """The network through torch.compile: more than half as fast again, after half a minute for each larger size."""
        return torch.compile(self.network, mode="max-autotune-no-cudagraphs", dynamic=False)

    # ---- ways to evaluate ----------------------------------------------------------------------------------
    def _plain(self, network: Any) -> Forward:
        return lambda planes: network(planes.to(self.kind, memory_format=torch.channels_last))

    def _way(self, name: str, network: Network) -> Forward:
        """One of three: torch's layers, cuDNN's fused ones, or the whole tower as one kernel."""
        if name == "tower":
            forward: Forward = FusedTower(network, self.spared)
        else:
            forward = self._plain(fuse_for_cuda(network) if name == "fused" else network)
        self.stream.wait_stream(torch.cuda.current_stream(self.device))  # in which the weights were copied
        return forward

    def _fastest(self) -> str:
        """The way that gives the same answers as the plain one, soonest; measured once a process."""
        key = (self.network.architecture, self.network.planes, len(self.planes), self.kind)
        if key not in _fastest:
            random = torch.Generator(self.device).manual_seed(0)
            plain = copy.deepcopy(self.network)
            for tensor in plain.parameters():  # a new network's blocks do nothing yet
                tensor.normal_(std=tensor[0].numel() ** -0.5, generator=random)
            self.pinned_planes.copy_(torch.empty_like(self.planes).bernoulli_(0.3, generator=random))
            self.stream.wait_stream(torch.cuda.current_stream(self.device))
            best, expected = self._tried(self._plain(plain))
            _fastest[key] = "plain"
            for name in ("fused", "tower"):
                if name == "tower" and why_no_tower(self.network, self.kind) is not None:
                    continue
                try:
                    took, found = self._tried(self._way(name, copy.deepcopy(plain)))
                except Exception:  # cuDNN has no such kernel for this network, or there is no compiler here
                    continue
                if took < best and (found - expected).abs().max().item() < TOLERANCE:
                    best, _fastest[key] = took, name
        return _fastest[key]

    def _tried(self, forward: Forward) -> tuple[float, Tensor]:
        """Milliseconds of a few full batches, and the answers."""
        graph = self._captured(forward, len(self.planes))
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        with torch.cuda.stream(self.stream):
            graph.replay()
            begin.record(self.stream)
            for _ in range(5):
                graph.replay()
            end.record(self.stream)
            answers = self.answers.cpu()
        end.synchronize()
        return begin.elapsed_time(end), answers


def captured(
    step: Callable[[], None], stream: torch.cuda.Stream, pool: Any, times: int = 1
) -> torch.cuda.CUDAGraph:
    """A step with a network in it as a graph, so many times in a row."""
    # let cuDNN try its algorithms on this very size, and mean float32 where it is asked for
    with (
        torch.backends.cudnn.flags(enabled=True, benchmark=True, allow_tf32=False),
        torch.inference_mode(),
    ):
        with torch.cuda.stream(stream):
            for _ in range(3):
                step()
        stream.synchronize()
        graph = torch.cuda.CUDAGraph(keep_graph=True)
        with torch.cuda.graph(graph, pool=pool, stream=stream, capture_error_mode="thread_local"):
            for _ in range(times):
                step()
    return graph


def choose_precision(device: torch.device, asked: str) -> ChosenPrecision:
    """What was asked for where it works; auto: bfloat16 where the GPU has arithmetic of its own for it."""
    if asked == "float32":
        return ChosenPrecision(asked, "as asked for", asked)
    if (why_not := _why_not_bfloat16(device, emulated=asked == "bfloat16")) is not None:
        return ChosenPrecision("float32", f"no bfloat16: {why_not}", "float32")
    why = "as asked for" if asked == "bfloat16" else "what this GPU is fastest in"
    return ChosenPrecision("bfloat16", why, "bfloat16")


@functools.cache
def _why_not_bfloat16(device: torch.device, *, emulated: bool) -> str | None:
    """Why this GPU's bfloat16 is not used; emulated it is slow, and only for those who ask for it."""
    try:
        with torch.cuda.device(device):
            if not torch.cuda.is_bf16_supported(including_emulation=emulated):
                return "this GPU has no arithmetic for it"
            small = torch.ones((1, 16, 4, 4), dtype=torch.bfloat16, device=device)
            torch.nn.functional.conv2d(small, small).sum().item()
    except Exception as error:
        return (str(error).splitlines() or [type(error).__name__])[0]
    return None


def batch_sizes(capacity: int) -> list[int]:
    """The sizes for which graphs are captured, largest first; a batch is padded to the next."""
    sizes = {capacity} | {
        ceil_div(capacity * part, CAPACITY_PARTS)
        for part in range(1, CAPACITY_PARTS)
        if capacity >= CAPACITY_PARTS * SMALLEST_GRAPH
    }
    while (capacity := capacity // 2) >= SMALLEST_GRAPH:
        sizes.add(capacity)
    return sorted(sizes, reverse=True)
