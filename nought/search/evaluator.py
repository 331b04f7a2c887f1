"""Evaluators: positions in, policy and value out. The search asks for nothing else."""

from __future__ import annotations

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
