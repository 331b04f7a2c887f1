"""How long iterations take, so that a run ends when its minutes do."""

from __future__ import annotations

import math

LAST_EXTRA = 0.1  # by this share an iteration may be larger than others, if it is the last one then
LEAST_SHARE = 0.05  # share of its usual positions that an iteration has at least


class Pace:
    """What the last iteration took: a time for every position, and a time for the rest."""

    def __init__(self) -> None:
        self.of_position = self.of_rest = 0.0  # seconds

    @property
    def known(self) -> bool:
        return self.of_position > 0

    def observe(self, positions: int, working: float, seconds: float) -> None:
        """Note how many seconds an iteration took, and how many of those its positions took (`working`)."""
        self.of_position, self.of_rest = working / positions, max(0.0, seconds - working)

    def positions(self, usual: int, seconds: float) -> int:
        """How many positions the next iteration is to have, so that iterations of equal size fill these seconds."""
        if not self.known:
            return usual
        iterations = max(1, math.ceil(seconds / (self.of_rest + usual * self.of_position) - LAST_EXTRA))
        fitting = (seconds / iterations - self.of_rest) / self.of_position
        return math.ceil(usual * min(1 + LAST_EXTRA, max(LEAST_SHARE, fitting / usual)))
