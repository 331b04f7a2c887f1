"""A game of named positions, for searches that can be worked out by hand.

Its file uses on purpose many names that the search's kernels use too (P, Q, N, FULL, find, step, group …).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nought.games import Position
from nought.games.registry import game_from_source

# Who is to move, and where moves 0, 1, 2 lead; or the result for player 0.
POSITIONS: dict[str, tuple[int, str] | float] = {
    "even": 0.0,
    "won": 1.0,
    "lost": -1.0,
    "half": 0.5,
    "quarter": 0.25,
    # two moves, two answers to each
    "fork": (0, "left right"),
    "left": (1, "left0 left1"),
    "right": (1, "right0 right1"),
    "left0": (0, "even"),
    "left1": (0, "even"),
    "right0": (0, "even"),
    "right1": (0, "even"),
    # two orders of moves reach `both`
    "diamond": (0, "near far"),
    "near": (1, "both near1"),
    "far": (1, "both far1"),
    "near1": (0, "even"),
    "far1": (0, "even"),
    "both": (0, "both0 both1"),
    "both0": (1, "even"),
    "both1": (1, "even"),
    # player 0 moves three times in a row
    "run1": (0, "run2"),
    "run2": (0, "run3"),
    "run3": (0, "after"),
    "after": (1, "after0"),
    "after0": (1, "even"),
    # every move loses: at once, or two moves later
    "doomed": (0, "soon late"),
    "soon": (1, "lost"),
    "late": (1, "later"),
    "later": (0, "last"),
    "last": (1, "lost"),
    # a move that loses, one that draws, one that is not clear yet
    "mixed": (0, "soon draw right"),
    "draw": (1, "even"),
    # results between draw and win
    "parts": (0, "quarter half even"),
    # the first move loses, the second is even
    "trap": (0, "lost right"),
}
NAMES = list(POSITIONS)

SOURCE = f'''"""Named positions."""
import numpy as np

STATE = (np.int16, 1)
ACTIONS = 3
PLANES = (1, 1, 1)
LONGEST = 6
FULL = -1
P = np.array({[p[0] if isinstance(p, tuple) else 0 for p in POSITIONS.values()]})
Q = np.array({[0.0 if isinstance(p, tuple) else p for p in POSITIONS.values()]})
N = np.array({[
    [NAMES.index(to) for to in p[1].split()] + [-1] * (3 - len(p[1].split()))
    if isinstance(p, tuple) else [-1] * 3
    for p in POSITIONS.values()
]})
ROOT, ONE, TAG, CHILD, VALUE, LEAF, KNOWN, U, ZERO32, mix, uniform = range(11)


def start(state):
    state[0] = {NAMES.index("fork")}


def find(state, action):
    return N[state[0], action]


def step(state, action):
    state[0] = find(state, action)


def group(state):
    return P[state[0]]


def expand(state):
    return find(state, ROOT) == FULL


def sample(state):
    return Q[state[0]]


def player(state):
    return group(state)


def legal_moves(state, moves):
    n = 0
    for action in range(ACTIONS):
        if find(state, action) != FULL:
            moves[n] = action
            n += ONE
    return n


def play(state, action):
    step(state, action)


def finished(state):
    return expand(state)


def result(state):
    return sample(state)


def planes(state, out):
    out[0, 0, 0] = state[0]
'''  # fmt: skip
TINY = game_from_source("tiny", SOURCE)


def at(name: str) -> Position:
    return Position(TINY, np.array([NAMES.index(name)], np.int16))


class Table:
    """Evaluates positions by name: {name: (weights of the moves, value for the player to move)}; other
    positions are even. Notes what it was asked."""

    def __init__(self, answers: dict[str, tuple[tuple[float, ...], float]]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def __call__(self, states: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        policy, value = np.ones((len(states), 3), np.float32), np.zeros(len(states), np.float32)
        for i, (number,) in enumerate(states.tolist()):
            self.asked.append(NAMES[number])
            if NAMES[number] in self.answers:
                weights, value[i] = self.answers[NAMES[number]]
                policy[i, : len(weights)] = weights
        return policy, value

    def of(self, position: Position) -> tuple[list[float], float]:
        """Policy and value of one position."""
        policy, value = self(position.state[None])
        return policy[0].tolist(), float(value[0])
