"""Dots and boxes: draw edges; who closes a box owns it and moves again; most boxes win."""

import numpy as np

SIZE = (3, 3)  # rows and columns of boxes
ROWS, COLUMNS = SIZE
assert min(SIZE) >= 1 and max(SIZE) <= 20, "a board has 1 to 20 rows and columns of boxes"

ACTIONS = (ROWS + 1) * COLUMNS + ROWS * (COLUMNS + 1)  # edges
WORDS = (ACTIONS + 63) // 64
# Drawn edges, 64 to a word; the mover's boxes minus the opponent's (two's complement); who is to move.
STATE = (np.uint64, WORDS + 2)
SCORE, MOVER = WORDS, WORDS + 1
PLANES = (3, 2 * ROWS + 1, 2 * COLUMNS + 1)
LONGEST = ACTIONS
SYMMETRY = "square" if ROWS == COLUMNS else "rectangle"
NOTATION = "numbers"
BOARD = "dots"
# Dots, edges and boxes share a grid. Its edges, row by row: a row of horizontal ones, one of vertical ones, …
CELL_OF_ACTION = np.flatnonzero(np.indices(PLANES[1:]).sum(axis=0) % 2)


def edges_of_box(row, column):
    """The edges above, left of, right of and below a box."""
    above = row * (2 * COLUMNS + 1) + column
    return above, above + COLUMNS, above + COLUMNS + 1, above + 2 * COLUMNS + 1


ZERO, ONE = np.uint64(0), np.uint64(1)
WORD = np.arange(ACTIONS) // 64
BIT = ONE << (np.arange(ACTIONS) % 64).astype(np.uint64)
FULL = np.zeros(WORDS, np.uint64)
np.bitwise_or.at(FULL, WORD, BIT)
SIDES = np.zeros(ACTIONS, np.int64)  # how many boxes an edge borders
BOXES = np.zeros((ACTIONS, 2, WORDS), np.uint64)  # and the edges of each
for r in range(ROWS):
    for c in range(COLUMNS):
        box = list(edges_of_box(r, c))
        for e in box:
            np.bitwise_or.at(BOXES[e, SIDES[e]], WORD[box], BIT[box])
            SIDES[e] += 1


def count(bits):
    n = 0
    while bits:
        bits &= bits - ONE
        n += 1
    return n


def closed(state, edge):
    """How many boxes the drawn edge `edge` closes."""
    boxes = 0
    for i in range(SIDES[edge]):
        missing = ZERO
        for w in range(WORDS):
            missing |= BOXES[edge, i, w] & ~state[w]
        if missing == ZERO:
            boxes += 1
    return boxes


def player(state):
    return int(state[MOVER])


def legal_moves(state, moves):
    n = 0
    for w in range(WORDS):
        edges = FULL[w] & ~state[w]
        while edges:
            rest = edges & (edges - ONE)
            moves[n] = 64 * w + count((edges ^ rest) - ONE)
            edges = rest
            n += 1
    return n


def play(state, action):
    state[WORD[action]] |= BIT[action]
    boxes = closed(state, action)
    if boxes:
        state[SCORE] += np.uint64(boxes)
    else:
        state[SCORE] = ZERO - state[SCORE]
        state[MOVER] ^= ONE


def finished(state):
    for w in range(WORDS):
        if state[w] != FULL[w]:
            return False
    return True


def margin(state):
    score = np.int64(state[SCORE])
    return -score if state[MOVER] else score


def result(state):
    return float(np.sign(margin(state)))


def planes(state, out):
    out[1] = np.int64(state[SCORE])
    for e in range(ACTIONS):
        row, column = CELL_OF_ACTION[e] // PLANES[2], CELL_OF_ACTION[e] % PLANES[2]
        out[0, row, column] = 1.0
        if state[WORD[e]] & BIT[e]:
            out[2, row, column] = 1.0
