"""Which of several ways to evaluate planes is fastest."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

POSITIONS, TRIALS = 64, 6  # of a batch, and how often each has its turn


def shortest_times(
    ways: Mapping[str, Callable[[NDArray[np.float32]], Any]], planes: NDArray[np.float32]
) -> dict[str, float]:
    """The shortest time for a batch of planes by each, in seconds, tried in turn and in this thread's own time: what else
    the machine does sways all of them, or none."""
    batch = np.resize(planes, (POSITIONS, *planes.shape[1:]))
    taken = dict.fromkeys(ways, math.inf)
    for _ in range(TRIALS):
        for name, evaluate in ways.items():
            begin = time.thread_time()
            evaluate(batch)
            taken[name] = min(taken[name], time.thread_time() - begin)
    return taken
