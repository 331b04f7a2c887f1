"""Positions of random games, on which networks are tried and compared."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nought.games import Game


class PositionSample(NamedTuple):
    """Different positions, none of them finished, in no order."""

    planes: NDArray[np.float32]  #  [n, planes, rows, columns]
    legal: NDArray[np.bool_]  #     [n, actions]


@lru_cache(maxsize=16)
def random_sample(game: Game, count: int, seed: int = 0) -> PositionSample:
    """Positions of `count` random games at most: fewer than `count` in a small game, but the same each time."""
    random = np.random.default_rng(seed)
    found: dict[bytes, tuple[NDArray[np.float32], NDArray[np.bool_]]] = {}
    for _ in range(count):
        position = game.start()
        while len(found) < count and not position.finished:
            planes = position.planes()
            legal = np.isin(np.arange(game.actions), position.legal)
            found[planes.tobytes()] = planes, legal
            position = position.play(int(random.choice(position.legal)))
    mixed = random.permutation(len(found))
    planes, legal = (np.stack(parts)[mixed] for parts in zip(*found.values(), strict=True))
    return PositionSample(planes, legal)
