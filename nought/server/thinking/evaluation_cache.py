"""What an evaluator has said, for all clients of an agent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Answer = tuple[NDArray[np.float32], np.float32]  # [actions] policy, and value
MOST_KEPT = 100_000  # evaluations that are kept, and as many again that are older


class EvaluationCache:
    """Evaluations by position. The older half is dropped when there are too many."""

    def __init__(self) -> None:
        self.recent: dict[bytes, Answer] = {}
        self.older: dict[bytes, Answer] = {}

    def get(self, key: bytes) -> Answer | None:
        return self.recent.get(key) or self.older.get(key)

    def put(self, key: bytes, policy: NDArray[np.float32], value: np.float32) -> None:
        if len(self.recent) >= MOST_KEPT:
            self.older, self.recent = self.recent, {}
        self.recent[key] = policy, value
