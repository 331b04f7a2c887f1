"""Evaluating planes in integers of 8 bits on a CPU, by onnxruntime."""

from __future__ import annotations

import hashlib
import threading
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nought.network.processor import has_vnni
from nought.network.quantised import LARGEST_WEIGHT, find_ranges, quantise
from nought.network.resnet import Network, Output, folded
from nought.network.sample import PositionSample, Sampler
from nought.network.threads import on_threads

Floats = NDArray[np.float32]

SAMPLE = 384  # positions that set the ranges, and on which the answers are compared
MORE = 1024  # positions that decide where those fall just short of the limit
LEAST_SAME, MOST_APART = 0.97, 0.03  # of best moves; of values on average
CLOSE = 0.955  # to that limit: what falls short of it by so little may have had bad luck
# Without VNNI a processor adds two products in 16 bits: with weights of 7 bits they always fit.
SMALLER_WEIGHT = 63
KEPT = 4  # quantised networks: evaluators get the same weights one after the other


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


class Int8Forward:
    """Planes → policy and value, as CpuForward. Unlike floats, integers answer the same in every batch."""

    def __init__(self, network: Network, threads: int | None, sample: Sampler) -> None:
        made = _made(network, sample)
        self.likeness = made.likeness
        self.session = _session(made.graph, threads or torch.get_num_threads())

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        return _run(self.session, planes)


class _Made(NamedTuple):
    graph: bytes
    likeness: Likeness


_kept: dict[bytes, _Made] = {}
_making = threading.Lock()


def _made(network: Network, sample: Sampler) -> _Made:
    """A network's graph; several evaluators are given the same weights, and one of them makes it."""
    with _making:
        plain = folded(network)
        weights = (tensor.numpy().tobytes() for tensor in plain.state_dict().values())
        facts = (repr((network.architecture, network.planes)).encode(), sample(SAMPLE).planes.tobytes())
        key = hashlib.sha256(b"".join((*facts, *weights))).digest()
        if key not in _kept:
            made = _make(plain, sample)
            while len(_kept) >= KEPT:
                del _kept[next(iter(_kept))]
            _kept[key] = made
        return _kept[key]


def _make(plain: Network, sample: Sampler) -> _Made:
    plain = plain.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    few = sample(SAMPLE)
    # With one thread the ranges are the same to the last bit, whoever asks: a run that goes on plays the same games.
    with on_threads(1), torch.inference_mode():
        ranges, expected = find_ranges(plain, _tensor(few.planes))
        graph = quantise(plain, ranges, LARGEST_WEIGHT if has_vnni() else SMALLER_WEIGHT)
        session = _session(graph, 1)
        found = likeness(few, _run(session, few.planes), _answer(expected))
        if CLOSE <= found.same < LEAST_SAME:
            more = sample(MORE)
            answers = [_answer(plain(part)) for part in _tensor(more.planes).split(SAMPLE)]
            policy, value = (np.concatenate(parts) for parts in zip(*answers, strict=True))
            found = likeness(more, _run(session, more.planes), (policy, value))
    return _Made(graph, found)


def _tensor(planes: Floats) -> Tensor:
    return torch.from_numpy(planes).contiguous(memory_format=torch.channels_last)


def _answer(output: Output) -> tuple[Floats, Floats]:
    return output.policy.numpy(), output.value.numpy()


def _run(session: Any, planes: Floats) -> tuple[Floats, Floats]:
    policy, value = session.run(("policy", "value"), {"planes": planes})
    return policy, value


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
