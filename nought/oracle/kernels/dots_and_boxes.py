"""Dots and boxes on any set of undrawn edges.

The edges that are left are numbered from 0, a set of them is a bit mask, and `boxes` [edges, 2] has the masks of
the boxes beside each edge (0: none there). The net number of boxes that the mover still gains depends on nothing
but the edges that are left.
"""

import numpy as np
from numba import njit

WORST, BEST = -127, 127  # more boxes than any board here has


@njit(cache=True)
def count(edges):
    """How many edges are in a set."""
    n = 0
    while edges:
        edges &= edges - 1
        n += 1
    return n


@njit(cache=True)
def closed_by(edge, left, boxes):
    """How many boxes are closed by drawing this edge, one of those left."""
    closed = 0
    for i in range(2):
        if boxes[edge, i] & left == 1 << edge:
            closed += 1
    return closed


@njit(cache=True)
def net_table(boxes):
    """[sets of edges left] the mover's net boxes from there on: after any move fewer edges are left, so that the
    smaller numbers are known first."""
    net = np.zeros(1 << len(boxes), np.int8)
    for left in range(1, len(net)):
        best = WORST
        for edge in range(len(boxes)):
            if left >> edge & 1:
                closed, rest = closed_by(edge, left, boxes), net[left ^ 1 << edge]
                best = max(best, closed + rest if closed else -rest)
        net[left] = best
    return net


@njit(cache=True)
def net_search(left, alpha, beta, boxes, keys, lows, highs):
    """The mover's net boxes by alpha-beta: exact between alpha and beta, otherwise a bound.

    keys, lows, highs are a hash table of bounds; its size is a power of 2.
    """
    gained, left = take_free(left, boxes)
    if left == 0:
        return gained
    alpha, beta = alpha - gained, beta - gained
    at = place(left, len(keys))
    low, high = (lows[at], highs[at]) if keys[at] == left else (WORST, BEST)
    if low >= beta or low == high:
        return gained + low
    if high <= alpha:
        return gained + high
    best, reached = WORST, alpha
    for moves in in_order(left, boxes):
        while moves and reached < beta:
            edge = count((moves & -moves) - 1)
            moves &= moves - 1
            closed = closed_by(edge, left, boxes)
            rest = left ^ 1 << edge
            if closed:
                net = closed + net_search(rest, reached - closed, beta - closed, boxes, keys, lows, highs)
            else:
                net = -net_search(rest, -beta, -reached, boxes, keys, lows, highs)
            best, reached = max(best, net), max(reached, net)
    keys[at] = left
    lows[at] = best if best > alpha else low
    highs[at] = best if best < beta else high
    return gained + best


@njit(cache=True)
def place(left, size):
    """Where a set of edges belongs in a hash table of this size."""
    return np.int64((np.uint64(left) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20)) & np.uint64(size - 1))


@njit(cache=True)
def take_free(left, boxes):
    """Take the boxes that nobody should leave: those whose last edge borders no other open box, or closes two.

    Nothing played elsewhere changes such boxes, so whoever leaves them only offers them to the opponent: with any
    other move first, the opponent can take them and be where we would be, two boxes or more better off.
    """
    gained, again = 0, True
    while again:
        again = False
        edges = left
        while edges:
            edge = count((edges & -edges) - 1)
            edges &= edges - 1
            closed = closed_by(edge, left, boxes)
            if closed and closed == (boxes[edge, 0] & left != 0) + (boxes[edge, 1] & left != 0):
                gained += closed
                left ^= 1 << edge
                again = True
    return gained, left


@njit(cache=True)
def in_order(left, boxes):
    """The edges left that close a box, that give nothing away, and that offer a box."""
    closing, quiet, offering = 0, 0, 0
    edges = left
    while edges:
        bit = edges & -edges
        edges ^= bit
        edge = count(bit - 1)
        first, second = count(boxes[edge, 0] & left), count(boxes[edge, 1] & left)
        if first == 1 or second == 1:
            closing |= bit
        elif first == 2 or second == 2:
            offering |= bit
        else:
            quiet |= bit
    return closing, quiet, offering
