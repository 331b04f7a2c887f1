"""In which precision a network is evaluated on a CPU: the fastest of those that this machine has."""

from __future__ import annotations

import os
import threading
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nought.config import FLOATS, PRECISIONS
from nought.errors import NoughtError
from nought.network.floats import FloatForward
from nought.network.int8 import SAMPLE, Int8Forward
from nought.network.resnet import Network
from nought.network.sample import Sampler
from nought.network.timing import POSITIONS, shortest_times
from nought.network.trial import ways_to_int8, why_not_bfloat16, why_not_int8

SETTING = "NOUGHT_PRECISION"  # what auto means in this process and those that it starts
LEAST_SPEEDUP = 1.2  # another precision than float32 is chosen if it is faster by this

Floats = NDArray[np.float32]
Forward = FloatForward | Int8Forward


class ChosenPrecision(NamedTuple):
    """A precision, and why this one."""

    precision: str
    why: str
    floats: str  # float32 or bfloat16: to learn in, and to evaluate in where int8 will not do


_chosen: dict[Any, ChosenPrecision] = {}
_deciding = threading.Lock()


def wanted_precision(asked: str) -> str:
    """What is asked for, or for auto what the environment says; a NoughtError where there is no such precision."""
    found = os.environ.get(SETTING, "auto") if asked == "auto" else asked
    if found not in ("auto", *PRECISIONS):
        raise NoughtError(f"a precision is auto, {', '.join(PRECISIONS)}, not {found!r}")
    return found


def forward_in(
    precision: str, network: Network, capacity: int, threads: int | None, sample: Sampler
) -> Forward:
    """What evaluates planes in this precision; any exception where it cannot."""
    if precision == "int8":
        return Int8Forward(network, threads, sample, ways_to_int8())
    return FloatForward(network, capacity, threads, precision)


def why_not(precision: str) -> str | None:
    """Why this machine has not this precision, in a few words; None: nothing is known against it."""
    if precision == "float32":
        return None
    return why_not_bfloat16() if precision == "bfloat16" else why_not_int8()


def choose_precision(network: Network, asked: str, floats: str, sample: Sampler) -> ChosenPrecision:
    """What was asked for where it works; auto: the fastest, and so with `floats`, which is float32 or bfloat16.

    Measured once for each shape of network, so that all evaluators agree.
    """
    if asked == "auto":
        return _measured_once(network, PRECISIONS, sample)
    missing = why_not(asked)
    if asked in FLOATS:
        floats = asked if missing is None else "float32"
    elif floats == "auto":
        floats = _measured_once(network, FLOATS, sample).precision
    elif why_not(floats) is not None:
        floats = "float32"
    if missing is not None:
        return ChosenPrecision(floats, f"no {asked}: {missing}", floats)
    return ChosenPrecision(asked, "as asked for", floats)


def _measured_once(network: Network, candidates: tuple[str, ...], sample: Sampler) -> ChosenPrecision:
    shape = (candidates, network.architecture, network.planes, network.actions)
    with _deciding:
        if shape not in _chosen:
            _chosen[shape] = _measured(network, candidates, sample)
        return _chosen[shape]


def _measured(network: Network, candidates: tuple[str, ...], sample: Sampler) -> ChosenPrecision:
    """The fastest of float32, the first of the candidates, and the others."""
    there = [precision for precision in candidates if why_not(precision) is None]
    notes = [f"no {precision}: {why_not(precision)}" for precision in candidates if precision not in there]
    if there == ["float32"]:
        return ChosenPrecision("float32", "; ".join(notes), "float32")
    planes = sample(SAMPLE).planes
    forwards: dict[str, Forward] = {}
    for precision in there:
        try:
            forward = forward_in(precision, network, POSITIONS, 1, sample)
            forward(planes[:1])
            forwards[precision] = forward
        # of a library on a machine nobody has tried it on, or of a network it cannot take
        except Exception as error:
            if precision == "float32":
                raise
            notes.append(f"no {precision}: {shown(error)}")
    seconds = shortest_times(forwards, planes)
    gain = {precision: seconds["float32"] / taken for precision, taken in seconds.items()}
    floats = "bfloat16" if gain.get("bfloat16", 0) > LEAST_SPEEDUP else "float32"
    best = "int8" if gain.get("int8", 0) > LEAST_SPEEDUP * gain[floats] else floats
    others = [f"{p} is {gain[p]:.1f} × as fast" for p in gain if p not in (best, "float32")]
    first = [] if best == "float32" else [f"{gain[best]:.1f} × as fast as float32 here"]
    return ChosenPrecision(best, "; ".join([*first, *others, *notes]), floats)


def shown(error: Exception) -> str:
    """An error in a line."""
    return (str(error).splitlines() or [type(error).__name__])[0]
