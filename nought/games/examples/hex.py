"""Hex: X joins top and bottom with a chain of stones, O joins left and right; one of them always does.

A game on hexagons: each row stands half a cell further to the right than the one above it.
"""

import numpy as np

SIZE = (5,)  # rows, and as many columns
N = SIZE[0]
CELLS = N * N
assert 2 <= N <= 19, "a board has 2 to 19 rows"

STATE = (np.int8, CELLS + 2)  # cells: 0 empty, 1 player 0's stone, 2 player 1's
MOVER = CELLS  #                who is to move
WON = CELLS + 1  #              1 when the last stone has joined both sides
ACTIONS = CELLS
PLANES = (3, N, N)  #           the mover's stones, the opponent's, and everywhere who the mover is
LONGEST = CELLS
SYMMETRY = [(range(CELLS - 1, -1, -1), range(CELLS - 1, -1, -1))]  # half a turn

BOARD = "hexagons"
BOARD_SIDES = (0, 1, 0, 1)  # whose are the top, right, bottom and left side

NEIGHBOURS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))  # steps down and right


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
    if joins(state, action):
        state[WON] = 1
    state[MOVER] = 1 - state[MOVER]


def joins(state, cell):
    """Whether the chain of the stone on `cell` reaches from one of its owner's sides to the other."""
    stone = state[cell]
    chain = np.empty(CELLS, np.int16)  # cells of the chain, in the order in which they are found
    found = np.zeros(CELLS, np.bool_)
    chain[0], found[cell], size, at = cell, True, 1, 0
    first, last = False, False
    while at < size:
        row, column = chain[at] // N, chain[at] % N
        at += 1
        along = row if stone == 1 else column
        first, last = first or along == 0, last or along == N - 1
        for down, right in NEIGHBOURS:
            r, c = row + down, column + right
            if 0 <= r < N and 0 <= c < N and state[r * N + c] == stone and not found[r * N + c]:
                found[r * N + c] = True
                chain[size] = r * N + c
                size += 1
    return first and last


def finished(state):
    return state[WON] != 0


def result(state):
    return 1.0 if state[MOVER] == 1 else -1.0  # who has just moved has won


def planes(state, out):
    for cell in range(CELLS):
        if state[cell] != 0:
            out[0 if state[cell] == state[MOVER] + 1 else 1, cell // N, cell % N] = 1.0
    out[2] = state[MOVER]
