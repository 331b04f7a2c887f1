"""Tic-tac-toe: three in a row wins.

The simplest game file: read it before you write your own.
"""

import numpy as np

STATE = (np.int8, 10)  # nine cells, row by row: 0 empty, 1 player 0's, 2 player 1's; and who is to move
MOVER = 9
ACTIONS = 9
PLANES = (2, 3, 3)
LONGEST = 9
SYMMETRY = "square"
LENGTH = 3  # in a row

LINES = np.array(
    [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
)  # fmt: skip


def has_line(state, player):
    for i in range(8):
        a, b, c = LINES[i]
        if state[a] == state[b] == state[c] == player + 1:
            return True
    return False


def player(state):
    return state[MOVER]


def legal_moves(state, moves):
    n = 0
    if not has_line(state, 1 - state[MOVER]):  # only who has just moved can have won
        for cell in range(9):
            if state[cell] == 0:
                moves[n] = cell
                n += 1
    return n


def play(state, action):
    state[action] = state[MOVER] + 1
    state[MOVER] = 1 - state[MOVER]


def finished(state):
    if has_line(state, 1 - state[MOVER]):
        return True
    for cell in range(9):
        if state[cell] == 0:
            return False
    return True


def result(state):
    if has_line(state, 0):
        return 1.0
    return -1.0 if has_line(state, 1) else 0.0


def planes(state, out):
    for cell in range(9):
        if state[cell] != 0:
            out[0 if state[cell] == state[MOVER] + 1 else 1, cell // 3, cell % 3] = 1.0
