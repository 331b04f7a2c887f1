"""Nim: take stones from one row; whoever takes the last stone of all wins.

Stones lie in rows. A move takes one stone or more away, all from the same row: name the stone from which on the row is
cleared, to its right end. Nobody owns the stones, and there is no draw.
"""

import numpy as np

SIZE = (1, 3, 5, 7)  # stones in each row
ROWS, LONG = len(SIZE), max(SIZE)

STATE = (np.int8, ROWS + 1)  # the stones that each row still has, and who is to move
MOVER = ROWS
ACTIONS = ROWS * LONG  #       cell by cell: the stone from which on a row is cleared
PLANES = (1, ROWS, LONG)  #    where a stone lies
LONGEST = sum(SIZE)
START = np.array(SIZE, np.int8)
BOARD_COLOURS = ["plain" if stone < row else "off" for row in SIZE for stone in range(LONG)]


def picture(state):
    """The stones belong to nobody: a sign, and no player's colour."""
    return ["●" if stone < state[row] else None for row in range(ROWS) for stone in range(LONG)]


def start(state):
    for row in range(ROWS):
        state[row] = START[row]


def player(state):
    return state[MOVER]


def legal_moves(state, moves):
    n = 0
    for row in range(ROWS):
        for stone in range(state[row]):
            moves[n] = row * LONG + stone
            n += 1
    return n


def play(state, action):
    state[action // LONG] = action % LONG
    state[MOVER] = 1 - state[MOVER]


def finished(state):
    for row in range(ROWS):
        if state[row] > 0:
            return False
    return True


def result(state):
    return 1.0 if state[MOVER] == 1 else -1.0  # who has just moved has taken the last stone


def planes(state, out):
    for row in range(ROWS):
        for stone in range(state[row]):
            out[0, row, stone] = 1.0
