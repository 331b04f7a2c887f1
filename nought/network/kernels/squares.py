"""Convolutions of 3 × 3 by squares of four cells: 16 products of a channel in the place of 36 (Winograd's F(2 × 2, 3 × 3)).

The 4 × 4 cells around a square are *lifted*: mixed by sums and differences, as the weights are once and for all. Of the 16
numbers that come of it each is multiplied by itself, over all channels: 16 convolutions of one cell. Other sums and
differences *settle* the 16 results as the four cells of the square.
"""

import numpy as np

from nought.compile.vectors import load_four, minus, plus, rectified, store_four
from nought.network.kernels.convolution import convolve
from nought.network.kernels.room import (
    ADDED,
    BIAS,
    CELLS,
    CHANNELS,
    FOUR,
    FROM,
    FROM_CELLS,
    INPUTS,
    INSTEAD,
    PRODUCTS,
    SLOPE,
    STEP_COUNT,
    STEP_SIZE,
    STEPS,
    TAPS,
    TO,
    TO_CELLS,
    WEIGHTS,
    WIDE,
)
from nought.search.memory import U
from nought.search.pointers import pointer


def prepare_network(room):
    """Lift the weights: once, before the first position."""
    ints, floats = pointer(room, np.int32), pointer(room, np.float32)
    for number in range(U(ints[STEP_COUNT])):
        step = U(ints[STEPS]) + number * STEP_SIZE
        if ints[step + INSTEAD] != 0:
            lift_weights(ints, floats, step, U(ints[step + INSTEAD]) + STEP_SIZE)


def convolve_by_squares(ints, floats, first):
    """Lift, multiply, settle: the steps from the first one on."""
    lift_squares(ints, floats, first)
    for number in range(PRODUCTS):
        convolve(ints, floats, first + (U(1) + number) * STEP_SIZE)
    settle_squares(ints, floats, first + (U(1) + PRODUCTS) * STEP_SIZE)


def lift_squares(ints, floats, step):
    """Mix the cells around each square: one number for each of the 16 convolutions, to where it looks."""
    inputs, source, taps = U(ints[step + INPUTS]), U(ints[step + FROM]), U(ints[step + TAPS])
    apart = U(ints[step + CELLS]) * inputs
    for square in range(U(ints[step + CELLS])):
        corner = source + U(ints[U(ints[step + FROM_CELLS]) + square]) * inputs
        to = U(ints[step + TO]) + square * inputs
        for channel in range(U(0), inputs, FOUR):
            at = corner + channel
            a0, b0, c0, d0 = lifted_row(ints, floats, at, taps, inputs)
            a1, b1, c1, d1 = lifted_row(ints, floats, at, taps + U(4), inputs)
            a2, b2, c2, d2 = lifted_row(ints, floats, at, taps + U(8), inputs)
            a3, b3, c3, d3 = lifted_row(ints, floats, at, taps + U(12), inputs)
            store_lifted(floats, to + channel, apart, a0, a1, a2, a3)
            store_lifted(floats, to + channel + apart, apart, b0, b1, b2, b3)
            store_lifted(floats, to + channel + U(2) * apart, apart, c0, c1, c2, c3)
            store_lifted(floats, to + channel + U(3) * apart, apart, d0, d1, d2, d3)


def lifted_row(ints, floats, at, taps, inputs):
    """Four cells of a row, mixed."""
    a, b = (
        load_four(floats, at + U(ints[taps]) * inputs),
        load_four(floats, at + U(ints[taps + U(1)]) * inputs),
    )
    c, d = (
        load_four(floats, at + U(ints[taps + U(2)]) * inputs),
        load_four(floats, at + U(ints[taps + U(3)]) * inputs),
    )
    return minus(a, c), plus(b, c), minus(c, b), minus(b, d)


def store_lifted(floats, to, apart, a, b, c, d):
    """What the four rows have of a column, mixed: every fourth of the 16 numbers."""
    store_four(floats, to, minus(a, c))
    store_four(floats, to + U(4) * apart, plus(b, c))
    store_four(floats, to + U(8) * apart, minus(c, b))
    store_four(floats, to + U(12) * apart, minus(b, d))


def settle_squares(ints, floats, step):
    """The 16 results of each square as its four cells, where they are on the board."""
    channels, cells = U(ints[step + CHANNELS]), U(ints[step + TO_CELLS])
    apart = U(ints[step + CELLS]) * channels
    for square in range(U(ints[step + CELLS])):
        for channel in range(U(0), channels, FOUR):
            at, bias = (
                U(ints[step + FROM]) + square * channels + channel,
                load_four(floats, U(ints[step + BIAS]) + channel),
            )
            a0, b0 = settled(floats, at, apart, U(4))
            a1, b1 = settled(floats, at + apart, apart, U(4))
            a2, b2 = settled(floats, at + U(2) * apart, apart, U(4))
            a3, b3 = settled(floats, at + U(3) * apart, apart, U(4))
            cell = cells + U(4) * square
            put(ints, floats, step, cell, channel, plus(bias, plus(plus(a0, a1), a2)))
            put(ints, floats, step, cell + U(1), channel, plus(bias, minus(minus(a1, a2), a3)))
            put(ints, floats, step, cell + U(2), channel, plus(bias, plus(plus(b0, b1), b2)))
            put(ints, floats, step, cell + U(3), channel, plus(bias, minus(minus(b1, b2), b3)))


def settled(floats, at, apart, every):
    """Four of the 16 results as the upper and the lower cell of a column."""
    a, b = load_four(floats, at), load_four(floats, at + every * apart)
    c, d = load_four(floats, at + U(2) * every * apart), load_four(floats, at + U(3) * every * apart)
    return plus(plus(a, b), c), minus(minus(b, c), d)


def put(ints, floats, step, cell, channel, four):
    """Four channels of a cell: add what is to be added, rectify them, and write them down, if it is on the board."""
    if ints[cell] >= 0:
        place = U(ints[cell]) * U(ints[step + CHANNELS]) + channel
        if ints[step + ADDED] != 0:
            four = plus(four, load_four(floats, U(ints[step + ADDED]) + place))
        store_four(floats, U(ints[step + TO]) + place, rectified(four, floats[step + SLOPE]))


def lift_weights(ints, floats, step, first):
    """The nine weights of every pair of channels as 16, each where its convolution looks for it."""
    inputs, to = U(ints[step + INPUTS]), U(ints[first + WEIGHTS])
    apart = inputs * U(ints[step + CHANNELS])
    across = inputs * WIDE  # from a weight to that of the next cell
    for channels in range(U(0), U(ints[step + CHANNELS]), WIDE):
        for i in range(U(0), across):
            at, into = U(ints[step + WEIGHTS]) + channels * U(9) * inputs + i, to + channels * inputs + i
            for row in range(4):
                a, b, c = (
                    mixed(floats, at, across * U(3), row),
                    mixed(floats, at + across, across * U(3), row),
                    mixed(floats, at + across * U(2), across * U(3), row),
                )
                place = into + U(4 * row) * apart
                floats[place] = a
                floats[place + apart] = np.float32(0.5) * (a + b + c)
                floats[place + U(2) * apart] = np.float32(0.5) * (a - b + c)
                floats[place + U(3) * apart] = c


def mixed(floats, at, apart, row):
    """The number of a row that comes of three weights of a column."""
    a, b, c = floats[at], floats[at + apart], floats[at + U(2) * apart]
    if row == 0:
        return a
    if row == 3:
        return c
    return np.float32(0.5) * (a + b + c if row == 1 else a - b + c)
