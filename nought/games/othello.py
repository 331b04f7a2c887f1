"""Othello: outflank the opponent's discs to turn them; most discs at the end win."""

import numpy as np

SIZE = (8, 8)  # rows, columns
ROWS, COLUMNS = SIZE
assert min(SIZE) >= 4 and ROWS % 2 == COLUMNS % 2 == 0, "rows and columns are even and 4 or more"
assert ROWS * COLUMNS <= 64, "a board has at most 64 cells"

# discs of the player to move; of the opponent; who is to move. Bit row * COLUMNS + column.
STATE = (np.uint64, 3)
MINE, THEIRS, MOVER = 0, 1, 2
ACTIONS = ROWS * COLUMNS
PLANES = (2, ROWS, COLUMNS)
LONGEST = ROWS * COLUMNS - 4
SYMMETRY = "square" if ROWS == COLUMNS else "rectangle"
NOTATION = "squares"


def board(cells):
    """The cells (row, column) as a bitboard."""
    return np.uint64(sum(1 << (r * COLUMNS + c) for r, c in cells))


ZERO, ONE = np.uint64(0), np.uint64(1)
CELLS = [(r, c) for r in range(ROWS) for c in range(COLUMNS)]
FULL = board(CELLS)
# a step sideways from one of these stays in its row
MIDDLE = board([(r, c) for r, c in CELLS if 0 < c < COLUMNS - 1])
RUN = max(SIZE) - 2  # the most discs that one row can turn
STEPS = (  # to the next cell in each direction, and the cells over which a row can go on that way
    (np.uint64(1), MIDDLE),
    (np.uint64(COLUMNS - 1), MIDDLE),
    (np.uint64(COLUMNS), FULL),
    (np.uint64(COLUMNS + 1), MIDDLE),
)


def forward(discs, over, step):
    """The part of `over` in unbroken rows that begin right after `discs`."""
    row = over & (discs << step)
    row |= over & (row << step)
    over &= over << step  # from here on, two at a time
    for _ in range((RUN - 1) // 2):
        row |= over & (row << (step + step))
    return row


def backward(discs, over, step):
    """As `forward`, in the opposite direction."""
    row = over & (discs >> step)
    row |= over & (row >> step)
    over &= over >> step
    for _ in range((RUN - 1) // 2):
        row |= over & (row >> (step + step))
    return row


def mobility(mine, theirs):
    """The cells where `mine` may play."""
    moves = ZERO
    for step, inside in STEPS:
        over = theirs & inside
        moves |= forward(mine, over, step) << step
        moves |= backward(mine, over, step) >> step
    return moves & FULL & ~(mine | theirs)


def turned(disc, mine, theirs):
    """The discs that a new disc of mine turns."""
    found = ZERO
    for step, inside in STEPS:
        over = theirs & inside
        row = forward(disc, over, step)
        if (row << step) & mine:
            found |= row
        row = backward(disc, over, step)
        if (row >> step) & mine:
            found |= row
    return found


def count(discs):
    n = 0
    while discs:
        discs &= discs - ONE
        n += 1
    return n


def start(state):
    r, c = ROWS // 2 - 1, COLUMNS // 2 - 1
    corner = ONE << np.uint64(r * COLUMNS + c)  # the top left of the four cells in the middle
    below = np.uint64(COLUMNS)
    state[MINE] = corner << ONE | corner << below
    state[THEIRS] = corner | corner << below << ONE


def player(state):
    return int(state[MOVER])


def legal_moves(state, moves):
    cells = mobility(state[MINE], state[THEIRS])
    n = 0
    while cells:
        rest = cells & (cells - ONE)
        moves[n] = count((cells ^ rest) - ONE)
        cells = rest
        n += 1
    return n


def play(state, action):
    disc = ONE << np.uint64(action)
    turn = turned(disc, state[MINE], state[THEIRS])
    mine, theirs = state[MINE] | disc | turn, state[THEIRS] & ~turn
    if mobility(theirs, mine) or not mobility(mine, theirs):
        state[MINE], state[THEIRS], state[MOVER] = theirs, mine, state[MOVER] ^ ONE
    else:  # the opponent has no move
        state[MINE], state[THEIRS] = mine, theirs


def finished(state):
    return mobility(state[MINE], state[THEIRS]) == ZERO  # who has no move is to move only at the end


def margin(state):
    difference = count(state[MINE]) - count(state[THEIRS])
    return -difference if state[MOVER] else difference


def result(state):
    return float(np.sign(margin(state)))


def planes(state, out):
    for cell in range(ROWS * COLUMNS):
        bit = ONE << np.uint64(cell)
        if state[MINE] & bit:
            out[0, cell // COLUMNS, cell % COLUMNS] = 1.0
        elif state[THEIRS] & bit:
            out[1, cell // COLUMNS, cell % COLUMNS] = 1.0
