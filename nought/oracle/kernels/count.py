"""Counting positions move by move, on top of a game's rules (compiled by nought.compile).

The positions after so many moves are `states` [n, state]; `ways` [n] says by how many orders of moves each is reached.
"""

import numpy as np

from nought.games.contract import ACTIONS, LONGEST, finished, legal_moves, play, start
from nought.oracle.kernels.exhaustive import place


def one_move_on(states, ways, count, new_states, new_ways, slots, new_count):
    """Find the positions one move further on, each once; False where there is no room for all of them."""
    moves = np.zeros(ACTIONS, np.int32)
    for i in range(count):
        if finished(states[i]):
            continue
        for j in range(legal_moves(states[i], moves)):
            if new_count[0] == len(new_states):
                return False
            state = states[i].copy()
            play(state, moves[j])
            new_ways[place(state, new_states, slots, new_count)] += ways[i]
    return True


def ended(states, ways, count):
    """How many of these positions are finished, and in how many ways they are reached."""
    positions, games = 0, 0.0
    for i in range(count):
        if finished(states[i]):
            positions += 1
            games += ways[i]
    return positions, games


def random_choices(state, seed, widths):
    """Play a random game from a zeroed state: how many moves there were to choose from, move by move; its length."""
    np.random.seed(seed)
    start(state)
    moves = np.zeros(ACTIONS, np.int32)
    length = 0
    while length < LONGEST and not finished(state):
        widths[length] = legal_moves(state, moves)
        play(state, moves[np.random.randint(widths[length])])
        length += 1
    return length
