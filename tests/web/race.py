"""Race: put one or two stones on a track; who fills it wins. A game whose moves have no place on the board."""

import numpy as np

LENGTH = 7
STATE = (np.uint64, 2)  # how many cells are filled; whose stones they are, as bits
ACTIONS = 2
PLANES = (2, 1, LENGTH)
LONGEST = LENGTH

FILLED, OWNERS = 0, 1
ONE = np.uint64(1)
MOVER = np.uint64(LENGTH)  # the bit of OWNERS that says who is to move


def player(state):
    return int((state[OWNERS] >> MOVER) & ONE)


def legal_moves(state, moves):
    n = 0
    for action in range(ACTIONS):
        if state[FILLED] + np.uint64(action + 1) <= np.uint64(LENGTH):
            moves[n] = action
            n += 1
    return n


def play(state, action):
    for _ in range(action + 1):
        if player(state):
            state[OWNERS] |= ONE << state[FILLED]
        state[FILLED] += ONE
    state[OWNERS] ^= ONE << MOVER


def finished(state):
    return state[FILLED] == np.uint64(LENGTH)


def result(state):
    return 1.0 if player(state) == 1 else -1.0  # who has just moved has won


def planes(state, out):
    for cell in range(LENGTH):
        if np.uint64(cell) < state[FILLED]:
            theirs = int((state[OWNERS] >> np.uint64(cell)) & ONE) != player(state)
            out[int(theirs), 0, cell] = 1.0
