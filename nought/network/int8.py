"""Evaluating planes in integers of 8 bits on a CPU: by a function of our own (tower_x86.py), or by onnxruntime."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nought.network.processor import has_vnni
from nought.network.quantised import LARGEST_WEIGHT, CannotQuantise, Ranges, find_ranges, quantise
from nought.network.resnet import Network, Output, folded
from nought.network.sample import PositionSample, Sampler
from nought.network.threads import on_threads
from nought.network.timing import shortest_times
from nought.network.tower_x86 import X86Tower

Floats = NDArray[np.float32]
Evaluate = Callable[[Floats], tuple[Floats, Floats]]  # planes → policy and value

SAMPLE = 384  # positions that set the ranges, and on which the answers are compared
MORE = 1024  # positions that decide where those fall just short of the limit
LEAST_SAME, MOST_APART = 0.97, 0.03  # of best moves; of values on average
CLOSE = 0.955  # to that limit: what falls short of it by so little may have had bad luck
# Without VNNI a processor adds two products in 16 bits: with weights of 7 bits they always fit.
SMALLER_WEIGHT = 63
KEPT = 4  # quantised networks: evaluators get the same weights one after the other
LEAST_SPEEDUP = 1.3  # the second way is taken if it is faster by this


class Likeness(NamedTuple):
    """How like two networks' answers are."""

    same: float  #   share of positions in which both find the same legal move best
    apart: float  #  mean difference of their values

    @property
    def enough(self) -> bool:
        """Whether one may stand for the other."""
        return self.same >= LEAST_SAME and self.apart <= MOST_APART

    def __str__(self) -> str:
        return f"the same move as float32 in {self.same:.1%}, values {self.apart:.3f} apart"


class Quantised(Protocol):
    """A network that was made of integers."""

    def forward(self, threads: int) -> Evaluate:
        """What evaluates planes, for one caller at a time."""


class OnnxNetwork:
    """A folded network for onnxruntime."""

    def __init__(self, network: Network, ranges: Ranges) -> None:
        self.graph = quantise(network, ranges, LARGEST_WEIGHT if has_vnni() else SMALLER_WEIGHT)

    def forward(self, threads: int) -> Evaluate:
        """A session of its own."""
        session = _session(self.graph, threads)

        def evaluate(planes: Floats) -> tuple[Floats, Floats]:
            policy, value = session.run(("policy", "value"), {"planes": planes})
            return policy, value

        return evaluate


Way = Callable[[Network, Ranges], Quantised]  # CannotQuantise where it cannot take a network
WAYS: dict[str, Way] = {"x86": X86Tower, "onnxruntime": OnnxNetwork}


class Int8Forward:
    """Planes → policy and value, as CpuForward. Unlike floats, integers answer the same in every batch. `ways` are those of
    WAYS that this machine has."""

    def __init__(
        self, network: Network, threads: int | None, sample: Sampler, ways: Sequence[str] = tuple(WAYS)
    ) -> None:
        made = _made(network, sample, ways)
        self.likeness, self.way = made.likeness, made.way
        self.evaluate = made.network.forward(threads or torch.get_num_threads())

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        return self.evaluate(planes)


class _Made(NamedTuple):
    network: Quantised
    way: str
    likeness: Likeness


_kept: dict[bytes, _Made] = {}
_fastest: dict[Any, str] = {}  # of several ways, for each shape of network
_making = threading.Lock()


def _made(network: Network, sample: Sampler, ways: Sequence[str]) -> _Made:
    """A network in integers; several evaluators are given the same weights, and one of them makes it."""
    with _making:
        plain = folded(network)
        weights = (tensor.numpy().tobytes() for tensor in plain.state_dict().values())
        facts = (repr((network.architecture, network.planes, ways)).encode(), sample(SAMPLE).planes.tobytes())
        key = hashlib.sha256(b"".join((*facts, *weights))).digest()
        if key not in _kept:
            made = _make(plain, sample, ways)
            while len(_kept) >= KEPT:
                del _kept[next(iter(_kept))]
            _kept[key] = made
        return _kept[key]


def _make(plain: Network, sample: Sampler, ways: Sequence[str]) -> _Made:
    plain = plain.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    few = sample(SAMPLE)
    # With one thread the ranges are the same to the last bit, whoever asks: a run that goes on plays the same games.
    with on_threads(1), torch.inference_mode():
        ranges, expected = find_ranges(plain, _tensor(few.planes))
        way, network = _by_the_fastest(plain, ranges, few.planes, ways)
        evaluate = network.forward(1)
        found = likeness(few, evaluate(few.planes), _answer(expected))
        if CLOSE <= found.same < LEAST_SAME:
            more = sample(MORE)
            answers = [_answer(plain(part)) for part in _tensor(more.planes).split(SAMPLE)]
            policy, value = (np.concatenate(parts) for parts in zip(*answers, strict=True))
            found = likeness(more, evaluate(more.planes), (policy, value))
    return _Made(network, way, found)


def _by_the_fastest(
    plain: Network, ranges: Ranges, planes: Floats, ways: Sequence[str]
) -> tuple[str, Quantised]:
    """The network made in the first way that can take it, or in one that is much faster here: measured once for each
    shape of network."""
    shape = (plain.architecture, plain.planes, plain.actions, ways)
    made: dict[str, Quantised] = {}
    for way in ways if shape not in _fastest else [_fastest[shape]]:
        try:
            made[way] = WAYS[way](plain, ranges)
        except CannotQuantise:
            if way == ways[-1] and not made:
                raise
    if shape not in _fastest:
        _fastest[shape] = _measured(made, planes)
    return _fastest[shape], made[_fastest[shape]]


def _measured(made: dict[str, Quantised], planes: Floats) -> str:
    first = next(iter(made))
    if len(made) == 1:
        return first
    taken = shortest_times({way: network.forward(1) for way, network in made.items()}, planes)
    best = min(taken, key=taken.__getitem__)
    return best if taken[first] > LEAST_SPEEDUP * taken[best] else first


def _tensor(planes: Floats) -> Tensor:
    return torch.from_numpy(planes).contiguous(memory_format=torch.channels_last)


def _answer(output: Output) -> tuple[Floats, Floats]:
    return output.policy.numpy(), output.value.numpy()


def likeness(sample: PositionSample, one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Likeness:
    """How like two answers to a sample are, each of them policies or logits, and values."""
    best, expected = (np.where(sample.legal, policy, -np.inf).argmax(1) for policy, _ in (one, other))
    return Likeness(float(np.mean(best == expected)), float(np.abs(one[1] - other[1]).mean()))


def _session(graph: bytes, threads: int) -> Any:
    import onnxruntime  # not everybody has it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    # Threads that wait sleep: cores are for others, too.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
