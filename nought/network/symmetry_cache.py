"""Positions that are alike: where all symmetries of a position are averaged, one evaluation serves all its images."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nought.games import Game
from nought.games.inputs import Inputs
from nought.network.evaluator import NetworkEvaluator
from nought.network.resnet import Network

Floats = NDArray[np.float32]

MOST_KINDS = 1 << 16


class OncePerKind(NetworkEvaluator):
    """An evaluator that averages over all symmetries, asked once for each kind of position.

    The planes of a position in all symmetries are the same set of boards for each of its images; the first of them
    in the order of their bytes stands for all. What was said of MOST_KINDS kinds at most is kept, until `forget`.
    """

    def __init__(self, game: Game, network: Network, **options: Any) -> None:
        super().__init__(game, network, **options)
        self.game, self.inputs = game, Inputs(game)
        self.said: dict[bytes, tuple[Floats, np.float32]] = {}

    def update(self, network: Network) -> None:
        """Go on with other weights of the same shape."""
        self.forget()
        super().update(network)

    def begin(self, number: int) -> None:
        """Answer from now on as whoever begins with this number does, whatever was asked before."""
        self.forget()
        super().begin(number)

    def forget(self) -> None:
        """Begin anew, so that what is said next does not depend on what was asked before."""
        self.said.clear()

    def __call__(self, states: NDArray[Any]) -> tuple[Floats, Floats]:
        if len(states) == 0:
            return super().__call__(states)
        if len(self.said) > MOST_KINDS:
            self.forget()
        planes = self.inputs.planes(states)
        images = [symmetry.apply_planes(planes) for symmetry in self.game.symmetries]
        kinds, turns = zip(*(_first(images, i) for i in range(len(states))), strict=True)
        new = {kind: i for i, kind in enumerate(kinds) if kind not in self.said}
        if new:
            asked = list(new.values())
            for i, policy, value in zip(asked, *super().__call__(states[asked]), strict=True):
                self.said[kinds[i]] = self.game.symmetries[turns[i]].apply_policy(policy), value
        answers = [
            (self.game.symmetries[turn].undo_policy(self.said[kind][0]), self.said[kind][1])
            for kind, turn in zip(kinds, turns, strict=True)
        ]
        policies, values = zip(*answers, strict=True)
        return np.stack(policies), np.array(values, np.float32)


def _first(images: list[Floats], i: int) -> tuple[bytes, int]:
    """The image of a position that stands for all, and by which symmetry it is got."""
    return min((image[i].tobytes(), turn) for turn, image in enumerate(images))
