"""Hex: player 0 connects top and bottom, player 1 left and right."""

import numpy as np

SIZE = (5,)
N = SIZE[0]
CELLS = N * N
STATE = (np.int8, CELLS + 2)
MOVER, WON = CELLS, CELLS + 1
ACTIONS = CELLS
PLANES = (3, N, N)
LONGEST = CELLS
SYMMETRY = [(range(CELLS - 1, -1, -1), range(CELLS - 1, -1, -1))]  # half a turn


def player(state):
    return state[MOVER]


def legal_moves(state, moves):
    n = 0
    if not state[WON]:
        for cell in range(CELLS):
            if state[cell] == 0:
                moves[n] = cell
                n += 1
    return n


def play(state, action):
    mover = state[MOVER]
    state[action] = mover + 1
    state[MOVER] = 1 - mover
    seen = np.zeros(CELLS, np.int8)
    stack = np.zeros(CELLS, np.int16)
    stack[0] = action
    size, first, last = 1, False, False
    seen[action] = 1
    while size:
        size -= 1
        cell = stack[size]
        row, column = cell // N, cell % N
        along = row if mover == 0 else column
        first = first or along == 0
        last = last or along == N - 1
        for down, right in ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)):
            r, c = row + down, column + right
            if 0 <= r < N and 0 <= c < N:
                to = r * N + c
                if not seen[to] and state[to] == mover + 1:
                    seen[to] = 1
                    stack[size] = to
                    size += 1
    if first and last:
        state[WON] = 1


def finished(state):
    return bool(state[WON])


def result(state):
    return 1.0 if state[MOVER] == 1 else -1.0


def planes(state, out):
    mover = state[MOVER]
    for cell in range(CELLS):
        if state[cell]:
            out[0 if state[cell] == mover + 1 else 1, cell // N, cell % N] = 1.0
    out[2] = mover
