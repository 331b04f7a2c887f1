"""Whether this machine survives bfloat16. A processor that claims more than it can do kills the process, so it is tried
in another process first, and what came of it is remembered: once for each processor and version of torch.

    python -m nought.network.trial
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import torch

from nought.config import NetworkParameters
from nought.files import cache_folder, write_whole
from nought.network.fused import fuse_for_cpu
from nought.network.processor import FEATURES, LEAVES, LIMIT, MODEL, processor
from nought.network.resnet import Network, empty_network, folded

TIMEOUT = 120.0  # seconds for the child, most of which it needs to import torch
BEGUN, DONE = "begun", "done"  # what the child says


@cache
def why_not_bfloat16() -> str | None:
    """Why a CPU's bfloat16 must not be used here, in a few words; None: nothing is known against it."""
    if not (torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported()):
        return "this processor has no instructions for it"
    path = _remembered()
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        found = json.loads(path.read_text(encoding="utf-8"))["why_not"]
        return None if found is None else str(found)
    held, why = hold_trial()
    if held:
        with contextlib.suppress(OSError):  # where nothing can be written, it is tried again each time
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps({"why_not": why}).encode())
    return why


def _remembered() -> Path:
    """The file of this processor, these versions and these settings."""
    ask = processor()
    # Of the model eax alone: ebx says on which core the question was asked, and that changes from time to time.
    asked = (ask(LEAVES), ask(MODEL).eax, ask(FEATURES)) if ask else platform.processor()
    facts = (platform.machine(), asked, torch.__version__, platform.python_version(), os.environ.get(LIMIT))
    digest = hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
    return cache_folder() / "trials" / f"bfloat16-{digest}.json"


def hold_trial() -> tuple[bool, str | None]:
    """Whether a trial could be held in a child process, and what it has shown against bfloat16."""
    here = str(Path(__file__).parents[2])  # the child must find this very package
    paths = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    try:
        child = subprocess.run(
            [sys.executable, "-m", __name__],
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


def use_bfloat16() -> str:
    """Evaluate with small networks and learn; what went wrong, in a line."""
    try:
        for activation in ("relu", "leaky"):
            network = small_network(activation)
            planes = torch.rand((4, *network.planes)).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", torch.bfloat16):
                network(planes).policy.sum().backward()
            with torch.inference_mode():
                prepared = lowered(network, torch.bfloat16)
                prepared(planes.bfloat16())
                fuse_for_cpu(prepared, len(planes))(planes.bfloat16())
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
    """Try bfloat16 in this process, and say on standard output that it began and how it ended."""
    print(BEGUN, flush=True)
    print(DONE, use_bfloat16(), flush=True)


if __name__ == "__main__":
    main()
