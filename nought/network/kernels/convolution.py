"""Convolutions, four floats at a time."""

from nought.compile.vectors import four_of, load_four, plus, plus_product, rectified, store_four
from nought.network.kernels.room import (
    ADDED,
    BIAS,
    CELLS,
    CHANNELS,
    FOUR,
    FROM,
    FROM_CELLS,
    INPUTS,
    SLOPE,
    TAP_COUNT,
    TAPS,
    TILE,
    TO,
    TO_CELLS,
    WEIGHTS,
    WIDE,
)
from nought.search.memory import U


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
