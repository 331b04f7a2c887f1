"""Connect 4: drop stones into columns; a row of four, in any direction, wins."""

import numpy as np

SIZE = (6, 7, 4)  # rows, columns, how many in a row
ROWS, COLUMNS, LENGTH = SIZE
assert 1 <= ROWS * COLUMNS <= 64, "a board has 1 to 64 cells"
assert 2 <= LENGTH <= max(ROWS, COLUMNS), "the row to make must fit on the board and be 2 or more"

STATE = (np.uint64, 2)  # stones of the player to move; all stones. Bit column * ROWS + height.
MINE, ALL = 0, 1
ACTIONS = COLUMNS
PLANES = (2, ROWS, COLUMNS)
LONGEST = ROWS * COLUMNS
SYMMETRY = "mirror"
CELL_OF_ACTION = range(COLUMNS)  # the top row
NOTATION = "columns"


def board(cells):
    """The cells (column, height) as a bitboard."""
    return np.uint64(sum(1 << (c * ROWS + h) for c, h in cells))


ONE = np.uint64(1)
CELLS = [(c, h) for c in range(COLUMNS) for h in range(ROWS)]
FULL = board(CELLS)
BOTTOM = np.array([board([(c, 0)]) for c in range(COLUMNS)], np.uint64)
TOP = np.array([board([(c, ROWS - 1)]) for c in range(COLUMNS)], np.uint64)
COLUMN = np.array([board([(c, h) for h in range(ROWS)]) for c in range(COLUMNS)], np.uint64)
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
        for c in range(COLUMNS):
            if not state[ALL] & TOP[c]:
                moves[n] = c
                n += 1
    return n


def play(state, action):
    state[MINE] ^= state[ALL]  # the opponent is to move
    state[ALL] |= (state[ALL] + BOTTOM[action]) & COLUMN[action]


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
            bit = BOTTOM[c] << np.uint64(ROWS - 1 - r)
            if state[MINE] & bit:
                out[0, r, c] = 1.0
            elif theirs & bit:
                out[1, r, c] = 1.0
