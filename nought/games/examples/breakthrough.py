"""Breakthrough: pieces step ahead, straight or askew, and take askew; who first reaches the far row wins.

A game of moves from cell to cell. The state is always as the player to move sees it, so that the network learns one
direction only; `BOARD_TURNED` says so, and boards and moves are shown to people as they stand on the table.
"""

import numpy as np

SIZE = (6, 6)  # rows, columns
ROWS, COLUMNS = SIZE
CELLS = ROWS * COLUMNS
assert ROWS >= 5 and COLUMNS >= 2, "there are two columns or more, and five rows: room between the sides"

STATE = (np.int8, CELLS + 2)  # cells: 0 empty, 1 the mover's piece, 2 the opponent's; row 0 is the far one
MOVER = CELLS  #                who is to move
WON = CELLS + 1  #              1 when the opponent has just reached the far row
ACTIONS = 3 * CELLS  #          from each cell: ahead to the left, ahead, ahead to the right
PLANES = (2, ROWS, COLUMNS)
LONGEST = 2 * COLUMNS * (2 * ROWS - 3) + 1


def target_of(action):
    """The cell that a move leads to, or -1 where that is not on the board."""
    cell, step = action // 3, action % 3 - 1
    if cell < COLUMNS or not 0 <= cell % COLUMNS + step < COLUMNS:
        return -1
    return cell - COLUMNS + step


TARGET = np.array([target_of(action) for action in range(ACTIONS)])
ORIGIN_OF_ACTION = np.arange(ACTIONS) // 3
CELL_OF_ACTION = TARGET
SYMMETRY = "mirror"

BOARD_TURNED = "half"
BOARD_A1 = "bottom left"
BOARD_COLOURS = "checkered"
BOARD_SIDES = (0, None, 1, None)  # whose goal is at the top, right, bottom and left


def start(state):
    for cell in range(2 * COLUMNS):
        state[cell] = 2
        state[CELLS - 1 - cell] = 1


def player(state):
    return state[MOVER]


def legal_moves(state, moves):
    n = 0
    if finished(state):
        return n
    for action in range(ACTIONS):
        to = TARGET[action]
        if state[action // 3] != 1 or to < 0:
            continue
        if state[to] == 0 or (state[to] == 2 and action % 3 != 1):
            moves[n] = action
            n += 1
    return n


def play(state, action):
    to = TARGET[action]
    state[action // 3] = 0
    state[to] = 1
    state[WON] = 1 if to < COLUMNS else 0
    state[MOVER] = 1 - state[MOVER]
    for cell in range((CELLS + 1) // 2):  # turn the board: the other player sees it from the other side
        other = CELLS - 1 - cell
        a, b = state[cell], state[other]
        state[cell] = 3 - b if b else 0
        state[other] = 3 - a if a else 0


def finished(state):
    if state[WON]:
        return True
    for cell in range(CELLS):
        if state[cell] == 1:
            return False
    return True  # the last piece was taken


def result(state):
    return 1.0 if state[MOVER] == 1 else -1.0  # who has just moved has won


def planes(state, out):
    for cell in range(CELLS):
        if state[cell] != 0:
            out[state[cell] - 1, cell // COLUMNS, cell % COLUMNS] = 1.0
