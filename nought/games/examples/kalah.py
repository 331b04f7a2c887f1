"""Kalah: sow the stones of a pit around the board; whose last stone lands in the own store moves again.

A game of counts: who has more stones in the store at the end wins, by so many. A last stone in an own empty pit takes
the stones of the pit across; when a player has none left the other one stores what remains.
"""

import numpy as np

SIZE = (6, 4)  # pits of a player, stones in each of them at the start
PITS, STONES = SIZE
assert 1 <= PITS <= 20 and 2 * PITS * STONES <= 127, "a store must hold all stones, at most 127"

HALF = PITS + 1  #               a player's pits and store
STATE = (np.int8, 2 * HALF + 1)  # player 0's pits and store, player 1's pits and store; who is to move
MOVER = 2 * HALF
ACTIONS = PITS  #                counted from the mover's left
PLANES = (4, 1, PITS)  #         stones in the mover's pits and in those across; in both stores, everywhere
LONGEST = 40 * PITS * STONES

# The board as the mover sees it: the pits across, the stores at both ends, the mover's own pits.
BOARD = "pits"
WIDTH = PITS + 2
BOARD_SIZE = (3, WIDTH)
BOARD_TURNED = "half"
BOARD_A1 = "bottom left"
CELL_OF_ACTION = [2 * WIDTH + 1 + pit for pit in range(PITS)]


def picture(state):
    me, them = state[MOVER], 1 - state[MOVER]
    cells = [None] * (3 * WIDTH)
    for pit in range(PITS):
        cells[PITS - pit] = (them, state[them * HALF + pit])
        cells[2 * WIDTH + 1 + pit] = (me, state[me * HALF + pit])
    cells[WIDTH] = (them, state[them * HALF + PITS])  # the stores
    cells[2 * WIDTH - 1] = (me, state[me * HALF + PITS])
    return cells


def start(state):
    for pit in range(PITS):
        state[pit] = STONES
        state[HALF + pit] = STONES


def player(state):
    return state[MOVER]


def stones_in_pits(state, side):
    n = 0
    for pit in range(PITS):
        n += state[side * HALF + pit]
    return n


def legal_moves(state, moves):
    n = 0
    if finished(state):
        return n
    for pit in range(PITS):
        if state[state[MOVER] * HALF + pit] > 0:
            moves[n] = pit
            n += 1
    return n


def play(state, action):
    mover = int(state[MOVER])
    own, across = mover * HALF + PITS, (1 - mover) * HALF + PITS  # the stores
    at = mover * HALF + action
    hand = int(state[at])
    state[at] = 0
    while hand > 0:
        at = (at + 1) % (2 * HALF)
        if at != across:
            state[at] += 1
            hand -= 1
    if at // HALF == mover and at != own and state[at] == 1:
        opposite = 2 * PITS - at
        if state[opposite] > 0:
            state[own] += 1 + state[opposite]
            state[at] = 0
            state[opposite] = 0
    if at != own:
        state[MOVER] = 1 - mover
    if stones_in_pits(state, 0) == 0 or stones_in_pits(state, 1) == 0:
        for side in range(2):
            state[side * HALF + PITS] += stones_in_pits(state, side)
            state[side * HALF : side * HALF + PITS] = 0
        state[MOVER] = 0


def finished(state):
    return stones_in_pits(state, 0) == 0 and stones_in_pits(state, 1) == 0


def margin(state):
    return int(state[PITS]) - int(state[HALF + PITS])


def result(state):
    return float(np.sign(margin(state)))


def planes(state, out):
    mine = state[MOVER] * HALF
    theirs = HALF - mine
    for pit in range(PITS):
        out[0, 0, pit] = state[mine + pit]
        out[1, 0, pit] = state[theirs + pit]
        out[2, 0, pit] = state[mine + PITS]
        out[3, 0, pit] = state[theirs + PITS]
