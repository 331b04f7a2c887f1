"""What a network sees of positions, and which moves are legal there: many positions at once, compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nought.compile import Kernels, compiled
from nought.games.game import Game

KERNELS = Kernels(
    files=(Path(__file__).with_name("kernels") / "inputs.py",),
    called=("fill_legal", "fill_planes"),
    inlined=(),
)


class Inputs:
    """The states of a game as arrays that a network takes in."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._kernels = compiled(game, KERNELS)

    def planes(self, states: NDArray[Any], out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """The planes [n, planes, rows, columns] of states [n, state], written into `out` where it is given."""
        if out is None:
            out = np.empty((len(states), *self.game.planes_shape), np.float32)
        self._kernels.fill_planes(np.ascontiguousarray(states), out)
        return out

    def legal(self, states: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each action is legal [n, actions] in states [n, state]."""
        out = np.empty((len(states), self.game.actions), np.bool_)
        self._kernels.fill_legal(np.ascontiguousarray(states), out, np.zeros(self.game.actions, np.int32))
        return out
