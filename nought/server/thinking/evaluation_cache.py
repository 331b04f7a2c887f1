"""What an evaluator has said, for all clients of an agent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nought.search import Evaluator
from nought.server.thinking.jobs import Answers, States

Answer = tuple[NDArray[np.float32], np.float32]  # [actions] policy, and value
MOST_KEPT = 100_000  # evaluations that are kept, and as many again that are older


class EvaluationCache:
    """Evaluations by position, for several threads. The older half is dropped when there are too many."""

    def __init__(self) -> None:
        self.recent: dict[bytes, Answer] = {}
        self.older: dict[bytes, Answer] = {}

    def get(self, key: bytes) -> Answer | None:
        return self.recent.get(key) or self.older.get(key)

    def put(self, key: bytes, answer: Answer) -> None:
        if len(self.recent) >= MOST_KEPT:
            self.older, self.recent = self.recent, {}
        self.recent[key] = answer


class RememberingEvaluator:
    """An evaluator of one thread, which is not asked what the cache knows."""

    def __init__(self, evaluate: Evaluator, cache: EvaluationCache | None) -> None:
        self._evaluate, self._cache = evaluate, cache
        self.evaluated = self.batches = self.remembered = 0  # positions, calls, positions that needed none

    def __call__(self, states: States) -> Answers:
        """The evaluations of positions: those that are remembered, and those that have to be made."""
        if self._cache is None:
            return self._make(states)
        keys = [state.tobytes() for state in states]
        found = {key: self._cache.get(key) for key in keys}
        unknown = [key for key, answer in found.items() if answer is None]
        if unknown:
            first = {key: i for i, key in reversed(list(enumerate(keys)))}
            policies, values = self._make(states[[first[key] for key in unknown]])
            for key, policy, value in zip(unknown, policies, values, strict=True):
                found[key] = made = policy.copy(), value
                self._cache.put(key, made)
        self.remembered += len(states) - len(unknown)
        return _stacked([answer for key in keys if (answer := found[key]) is not None])

    def recall(self, states: States) -> Answers | None:
        """The evaluations of positions that are all remembered."""
        if self._cache is None:
            return None
        known = []
        for state in states:
            answer = self._cache.get(state.tobytes())
            if answer is None:
                return None
            known.append(answer)
        self.remembered += len(known)
        return _stacked(known)

    def _make(self, states: States) -> Answers:
        self.batches += 1
        self.evaluated += len(states)
        return self._evaluate(states)


def _stacked(answers: list[Answer]) -> Answers:
    return np.stack([policy for policy, _ in answers]), np.array([value for _, value in answers], np.float32)
