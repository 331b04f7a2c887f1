"""Connect 4 as the papers number its moves: a move is the cell where a stone comes to rest, one of 42.

A file of its own, and not a size of connect4, so that what has learned connect4 still knows its rules."""

import numpy as np

SIZE = (6, 7, 4)  # rows, columns, how many in a row
ROWS, COLUMNS, LENGTH = SIZE
assert 1 <= ROWS * COLUMNS <= 64, "a board has 1 to 64 cells"
assert 2 <= LENGTH <= max(ROWS, COLUMNS), "the row to make must fit on the board and be 2 or more"

STATE = (np.uint64, 2)  # stones of the player to move; all stones. Bit column * ROWS + height.
MINE, ALL = 0, 1
ACTIONS = ROWS * COLUMNS
PLANES = (2, ROWS, COLUMNS)
LONGEST = ROWS * COLUMNS
SYMMETRY = "mirror"
CELL_OF_ACTION = range(ROWS * COLUMNS)  # row by row, from the upper left one
BOARD_A1 = "bottom left"


def board(cells):
    """The cells (column, height) as a bitboard."""
    return np.uint64(sum(1 << (c * ROWS + h) for c, h in cells))


ONE = np.uint64(1)
CELLS = [(c, h) for c in range(COLUMNS) for h in range(ROWS)]
FULL = board(CELLS)
CELL = np.array([board([(a % COLUMNS, ROWS - 1 - a // COLUMNS)]) for a in range(ACTIONS)], np.uint64)
DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1))  # column and height steps
# SHIFT[d, k]: k steps in direction d (a shift by 64 or more, which only narrow boards have, is undefined)
SHIFT = np.array([[min(k * (c * ROWS + h), 63) for k in range(LENGTH)] for c, h in DIRECTIONS], np.uint64)
# INSIDE[d, k]: the cells from which k steps in direction d stay on the board
INSIDE = np.array(
    [
        [
            board([(c, h) for c, h in CELLS if c + k * dc < COLUMNS and 0 <= h + k * dh < ROWS])
            for k in range(LENGTH)
        ]
        for dc, dh in DIRECTIONS
    ],
    np.uint64,
)


def has_row(stones):
    for d in range(4):
        run = stones  # cells that start a run of 1, 2, … stones
        for k in range(1, LENGTH):
            run &= (stones >> SHIFT[d, k]) & INSIDE[d, k]
        if run:
            return True
    return False


def count(stones):
    n = 0
    while stones:
        stones &= stones - ONE
        n += 1
    return n


def player(state):
    return count(state[ALL]) & 1


def legal_moves(state, moves):
    n = 0
    if not has_row(state[ALL] ^ state[MINE]):
        for a in range(ACTIONS):
            rests = a >= ACTIONS - COLUMNS or state[ALL] & CELL[a + COLUMNS]
            if rests and not state[ALL] & CELL[a]:
                moves[n] = a
                n += 1
    return n


def play(state, action):
    state[MINE] ^= state[ALL]  # the opponent is to move
    state[ALL] |= CELL[action]


def finished(state):
    return state[ALL] == FULL or has_row(state[ALL] ^ state[MINE])


def result(state):
    if not has_row(state[ALL] ^ state[MINE]):
        return 0.0
    return 1.0 if player(state) == 1 else -1.0  # who has just moved has won


def planes(state, out):
    theirs = state[ALL] ^ state[MINE]
    for r in range(ROWS):
        for c in range(COLUMNS):
            bit = CELL[r * COLUMNS + c]
            if state[MINE] & bit:
                out[0, r, c] = 1.0
            elif theirs & bit:
                out[1, r, c] = 1.0
