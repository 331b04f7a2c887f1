"""Three in a row with a twist: put a stone, then turn a quarter of the board.

A turn is two moves of the same player: a stone on an empty cell, then a quarter turn of one of the four blocks, to the
left or to the right. Three stones in a row, in any direction, win once the block is turned; if there are rows of both
players then, or the board is full without one, the game is a draw.
The size 6x5 is Pentago: 6 cells a side, five in a row.
"""

import numpy as np

SIZE = (4, 3)  # cells a side, how many in a row
SIDE, LENGTH = SIZE
assert 4 <= SIDE <= 10 and SIDE % 2 == 0, "a board of four blocks has 4, 6, 8 or 10 cells a side"
assert 3 <= LENGTH <= SIDE, "the row to make has 3 stones or more, and fits on the board"

CELLS, HALF = SIDE * SIDE, SIDE // 2
STATE = (np.int8, CELLS + 3)  # the cells: 0 empty, 1 player 0's stone, 2 player 1's; and the three below
MOVER = CELLS  #                who is to move
TURNING = CELLS + 1  #          1 when a block is to be turned
ROWS_OF = CELLS + 2  #          who has a row: 1 player 0, 2 player 1, 3 both
ACTIONS = CELLS + 8  #          stones on cells; then blocks, row by row: each to the left and to the right
PLANES = (3, SIDE, SIDE)  #     the mover's stones, the opponent's, whether a block is to be turned
LONGEST = 2 * CELLS
CELL_OF_ACTION = [*range(CELLS), *([-1] * 8)]  # a turn has no cell: it is a button with a name

GRID = np.arange(CELLS).reshape(SIDE, SIDE)
BLOCKS = [GRID[r : r + HALF, c : c + HALF] for r in (0, HALF) for c in (0, HALF)]
CORNERS = np.array([block[0, 0] for block in BLOCKS])


def image(grid, flipped):
    """A symmetry: where each cell and each action goes when the board is seen as `grid`."""
    cells = np.argsort(grid.reshape(-1))
    blocks = [min(cells[block.reshape(-1)]) for block in BLOCKS]  # the corner at which a block arrives
    order = [int(np.argmin([abs(block[0, 0] - corner) for block in BLOCKS])) for corner in blocks]
    turns = [CELLS + 2 * to + (1 - right if flipped else right) for to in order for right in (0, 1)]
    return cells.tolist(), [*cells.tolist(), *turns]


SYMMETRY = [
    image(np.rot90(g, n), flip) for n in range(4) for flip, g in ((False, GRID), (True, GRID[:, ::-1]))
]


def move_text(state, move):
    """b3 for a stone, top-left-↻ for a turn of that block to the right."""
    if move < CELLS:
        return f"{chr(97 + move % SIDE)}{move // SIDE + 1}"
    block, right = divmod(move - CELLS, 2)
    return f"{('top', 'bottom')[block // 2]}-{('left', 'right')[block % 2]}-{'↻' if right else '↺'}"


def has_row(state, stone):
    for cell in range(CELLS):
        for down, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
            row, column, n = cell // SIDE, cell % SIDE, 0
            while 0 <= row < SIDE and 0 <= column < SIDE and state[row * SIDE + column] == stone:
                row, column, n = row + down, column + across, n + 1
            if n >= LENGTH:
                return True
    return False


def turn(state, corner, right):
    """Turn a block where it stands, four cells at a time: a copy would need memory, which a GPU does not give."""
    opposite = 2 * corner + (HALF - 1) * (SIDE + 1)  # the sum of two cells opposite each other
    for row in range(HALF // 2):
        for column in range((HALF + 1) // 2):
            a, b = corner + row * SIDE + column, corner + column * SIDE + HALF - 1 - row
            c, d = opposite - a, opposite - b
            b, d = (b, d) if right else (d, b)
            state[a], state[b], state[c], state[d] = state[d], state[a], state[b], state[c]


def player(state):
    return state[MOVER]


def legal_moves(state, moves):
    n = 0
    if not finished(state):
        for action in range(CELLS, ACTIONS) if state[TURNING] else range(CELLS):
            if state[TURNING] or state[action] == 0:
                moves[n] = action
                n += 1
    return n


def play(state, action):
    if action < CELLS:
        state[action] = state[MOVER] + 1
        state[TURNING] = 1
    else:
        turn(state, CORNERS[(action - CELLS) // 2], (action - CELLS) % 2 == 1)
        state[TURNING] = 0
        state[MOVER] = 1 - state[MOVER]
        state[ROWS_OF] = has_row(state, 1) + 2 * has_row(state, 2)


def finished(state):
    if state[ROWS_OF] != 0:
        return True
    for cell in range(CELLS):
        if state[cell] == 0:
            return False
    return state[TURNING] == 0


def result(state):
    if state[ROWS_OF] == 1:
        return 1.0
    return -1.0 if state[ROWS_OF] == 2 else 0.0


def planes(state, out):
    out[2] = state[TURNING]
    for cell in range(CELLS):
        if state[cell] != 0:
            out[0 if state[cell] == state[MOVER] + 1 else 1, cell // SIDE, cell % SIDE] = 1.0
