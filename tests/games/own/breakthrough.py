"""Breakthrough, on a board turned to the player to move: who first reaches the far row wins."""

import numpy as np

SIZE = (6, 5)  # rows, columns
ROWS, COLUMNS = SIZE
CELLS = ROWS * COLUMNS
assert ROWS >= 5, "there must be room between the sides"

STATE = (np.int8, CELLS + 2)  # cells: 0 empty, 1 the mover's piece, 2 the opponent's; row 0 is the far one
MOVER = CELLS
WON = CELLS + 1  #              1 when the opponent has just reached the far row
ACTIONS = 3 * CELLS  #          from a cell: ahead to the left, ahead, ahead to the right
PLANES = (2, ROWS, COLUMNS)
LONGEST = 2 * COLUMNS * 2 * ROWS
NOTATION = "numbers"
CELL_OF_ACTION = [action // 3 for action in range(ACTIONS)]
SYMMETRY = [
    (
        [cell // COLUMNS * COLUMNS + COLUMNS - 1 - cell % COLUMNS for cell in range(CELLS)],
        [
            3 * (action // 3 // COLUMNS * COLUMNS + COLUMNS - 1 - action // 3 % COLUMNS) + 2 - action % 3
            for action in range(ACTIONS)
        ],
    )
]


def start(state):
    for cell in range(2 * COLUMNS):
        state[cell] = 2
        state[CELLS - 1 - cell] = 1


def player(state):
    return state[MOVER]


def target(action):
    """The cell a move leads to, or -1 where there is none."""
    cell, step = action // 3, action % 3 - 1
    column = cell % COLUMNS + step
    if cell < COLUMNS or column < 0 or column >= COLUMNS:
        return -1
    return cell - COLUMNS + step


def legal_moves(state, moves):
    n = 0
    if finished(state):
        return n
    for action in range(ACTIONS):
        to = target(action)
        if to < 0 or state[action // 3] != 1:
            continue
        if state[to] == 0 or (state[to] == 2 and action % 3 != 1):
            moves[n] = action
            n += 1
    return n


def play(state, action):
    to = target(action)
    state[action // 3] = 0
    state[to] = 1
    if to < COLUMNS:
        state[WON] = 1
    state[MOVER] = 1 - state[MOVER]
    for cell in range((CELLS + 1) // 2):  # turn the board
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
    return True


def result(state):
    return 1.0 if state[MOVER] == 1 else -1.0


def planes(state, out):
    for cell in range(CELLS):
        if state[cell] != 0:
            out[state[cell] - 1, cell // COLUMNS, cell % COLUMNS] = 1.0
