"""A network, step by step: from planes to the probability of every move and the value of the position."""

import numpy as np

from nought.compile.vectors import four_of, load_four, plus_product, rectified, store_four
from nought.network.kernels.convolution import convolve
from nought.network.kernels.room import (
    ANSWER,
    BIAS,
    BOARD,
    BOARD_CELLS,
    CELLS,
    CHANNELS,
    CONVOLUTION,
    FOUR,
    FROM,
    FROM_CELLS,
    INPUTS,
    INSTEAD,
    KIND,
    OUTCOMES,
    POLICY,
    POOLING,
    SLOPE,
    STEP_COUNT,
    STEP_SIZE,
    STEPS,
    TO,
    WEIGHTS,
    WIDE,
)
from nought.network.kernels.squares import convolve_by_squares
from nought.search.kernels.elementary import exp
from nought.search.memory import U
from nought.search.pointers import pointer


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
        kind, instead = ints[step + KIND], U(ints[step + INSTEAD])
        if instead != U(0):
            convolve_by_squares(ints, floats, instead)
        elif kind == CONVOLUTION:
            convolve(ints, floats, step)
        elif kind == POOLING:
            pool(ints, floats, step)
        else:
            multiply(ints, floats, step)


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
