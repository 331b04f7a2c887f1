"""My game: put stones on the board in turn; three in a row, in any direction, win.

Write here how your game is played: the players see it on the page. In this one they put a stone of theirs on an empty
cell in turn, and a full board without a row is a draw.
"""

# Change what is below, and ask `nought check` whether it is right. docs/guide/your-own-game.md says all that a game's
# file can have.

import numpy as np

# ---- facts: everything else follows from these numbers -----------------------------------------------------------
SIZE = (4, 5, 3)  # rows, columns, stones in a row: `nought play FILE:6x7:4` plays it with other numbers
ROWS, COLUMNS, LENGTH = SIZE
CELLS = ROWS * COLUMNS
assert 2 <= LENGTH <= max(ROWS, COLUMNS), "the row to make must fit on the board"

# A position is a fixed number of whole numbers, all zero at the start (a function `start(state)` may change them).
# It holds all that matters for the rest of the game, and nothing else.
STATE = (np.int8, CELLS + 2)  # the cells, row by row: 0 empty, 1 a stone of player 0, 2 of player 1; then:
MOVER = CELLS  #                who is to move, 0 or 1
WON = CELLS + 1  #              1 once somebody has a row
ACTIONS = CELLS  #              moves are numbered from 0: here, a stone on each cell
PLANES = (2, ROWS, COLUMNS)  #  what the network sees: so many boards of 0s and 1s
LONGEST = CELLS  #              no game has more moves
SYMMETRY = (
    "square" if ROWS == COLUMNS else "rectangle"
)  # or "mirror" or "none": what may be turned and mirrored


# ---- helpers of your own: numbers, arrays and loops, nothing from other files ---------------------------------------
def run(state, cell, down, right):
    """How many equal stones stand in one direction from a cell, this one included."""
    row, column, n = cell // COLUMNS, cell % COLUMNS, 0
    while 0 <= row < ROWS and 0 <= column < COLUMNS and state[row * COLUMNS + column] == state[cell]:
        row, column, n = row + down, column + right, n + 1
    return n


# ---- rules -------------------------------------------------------------------------------------------------------
def player(state):
    """Who is to move. Players need not alternate: this says who it is."""
    return state[MOVER]


def legal_moves(state, moves):
    """Write the numbers of the legal moves into `moves`, ascending, and return how many; none when it is over."""
    n = 0
    if not state[WON]:
        for cell in range(CELLS):
            if state[cell] == 0:
                moves[n] = cell
                n += 1
    return n


def play(state, action):
    """Change the state by a legal move."""
    state[action] = state[MOVER] + 1
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        if run(state, action, down, right) + run(state, action, -down, -right) - 1 >= LENGTH:
            state[WON] = 1
    state[MOVER] = 1 - state[MOVER]


def finished(state):
    """Whether the game is over."""
    if state[WON]:
        return True
    for cell in range(CELLS):
        if state[cell] == 0:
            return False
    return True


def result(state):
    """How a finished game ended for player 0: 1 won, -1 lost, 0 drawn."""
    if not state[WON]:
        return 0.0
    return 1.0 if state[MOVER] == 1 else -1.0  # who has just moved has won


def planes(state, out):
    """Fill `out`, which is all zeros, as the player to move sees the board: its stones in plane 0, the others in 1."""
    for cell in range(CELLS):
        if state[cell] != 0:
            out[0 if state[cell] == state[MOVER] + 1 else 1, cell // COLUMNS, cell % COLUMNS] = 1.0
