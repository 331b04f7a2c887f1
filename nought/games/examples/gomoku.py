"""Gomoku: five in a row, in any direction, wins.

Players put a stone of theirs on an empty cell in turn. The first unbroken row of five stones or more, along a row, a
column or a diagonal, wins; a full board without one is a draw.
"""

import numpy as np

SIZE = (9, 9, 5)  # rows, columns, how many in a row
ROWS, COLUMNS, LENGTH = SIZE
CELLS = ROWS * COLUMNS
assert 2 <= LENGTH <= max(ROWS, COLUMNS), "the row to make must fit on the board"

STATE = (np.int8, CELLS + 2)  # the cells: 0 empty, 1 player 0's stone, 2 player 1's; and the two below
MOVER = CELLS  #                who is to move
WON = CELLS + 1  #              1 when the last stone has made a row
ACTIONS = CELLS
PLANES = (2, ROWS, COLUMNS)
LONGEST = CELLS
SYMMETRY = "square" if ROWS == COLUMNS else "rectangle"


def run(state, cell, down, right):
    """How many equal stones stand in one direction from a cell, this one included."""
    row, column, n = cell // COLUMNS, cell % COLUMNS, 0
    while 0 <= row < ROWS and 0 <= column < COLUMNS and state[row * COLUMNS + column] == state[cell]:
        row, column, n = row + down, column + right, n + 1
    return n


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
    state[action] = state[MOVER] + 1
    state[MOVER] = 1 - state[MOVER]
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        # the stone counts twice
        if run(state, action, down, right) + run(state, action, -down, -right) > LENGTH:
            state[WON] = 1


def finished(state):
    if state[WON]:
        return True
    for cell in range(CELLS):
        if state[cell] == 0:
            return False
    return True


def result(state):
    if not state[WON]:
        return 0.0
    return 1.0 if state[MOVER] == 1 else -1.0  # who has just moved has won


def planes(state, out):
    for cell in range(CELLS):
        if state[cell] == state[MOVER] + 1:
            out[0, cell // COLUMNS, cell % COLUMNS] = 1.0
        elif state[cell] != 0:
            out[1, cell // COLUMNS, cell % COLUMNS] = 1.0
