"""Whether this machine survives bfloat16 and the ways to int8. A processor that claims more than it can do kills the
process, so each is tried in another process first, and what came of it is remembered: once for each processor and version of
the library.

    python -m nought.network.trial bfloat16
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import platform
import signal
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import llvmlite
import numpy as np
import torch
from torch import Tensor

from nought.config import NetworkParameters
from nought.files import cache_folder, write_whole
from nought.network.fused import fuse_for_cpu
from nought.network.int8 import WAYS, Int8Forward
from nought.network.processor import FEATURES, LEAVES, LIMIT, MODEL, processor
from nought.network.quantised import CannotQuantise
from nought.network.resnet import Network, empty_network, folded
from nought.network.sample import PositionSample
from nought.network.tower_x86 import instructions_here

TIMEOUT = 120.0  # seconds for the child, most of which it needs to import torch
BEGUN, DONE = "begun", "done"  # what the child says


@cache
def why_not_bfloat16() -> str | None:
    """Why a CPU's bfloat16 must not be used here, in a few words; None: nothing is known against it."""
    if not (torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported()):
        return "this processor has no instructions for it"
    return _why_not("bfloat16", torch.__version__)


@cache
def why_not_int8() -> str | None:
    """Why int8 must not be used here, in a few words; None: there is a way."""
    return None if ways_to_int8() else "; ".join(filter(None, map(_why_not_int8_by, WAYS)))


@cache
def ways_to_int8() -> tuple[str, ...]:
    """The ways to evaluate in integers against which nothing is known here."""
    return tuple(way for way in WAYS if _why_not_int8_by(way) is None)


@cache
def _why_not_int8_by(way: str) -> str | None:
    if way == "x86":
        return _why_not(way, llvmlite.__version__) if instructions_here() else "this processor has no AVX2"
    if find_spec("onnxruntime") is None:
        return "onnxruntime is not installed (pip install 'nought[int8]')"
    return _why_not(way, version("onnxruntime"))


def _why_not(what: str, library: str) -> str | None:
    """What a trial has shown against bfloat16 or a way to int8, now or earlier."""
    path = _remembered(what, library)
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        found = json.loads(path.read_text(encoding="utf-8"))["why_not"]
        return None if found is None else str(found)
    held, why = hold_trial(what)
    if held:
        with contextlib.suppress(OSError):  # where nothing can be written, it is tried again each time
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps({"why_not": why}).encode())
    return why


def _remembered(what: str, library: str) -> Path:
    """The file of what is tried, this processor, these versions and these settings."""
    ask = processor()
    # Of the model eax alone: ebx says on which core the question was asked, and that changes from time to time.
    asked = (ask(LEAVES), ask(MODEL).eax, ask(FEATURES)) if ask else platform.processor()
    facts = (platform.machine(), asked, library, platform.python_version(), os.environ.get(LIMIT))
    digest = hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
    return cache_folder() / "trials" / f"{what}-{digest}.json"


def hold_trial(what: str) -> tuple[bool, str | None]:
    """Whether a trial could be held in a child process, and what it has shown against bfloat16 or a way to int8."""
    here = str(Path(__file__).parents[2])  # the child must find this very package
    paths = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    try:
        child = subprocess.run(
            [sys.executable, "-m", __name__, what],
            env={**os.environ, "PYTHONPATH": paths},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=TIMEOUT,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False, None
    last = child.stdout.strip().rpartition("\n")[2]
    if last == BEGUN:
        return True, f"a trial was killed by {_ending(child.returncode)}"
    return last.startswith(DONE), last.removeprefix(DONE).strip() or None


def _ending(code: int) -> str:
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"exit code {code:#x}"


def use_bfloat16(network: Network, planes: Tensor) -> None:
    """Evaluate and learn."""
    with torch.autocast("cpu", torch.bfloat16):
        network(planes).policy.sum().backward()
    with torch.inference_mode():
        prepared = lowered(network, torch.bfloat16)
        prepared(planes.bfloat16())
        fuse_for_cpu(prepared, len(planes))(planes.bfloat16())


def use_int8(way: str, network: Network, planes: Tensor) -> None:
    """Evaluate, if this way takes such a network."""
    sample = PositionSample(planes.contiguous().numpy(), np.ones((len(planes), network.actions), np.bool_))
    with contextlib.suppress(CannotQuantise):
        Int8Forward(network, 1, lambda _: sample, (way,))(sample.planes)


def tried(what: str) -> str:
    """Calculate with small networks; what went wrong, in a line."""
    use = use_bfloat16 if what == "bfloat16" else functools.partial(use_int8, what)
    try:
        for activation in ("relu", "leaky"):
            network = small_network(activation)
            planes = torch.rand((4, *network.planes)).contiguous(memory_format=torch.channels_last)
            use(network, planes)
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


def small_network(activation: str) -> Network:
    """A network of one block with random weights, for trials."""
    shape = NetworkParameters(blocks=1, filters=16, activation=activation, norm="none")
    network = empty_network((2, 5, 5), 4, shape, margin=False)
    random = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for tensor in network.parameters():
            tensor.normal_(std=0.2, generator=random)
    return network


def lowered(network: Network, kind: torch.dtype) -> Network:
    """A copy to evaluate with on a CPU: norms folded into the weights, and all but the last layers in this type."""
    copied: Network = folded(network).lowered(kind).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return copied


def main() -> None:
    """Try it in this process, and say on standard output that it began and how it ended."""
    print(BEGUN, flush=True)
    print(DONE, tried(sys.argv[1]), flush=True)


if __name__ == "__main__":
    main()
