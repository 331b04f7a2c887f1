"""Positions of random games, and truth by plain minimax through the rules."""

from __future__ import annotations

from functools import cache

import numpy as np

from nought.games import Game, Position


def late_positions(game: Game, count: int, most_left: int, seed: int = 0) -> list[Position]:
    """Unfinished positions of random games in which at most this many moves can follow."""
    random, found = np.random.default_rng(seed), dict[Position, None]()
    while len(found) < count:
        position = game.start()
        while not position.finished:
            if game.longest - len(position.moves) <= most_left:
                found[position] = None
            position = position.play(int(random.choice(position.legal)))
    return list(found)[:count]


@cache
def final_margin(position: Position) -> int:
    """For player 0 under perfect play."""
    if position.finished:
        return position.margin
    return (max, min)[position.player](final_margin(position.play(move)) for move in position.legal)


@cache
def result_and_plies(position: Position) -> tuple[float, int]:
    """For player 0 under perfect play that wins soon and loses late: the result and how many plies away it is."""
    if position.finished:
        return position.result, 0
    sign = -1 if position.player else 1
    ends = [result_and_plies(position.play(move)) for move in position.legal]
    result, plies = max(ends, key=lambda end: (sign * end[0], -sign * end[0] * end[1]))
    return result, plies + 1
