"""Evaluators: positions in, policy and value out. The search asks for nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from nought.errors import NoughtError
from nought.games import Game
from nought.search.kernels import kernels

Floats = NDArray[np.float32]


class BadEvaluation(NoughtError, ValueError):
    """An evaluator's answer is none: not a number, a value outside [-1, 1] or a negative weight of a move."""


class Evaluator(Protocol):
    """states [n, state] → policy [n, actions] (any non-negative weights: the search masks and normalises) and
    value [n] for the player to move, in [-1, 1]. Other answers end a search with a BadEvaluation."""

    def __call__(self, states: NDArray[Any], /) -> tuple[Floats, Floats]: ...


class Native(NamedTuple):
    """How compiled code calls an evaluator by itself, on a device that works through graphs: positions go in as planes,
    a graph that takes at least as many is launched, and when its event has come the answers are there."""

    room: Floats  #                  [capacity, planes, rows, columns] the planes, from where the graphs fetch them
    answers: Floats  #               [capacity, actions + 1] policy and value, where the graphs leave them
    sizes: NDArray[np.int64]  #      [graphs] how many positions each takes; ascending
    graphs: NDArray[np.uint64]  #    [graphs]
    # stream, event, and the addresses of launch(graph, stream), record(event, stream) and wait(event)
    queue: NDArray[np.uint64]


class Uniform:
    """Knows nothing: every move alike, every position even."""

    def __init__(self, game: Game) -> None:
        self.actions = game.actions

    def __call__(self, states: NDArray[Any]) -> tuple[Floats, Floats]:
        return np.ones((len(states), self.actions), np.float32), np.zeros(len(states), np.float32)


class Rollout:
    """Plays one random game from each position: plain Monte-Carlo search."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.kernels = kernels(game)
        self.policy = Uniform(game)
        self.random = np.array([seed], np.uint64)
        self.moves = np.zeros(game.actions, np.int32)

    def __call__(self, states: NDArray[Any]) -> tuple[Floats, Floats]:
        policy, value = self.policy(states)
        self.kernels.rollouts(states.copy(), self.random, self.moves, value)
        return policy, value


class FromPlanes:
    """A function of planes (a network) as an evaluator, averaged over so many random symmetries of each
    position.

    With `room` [rows, planes, rows, columns] the planes are written there, at most as many at a time as it holds:
    `forward` always gets the first so many of its rows.
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
        self.kernels = kernels(game)
        self.forward = forward
        self.count = min(symmetries, len(game.symmetries))
        self.random = np.random.default_rng(seed)
        self.room = room
        assert room is None or len(room) >= self.count, "one position in all its symmetries must fit"

    def __call__(self, states: NDArray[Any]) -> tuple[Floats, Floats]:
        step = max(len(states), 1) if self.room is None else len(self.room) // self.count
        parts = [self._evaluate(states[i : i + step]) for i in range(0, len(states), step)]
        if len(parts) == 1:
            return parts[0]
        empty = np.empty((0, self.game.actions), np.float32), np.empty(0, np.float32)
        policies, values = zip(empty, *parts, strict=True)
        return np.concatenate(policies), np.concatenate(values)

    def _evaluate(self, states: NDArray[Any]) -> tuple[Floats, Floats]:
        rows = self.count * len(states)
        room = (
            np.empty((rows, *self.game.planes_shape), np.float32) if self.room is None else self.room[:rows]
        )
        planes = room if self.count == 1 else np.empty((len(states), *self.game.planes_shape), np.float32)
        self.kernels.fill_planes(np.ascontiguousarray(states), planes)
        if self.count == 1:
            return self.forward(planes)
        # in order: all symmetries give the same answer each time, to the last bit
        drawn = sorted(self.random.choice(len(self.game.symmetries), self.count, replace=False))
        chosen = [self.game.symmetries[i] for i in drawn]
        np.concatenate([s.apply_planes(planes) for s in chosen], out=room)
        policy, value = self.forward(room)
        policies = policy.reshape(self.count, len(states), -1)
        turned_back = [s.undo_policy(p) for s, p in zip(chosen, policies, strict=True)]
        return np.mean(turned_back, axis=0), value.reshape(self.count, -1).mean(axis=0)
