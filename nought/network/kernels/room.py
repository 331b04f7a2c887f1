"""A network as steps in one array of 32-bit words: `room` holds the steps, the weights and what goes from step to step.

nought/network/steps.py writes it. Boards lie there cell by cell, the channels of a cell together, with a border of zeros
around the board, so that a convolution never asks where the board ends. A step is a row of numbers; all but counts and kinds
are places in the array.
"""

from nought.search.memory import U

# The head of the array.
STEPS, STEP_COUNT, BOARD, BOARD_CELLS, POLICY, ANSWER, OUTCOMES, SEEN = (U(i) for i in range(8))
ROOM_HEAD = 16

# A step. `ADDED` is what is added before the rectifier, 0 for nothing; `SLOPE` is a float; `INSTEAD` are steps that come to
# the same with fewer products (squares.py), 0 for none.
KIND, FROM, TO, WEIGHTS, BIAS, INPUTS, CHANNELS, ADDED, SLOPE, TAPS, TAP_COUNT, FROM_CELLS, TO_CELLS, CELLS, INSTEAD = (
    U(i) for i in range(15)
)  # fmt: skip
STEP_SIZE = U(16)
CONVOLUTION, POOLING, LINEAR = range(3)
PRODUCTS = U(16)  # that a square of four cells needs of each channel

FOUR, WIDE, TILE = U(4), U(8), U(6)  # floats in a register; channels and cells that are summed at once
