"""Test sets made on the spot, for games that come without one."""

from __future__ import annotations

import numpy as np

from nought.games import Game, Position
from nought.oracle.labelled import Labelled, stage
from nought.oracle.truth import Oracle

POSITIONS_PER_GAME = 2  # positions of a game
GAMES_PER_POSITION = 20  # at most for each position wanted: a tiny game has no more


def sample_positions(game: Game, oracle: Oracle, count: int = 500, seed: int = 0) -> list[Labelled]:
    """Labelled positions of random games, no two alike: `count` of them, or all where the game has fewer."""
    random = np.random.default_rng(seed)
    found: dict[Position, Labelled] = {}
    for _ in range(GAMES_PER_POSITION * count):
        line = [game.start()]
        while not line[-1].finished:
            line.append(line[-1].play(int(random.choice(line[-1].legal))))
        for i in random.permutation(len(line) - 1)[:POSITIONS_PER_GAME]:
            if line[i] not in found and len(found) < count:
                found[line[i]] = Labelled(line[i], stage(line[i]), oracle.judge(line[i]))
        if len(found) == count:
            break
    return list(found.values())
