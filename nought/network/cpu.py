"""Evaluating planes on the CPU."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nought.network.int8 import Int8Forward
from nought.network.precision import Sample, choose_precision, forward_in, shown
from nought.network.resnet import Network

Floats = NDArray[np.float32]


class CpuForward:
    """Planes → policy and value. One belongs to one thread at a time; several do not disturb each other.

    What is chosen by measuring or by hand holds for all weights. With some of them int8 may find too many other moves
    best; then these are evaluated in float32 or bfloat16, and `why` says so.
    """

    def __init__(
        self,
        network: Network,
        capacity: int,
        threads: int | None,
        precision: str,
        sample: Sample,
        floats: str = "auto",
    ) -> None:
        self.threads, self.sample = threads, sample
        self.room: Floats = np.zeros((capacity, *network.planes), np.float32)
        self.chosen = choose_precision(network, precision, floats, sample)
        self._prepare(network, self.room)

    def update(self, network: Network) -> None:
        self._prepare(network, self.room[:1])

    def _prepare(self, network: Network, planes: Floats) -> None:
        """Make ready, and try it once: what fails fails here, and the next precision is taken."""
        why = self.chosen.why
        for precision in dict.fromkeys((self.chosen.precision, self.chosen.floats, "float32")):
            try:
                forward = forward_in(precision, network, len(self.room), self.threads, self.sample)
                forward(planes)
            except Exception as error:  # of a library on a machine nobody has tried it on
                if precision == "float32":
                    raise
                why = f"{precision} fails here: {shown(error)}"
                continue
            if isinstance(forward, Int8Forward) and not forward.likeness.enough:
                why = f"int8 answers otherwise: {forward.likeness}"
                continue
            self.forward, self.precision, self.why = forward, precision, why
            return

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        return self.forward(planes)
