"""The window: the positions that are learned from, the newest ones replacing the oldest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nought.config import LearningParameters
from nought.games import Game
from nought.games.inputs import Inputs
from nought.selfplay.worker import Samples


@dataclass(frozen=True)
class TrainingBatch:
    """What a gradient step sees. Values are for the player to move."""

    planes: NDArray[np.float32]  #  [n, planes, rows, columns]
    legal: NDArray[np.bool_]  #     [n, actions]
    policy: NDArray[np.float32]  #  [n, actions]
    value: NDArray[np.float32]  #   [n] the target: outcome, search value or proven value
    margin: NDArray[np.float32]  #  [n]

    def __len__(self) -> int:
        return len(self.value)

    def split(self, parts: int) -> list[TrainingBatch]:
        """The same positions in `parts` batches of about equal size."""
        arrays = (self.planes, self.legal, self.policy, self.value, self.margin)
        split = [np.array_split(array, parts) for array in arrays]
        return [TrainingBatch(*part) for part in zip(*split, strict=True)]


class Draw(NamedTuple):
    """Which positions of the window, and in which symmetry each."""

    chosen: NDArray[np.intp]  #         [n]
    turn: NDArray[np.intp] | None  #    [n]; None: as they are


class Window:
    """The newest positions of self-play, which the network learns from."""

    def __init__(self, game: Game, parameters: LearningParameters) -> None:
        self.game, self.parameters = game, parameters
        self.inputs = Inputs(game)
        self.samples: Samples | None = None
        self.weights: NDArray[np.float64] | None = None
        # in how many images a position is learned: all symmetries, or as it is
        self.images = len(game.symmetries) if parameters.symmetries else 1
        # [held] where positions are consumed: a bit for each image that has not been learned from
        self.left = np.empty(0, np.uint8)

    def __len__(self) -> int:
        """How many positions can be learned from; of one that is partly consumed that part counts."""
        if self.parameters.consumed:
            return int(np.bitwise_count(self.left).sum()) // self.images
        return self.held

    @property
    def held(self) -> int:
        """How many positions are kept, those that are consumed among them."""
        return len(self.samples) if self.samples is not None else 0

    def add(self, samples: Samples, size: int) -> None:
        """Add new positions and keep the newest `size`."""
        old = self.samples
        joined = samples if old is None else Samples(*map(np.concatenate, zip(old, samples, strict=True)))
        self.samples = Samples(*(array[-size:] for array in joined))  # type: ignore[arg-type]
        self.weigh(self.samples.surprise)
        self.count_in(len(samples))

    def count_in(self, new: int) -> None:
        """Nothing has been learned yet from the newest positions, so many."""
        if self.parameters.consumed:
            fresh = np.full(new, (1 << self.images) - 1, np.uint8)
            self.left = np.concatenate([self.left, fresh])[-self.held :]

    def weigh(self, surprise: NDArray[np.float32]) -> None:
        """Mix even sampling with sampling by surprise, as much as the parameters say."""
        if (share := self.parameters.surprise) > 0:
            raised = np.maximum(surprise.astype(np.float64), 1e-9)
            weights = (1 - share) / len(raised) + share * raised / raised.sum()
            self.weights = weights / weights.sum()

    def draw(self, size: int, random: np.random.Generator) -> Draw:
        """Draw `size` positions of the window, each in a random symmetry."""
        if self.parameters.consumed:
            return self._consume(size, random)
        chosen = (
            random.integers(len(self), size=size)
            if self.weights is None
            else random.choice(len(self), size=size, p=self.weights)
        )
        return Draw(chosen, random.integers(self.images, size=size) if self.images > 1 else None)

    def _consume(self, size: int, random: np.random.Generator) -> Draw:
        """Draw images of positions, none of them twice until fewer are left than are wanted: then all come back."""
        if np.bitwise_count(self.left).sum() < size:
            self.left[:] = (1 << self.images) - 1
        there = np.flatnonzero(self.left[:, None] >> np.arange(self.images) & 1)
        chosen, turn = np.divmod(random.choice(there, size, replace=size > len(there)), self.images)
        np.bitwise_and.at(self.left, chosen, ~(1 << turn).astype(np.uint8))
        return Draw(chosen, turn if self.images > 1 else None)

    def consume_again(self, left: bytes) -> None:
        """What had been learned from when `left` was written down has been learned from; it ends with the newest."""
        there = np.frombuffer(left, np.uint8)[-self.held :] if self.held else np.empty(0, np.uint8)
        self.left[len(self.left) - len(there) :] = there

    def batch(self, drawn: Draw) -> TrainingBatch:
        """What has been drawn, as a network learns from it."""
        samples, (chosen, turn) = self.samples, drawn
        assert samples is not None
        states = samples.states[chosen]
        planes, legal = self.inputs.planes(states), self.inputs.legal(states)
        policy = policy_target(samples.policy[chosen], self.parameters)
        if turn is not None:
            for i, symmetry in enumerate(self.game.symmetries):
                these = turn == i
                planes[these] = symmetry.apply_planes(planes[these])
                policy[these] = symmetry.apply_policy(policy[these])
                legal[these] = symmetry.apply_policy(legal[these])
        return TrainingBatch(
            planes, legal, policy, value_target(samples, chosen, self.parameters), samples.margin[chosen]
        )


def policy_target(policy: NDArray[np.float32], parameters: LearningParameters) -> NDArray[np.float32]:
    """The search's policy, or policy^(1/τ) in proportion."""
    if parameters.target_temperature == 1:
        return policy
    raised = (policy / policy.max(axis=1, keepdims=True)) ** (1 / parameters.target_temperature)
    return (raised / raised.sum(axis=1, keepdims=True)).astype(np.float32)


def value_target(
    samples: Samples, chosen: NDArray[np.intp], parameters: LearningParameters
) -> NDArray[np.float32]:
    """The outcome of the game mixed with the search's value; where the search has a proof, that."""
    share = np.float32(parameters.search_share)
    target = (1 - share) * samples.outcome[chosen] + share * samples.value[chosen]
    if parameters.proven_targets:
        target = np.where(samples.proven[chosen], samples.value[chosen], target)
    return target.astype(np.float32)
