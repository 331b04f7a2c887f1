"""A network as steps in one array of 32-bit words: `room` holds the steps, the weights and what goes from step to step.

nought/network/steps.py writes it. Boards lie there cell by cell, the channels of a cell together, with a border of zeros
around the board, so that a convolution never asks where the board ends. A step is a row of numbers; all but counts and kinds
are places in the array.
"""

import numpy as np

from nought.compile.vectors import four_of, load_four, plus, plus_product, rectified, store_four
from nought.search.kernels.elementary import exp
from nought.search.memory import U
from nought.search.pointers import pointer

# The head of the array.
STEPS, STEP_COUNT, BOARD, BOARD_CELLS, POLICY, ANSWER, OUTCOMES, SEEN = (U(i) for i in range(8))
ROOM_HEAD = 16

# A step. `ADDED` is what is added before the rectifier, 0 for nothing; `SLOPE` is a float.
KIND, FROM, TO, WEIGHTS, BIAS, INPUTS, CHANNELS, ADDED, SLOPE, TAPS, TAP_COUNT, FROM_CELLS, TO_CELLS, CELLS = (
    U(i) for i in range(14)
)  # fmt: skip
STEP_SIZE = U(16)
CONVOLUTION, POOLING, LINEAR = range(3)

FOUR, WIDE, TILE = U(4), U(8), U(6)  # floats in a register; channels and cells that are summed at once


def evaluate(room, planes, policy):
    """The value of a position, given its planes; the probability of every move goes into `policy`."""
    ints, floats = pointer(room, np.int32), pointer(room, np.float32)
    take_board(ints, floats, planes)
    forward(ints, floats)
    logits = U(ints[POLICY])
    softmax(floats, logits, U(len(policy)), logits)
    for a in range(len(policy)):
        policy[a] = floats[logits + U(a)]
    return value_of(ints, floats)


def forward(ints, floats):
    """Take all steps: from the board to the logits of the policy and the answer of the value head."""
    for number in range(U(ints[STEP_COUNT])):
        step = U(ints[STEPS]) + number * STEP_SIZE
        kind = ints[step + KIND]
        if kind == CONVOLUTION:
            convolve(ints, floats, step)
        elif kind == POOLING:
            pool(ints, floats, step)
        else:
            multiply(ints, floats, step)


def convolve(ints, floats, step):
    """A convolution: for eight channels at a time the weights stay near, while six cells at a time go by."""
    inputs, channels, taps = U(ints[step + INPUTS]), U(ints[step + CHANNELS]), U(ints[step + TAP_COUNT])
    tiles = (U(ints[step + CELLS]) + TILE - U(1)) // TILE
    for first in range(U(0), channels, WIDE):
        weights = U(ints[step + WEIGHTS]) + first * taps * inputs
        for tile in range(tiles):
            convolve_tile(ints, floats, step, first, weights, tile * TILE)


def convolve_tile(ints, floats, step, first, weights, tile):
    """Eight channels of six cells."""
    inputs, taps, tap_count = U(ints[step + INPUTS]), U(ints[step + TAPS]), U(ints[step + TAP_COUNT])
    at, source = U(ints[step + FROM_CELLS]) + tile, U(ints[step + FROM])
    a, b, c = (
        source + U(ints[at]) * inputs,
        source + U(ints[at + U(1)]) * inputs,
        source + U(ints[at + U(2)]) * inputs,
    )
    d, e, f = (
        source + U(ints[at + U(3)]) * inputs,
        source + U(ints[at + U(4)]) * inputs,
        source + U(ints[at + U(5)]) * inputs,
    )
    bias = U(ints[step + BIAS]) + first
    a0 = b0 = c0 = d0 = e0 = f0 = load_four(floats, bias)
    a1 = b1 = c1 = d1 = e1 = f1 = load_four(floats, bias + FOUR)
    w = weights
    for tap in range(tap_count):
        begin = U(ints[taps + tap]) * inputs
        for i in range(begin, begin + inputs):
            w0, w1 = load_four(floats, w), load_four(floats, w + FOUR)
            w += WIDE
            x = four_of(floats[a + i])
            a0, a1 = plus_product(a0, x, w0), plus_product(a1, x, w1)
            x = four_of(floats[b + i])
            b0, b1 = plus_product(b0, x, w0), plus_product(b1, x, w1)
            x = four_of(floats[c + i])
            c0, c1 = plus_product(c0, x, w0), plus_product(c1, x, w1)
            x = four_of(floats[d + i])
            d0, d1 = plus_product(d0, x, w0), plus_product(d1, x, w1)
            x = four_of(floats[e + i])
            e0, e1 = plus_product(e0, x, w0), plus_product(e1, x, w1)
            x = four_of(floats[f + i])
            f0, f1 = plus_product(f0, x, w0), plus_product(f1, x, w1)
    finish(ints, floats, step, first, tile, a0, a1)
    finish(ints, floats, step, first, tile + U(1), b0, b1)
    finish(ints, floats, step, first, tile + U(2), c0, c1)
    finish(ints, floats, step, first, tile + U(3), d0, d1)
    finish(ints, floats, step, first, tile + U(4), e0, e1)
    finish(ints, floats, step, first, tile + U(5), f0, f1)


def finish(ints, floats, step, first, cell, low, high):
    """Add what is to be added to eight channels of a cell, rectify them, and write them down."""
    place = U(ints[U(ints[step + TO_CELLS]) + cell]) * U(ints[step + CHANNELS]) + first
    added, slope = U(ints[step + ADDED]), floats[step + SLOPE]
    if added != U(0):
        low = plus(low, load_four(floats, added + place))
        high = plus(high, load_four(floats, added + place + FOUR))
    to = U(ints[step + TO]) + place
    store_four(floats, to, rectified(low, slope))
    store_four(floats, to + FOUR, rectified(high, slope))


def pool(ints, floats, step):
    """The mean of each channel over the board, and then the maximum of each."""
    channels, cells = U(ints[step + CHANNELS]), U(ints[step + CELLS])
    source, to = U(ints[step + FROM]), U(ints[step + TO])
    for channel in range(channels):
        total, highest = (
            np.float32(0),
            floats[source + U(ints[U(ints[step + FROM_CELLS])]) * channels + channel],
        )
        for cell in range(cells):
            x = floats[source + U(ints[U(ints[step + FROM_CELLS]) + cell]) * channels + channel]
            total += x
            highest = max(highest, x)
        floats[to + channel] = total / np.float32(cells)
        floats[to + channels + channel] = highest


def multiply(ints, floats, step):
    """A linear layer: eight outputs at a time."""
    inputs, source, to = U(ints[step + INPUTS]), U(ints[step + FROM]), U(ints[step + TO])
    for first in range(U(0), U(ints[step + CHANNELS]), WIDE):
        bias, w = U(ints[step + BIAS]) + first, U(ints[step + WEIGHTS]) + first * inputs
        low, high = load_four(floats, bias), load_four(floats, bias + FOUR)
        for i in range(inputs):
            x = four_of(floats[source + i])
            low, high = (
                plus_product(low, x, load_four(floats, w)),
                plus_product(high, x, load_four(floats, w + FOUR)),
            )
            w += WIDE
        store_four(floats, to + first, rectified(low, floats[step + SLOPE]))
        store_four(floats, to + first + FOUR, rectified(high, floats[step + SLOPE]))


def softmax(floats, logits, count, to):
    """The probabilities that logits stand for."""
    highest = floats[logits]
    for i in range(count):
        highest = max(highest, floats[logits + i])
    total = 0.0
    for i in range(count):
        weight = exp(np.float64(floats[logits + i] - highest))
        floats[to + i] = weight
        total += weight
    for i in range(count):
        floats[to + i] /= np.float32(total)


def value_of(ints, floats):
    """The value that the value head's answer stands for: a number before tanh, or win, draw and loss."""
    answer = U(ints[ANSWER])
    if ints[OUTCOMES]:
        softmax(floats, answer, U(3), answer)
        return floats[answer] - floats[answer + U(2)]
    return np.float32(1.0 - 2.0 / (exp(2.0 * np.float64(floats[answer])) + 1.0))


def take_board(ints, floats, planes):
    """Write planes [planes, rows, columns] into the board that the first step looks at."""
    count = U(planes.shape[0])
    for row in range(planes.shape[1]):
        for column in range(planes.shape[2]):
            cell = U(ints[U(ints[BOARD_CELLS]) + U(row * planes.shape[2] + column)])
            for plane in range(planes.shape[0]):
                floats[U(ints[BOARD]) + cell * count + U(plane)] = planes[plane, row, column]
