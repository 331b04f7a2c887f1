"""Kalah: sow stones around the board; a last stone in your own store moves again, the larger store wins."""

import numpy as np

SIZE = (4, 3)  # pits of a player, stones in each at the start
PITS, STONES = SIZE
STORE, OTHER_STORE, MOVER = PITS, 2 * PITS + 1, 2 * PITS + 2
STATE = (np.int8, 2 * PITS + 3)  # player 0's pits and store, player 1's pits and store, who is to move
ACTIONS = PITS
PLANES = (4, 1, PITS)  # own pits, the opponent's, own store, the opponent's
LONGEST = 40 * PITS * STONES
assert 2 * PITS * STONES <= 127, "a store must hold all stones"


def start(state):
    for pit in range(PITS):
        state[pit] = STONES
        state[PITS + 1 + pit] = STONES


def player(state):
    return state[MOVER]


def is_empty(state, side):
    for pit in range(PITS):
        if state[side * (PITS + 1) + pit]:
            return False
    return True


def legal_moves(state, moves):
    n = 0
    if finished(state):
        return 0
    for pit in range(PITS):
        if state[state[MOVER] * (PITS + 1) + pit]:
            moves[n] = pit
            n += 1
    return n


def play(state, action):
    mover = int(state[MOVER])
    own, theirs = STORE + mover * (PITS + 1), STORE + (1 - mover) * (PITS + 1)
    at = mover * (PITS + 1) + action
    hand = int(state[at])
    state[at] = 0
    while hand:
        at = (at + 1) % (2 * PITS + 2)
        if at != theirs:
            state[at] += 1
            hand -= 1
    if at // (PITS + 1) == mover and at != own and state[at] == 1:
        opposite = 2 * PITS - at
        state[own] += 1 + state[opposite]
        state[at] = 0
        state[opposite] = 0
    if at != own:
        state[MOVER] = 1 - mover
    if is_empty(state, 0) or is_empty(state, 1):
        for side in range(2):
            for pit in range(PITS):
                state[STORE + side * (PITS + 1)] += state[side * (PITS + 1) + pit]
                state[side * (PITS + 1) + pit] = 0
        state[MOVER] = 0
    elif is_empty(state, state[MOVER]):
        state[MOVER] = 1 - state[MOVER]


def finished(state):
    return is_empty(state, 0) and is_empty(state, 1)


def margin(state):
    return int(state[STORE]) - int(state[OTHER_STORE])


def result(state):
    return np.sign(margin(state))


def planes(state, out):
    mover = state[MOVER]
    for pit in range(PITS):
        out[0, 0, pit] = state[mover * (PITS + 1) + pit]
        out[1, 0, pit] = state[(1 - mover) * (PITS + 1) + pit]
        out[2, 0, pit] = state[STORE + mover * (PITS + 1)]
        out[3, 0, pit] = state[STORE + (1 - mover) * (PITS + 1)]
