"""What a network sees of positions, and which moves are legal there."""

import numpy as np

from nought.games.contract import legal_moves, planes


def fill_planes(states, out):
    """The network's input for each state, into `out` [states, planes, rows, columns]."""
    out[:] = np.float32(0)
    for i in range(states.shape[0]):
        planes(states[i], out[i])


def fill_legal(states, out, moves):
    """Whether each action is legal in each state, into `out` [states, actions]; `moves` [actions] is scratch."""
    out[:] = False
    for i in range(states.shape[0]):
        for j in range(legal_moves(states[i], moves)):
            out[i, moves[j]] = True
