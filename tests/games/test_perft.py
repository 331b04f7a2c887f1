"""How many move sequences of each length there are, against the published counts."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import njit

from nought.compile import compiled
from nought.games import Game, load

KNOWN = {
    "tictactoe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "connect4": [7, 49, 343, 2401, 16807, 117649, 823536, 5673234],
    "othello": [4, 12, 56, 244, 1396, 8200, 55092, 390216],
}


def perft_of(game: Game) -> Callable[[int], int]:
    rules = compiled(game)
    play, legal_moves = rules.play, rules.legal_moves

    @njit  # type: ignore[untyped-decorator]
    def count(states: Any, moves: Any, depth: int) -> int:
        n = legal_moves(states[depth], moves[depth])
        if depth == len(states) - 1:
            return n
        total = 0
        for i in range(n):
            states[depth + 1] = states[depth]
            play(states[depth + 1], moves[depth, i])
            total += count(states, moves, depth + 1)
        return total

    def perft(depth: int) -> int:
        states = np.zeros((depth, game.state_length), game.state_dtype)
        rules.start(states[0])
        return count(states, np.zeros((depth, game.actions), np.int32), 0)

    return perft


@pytest.mark.parametrize("name", KNOWN)
def test_node_counts(name: str) -> None:
    perft = perft_of(load(name))
    assert [perft(depth) for depth in range(1, len(KNOWN[name]) + 1)] == KNOWN[name]
