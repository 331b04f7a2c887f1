"""A function of planes as an evaluator of positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nought.games import Game
from nought.games.inputs import Inputs

Floats = NDArray[np.float32]


class FromPlanes:
    """A function of planes (a network) as an evaluator, averaged over `symmetries` random symmetries of each
    position.

    With `room` [rows, planes, rows, columns] the planes are written there, at most as many at a time as it holds:
    `forward` then always gets its first rows.
    """

    def __init__(
        self,
        game: Game,
        forward: Callable[[Floats], tuple[Floats, Floats]],
        symmetries: int = 1,
        seed: int = 0,
        room: Floats | None = None,
    ) -> None:
        self.game = game
        self.inputs = Inputs(game)
        self.forward = forward
        self.count = min(symmetries, len(game.symmetries))
        self.seed, self.random = seed, np.random.default_rng(seed)
        self.room = room
        assert room is None or len(room) >= self.count, "one position in all its symmetries must fit"

    def begin(self, number: int) -> None:
        """Draw symmetries from now on as whoever begins with this number does, whatever was drawn before."""
        self.random = np.random.default_rng([self.seed, number])

    def __call__(self, states: NDArray[Any]) -> tuple[Floats, Floats]:
        step = max(len(states), 1) if self.room is None else len(self.room) // self.count
        parts = [self._evaluate(states[i : i + step]) for i in range(0, len(states), step)]
        if len(parts) == 1:
            return parts[0]
        empty = np.empty((0, self.game.actions), np.float32), np.empty(0, np.float32)
        policies, values = zip(empty, *parts, strict=True)
        return np.concatenate(policies), np.concatenate(values)

    def _evaluate(self, states: NDArray[Any]) -> tuple[Floats, Floats]:
        room = None if self.room is None else self.room[: self.count * len(states)]
        if self.count == 1:
            return self.forward(self.inputs.planes(states, room))
        planes = self.inputs.planes(states)
        # in order: all symmetries give the same answer each time, to the last bit
        drawn = sorted(self.random.choice(len(self.game.symmetries), self.count, replace=False))
        chosen = [self.game.symmetries[i] for i in drawn]
        policy, value = self.forward(np.concatenate([s.apply_planes(planes) for s in chosen], out=room))
        policies = policy.reshape(self.count, len(states), -1)
        turned_back = [s.undo_policy(p) for s, p in zip(chosen, policies, strict=True)]
        return np.mean(turned_back, axis=0), value.reshape(self.count, -1).mean(axis=0)
