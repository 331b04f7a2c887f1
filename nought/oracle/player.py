"""The perfect player."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from nought.games import Position
from nought.oracle.truth import Oracle, Truth

CACHED_POSITIONS = 10_000  # positions: games from one opening meet the same ones


class OraclePlayer:
    """Plays any of the moves with the best score, each as often. Where its oracle does not know, a NoughtError."""

    name = "oracle"

    def __init__(self, oracle: Oracle, seed: int = 0) -> None:
        self.oracle = oracle
        self.random = np.random.default_rng(seed)
        self._judge = lru_cache(CACHED_POSITIONS)(oracle.judge)

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        return {g: int(self.random.choice(self.judge(position).best)) for g, position in positions.items()}

    def judge(self, position: Position) -> Truth:
        return self._judge(position)
