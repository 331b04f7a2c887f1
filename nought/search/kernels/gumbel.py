"""Gumbel AlphaZero (Danihelka et al.): sequential halving at the root, the improved policy below it.

Everything rests on one score of an edge: its logit raised by its value, log P + σ(Q). The equations are in
docs/reference/method.md.
"""

import numpy as np

from nought.search.kernels.elementary import exp, log
from nought.search.kernels.random import gumbel_variate
from nought.search.kernels.record import (
    ACTION_MASK,
    ONE,
    OWN,
    REFUTED,
    TAG,
    UNDER_WAY_SHIFT,
    N,
    P,
    Q,
    edge_count,
    group,
)
from nought.search.memory import PENDING, SIMULATIONS, U
from nought.search.pointers import as_bits, as_float

NEVER = -1e300


def completed_value(ints, floats, node):
    """Gumbel's stand-in for the value of unvisited edges: the evaluator's value mixed with the visited ones'."""
    edges = edge_count(ints, node)
    p, q, n = group(node, edges, P), group(node, edges, Q), group(node, edges, N)
    tried, weighted, visits = 0.0, 0.0, 0
    for i in range(edges):
        if ints[n + i] > 0:
            tried += floats[p + i]
            weighted += floats[p + i] * floats[q + i]
            visits += ints[n + i]
    if tried <= 0.0:
        return np.float64(floats[node + OWN])
    return (floats[node + OWN] + visits * weighted / tried) / (1.0 + visits)


def gumbel_scale(ints, node, settings):
    """How much a value counts beside a logit: more, the more visits there are."""
    edges = edge_count(ints, node)
    most = 0
    for i in range(edges):
        most = max(most, ints[group(node, edges, N) + i])
    return (settings.c_visit + most) * settings.c_scale


def gumbel_score(ints, floats, node, i, completed, scale):
    """The logit of edge i raised by its value: log P + σ(Q), with σ(q) = scale · (q + 1) / 2."""
    edges = edge_count(ints, node)
    value = completed
    if ints[group(node, edges, N) + i] > 0:
        value = np.float64(floats[group(node, edges, Q) + i])
    return log(max(floats[group(node, edges, P) + i], 1e-12)) + scale * (value + 1.0) / 2.0


def weigh_edges(ints, floats, words, node, layout, settings):
    """The improved policy, up to a factor: exp(score) for the edges that are not refuted, as 64-bit floats in the
    scratch memory, each score computed once. Returns the sum."""
    edges = edge_count(ints, node)
    tag, weights = group(node, edges, TAG), layout.weights >> ONE
    completed, scale = completed_value(ints, floats, node), gumbel_scale(ints, node, settings)
    highest = NEVER
    for i in range(edges):
        if not ints[tag + i] & REFUTED:
            score = gumbel_score(ints, floats, node, i, completed, scale)
            words[weights + i] = as_bits(score)
            highest = max(highest, score)
    total = 0.0
    for i in range(edges):
        if not ints[tag + i] & REFUTED:
            weight = exp(as_float(words[weights + i]) - highest)
            words[weights + i] = as_bits(weight)
            total += weight
    return total


def choose_gumbel_inside(ints, floats, words, node, layout, settings):
    """Below the root: the edge whose share of visits lags most behind the improved policy."""
    edges = edge_count(ints, node)
    n, tag, weights = group(node, edges, N), group(node, edges, TAG), layout.weights >> ONE
    mass, total = weigh_edges(ints, floats, words, node, layout, settings), 1.0
    for i in range(edges):
        if not ints[tag + i] & REFUTED:
            total += ints[n + i] + (ints[tag + i] >> UNDER_WAY_SHIFT)
    best, chosen = NEVER, U(0)
    for i in range(edges):
        if not ints[tag + i] & REFUTED:
            visits = ints[n + i] + (ints[tag + i] >> UNDER_WAY_SHIFT)
            share = as_float(words[weights + i]) / mass
            if share - visits / total > best:
                best, chosen = share - visits / total, U(i)
    return chosen


def choose_gumbel_root(ints, floats, node, block, layout, settings):
    """At the root: sequential halving. Among the edges with as many visits in this search as the halving wants now,
    the one with the highest score and noise; if proofs have left none, the live edge with the fewest visits."""
    edges = edge_count(ints, node)
    turn = min(U(ints[block + SIMULATIONS] + ints[block + PENDING]), layout.turns - ONE)
    wanted = ints[layout.halving + min(edges, layout.considered) * layout.turns + turn]
    noise, before = block + layout.gumbel, block + layout.before
    n, tag = group(node, edges, N), group(node, edges, TAG)
    completed, scale = completed_value(ints, floats, node), gumbel_scale(ints, node, settings)
    best, chosen, found = NEVER, U(0), False
    fewest, fallback = 1 << 30, U(0)
    for i in range(edges):
        if ints[tag + i] & REFUTED:
            continue
        visits = ints[n + i] - ints[before + i] + (ints[tag + i] >> UNDER_WAY_SHIFT)
        if visits < fewest:
            fewest, fallback = visits, U(i)
        if visits == wanted:
            score = floats[noise + i] + gumbel_score(ints, floats, node, i, completed, scale)
            if score > best:
                best, chosen, found = score, U(i), True
    return chosen if found else fallback


def draw_gumbel(floats, words, stream, noise, edges):
    """Draw the noise of the root's edges for one search, from the place `noise` on."""
    for i in range(edges):
        floats[noise + i] = gumbel_variate(words, stream)


def weigh_gumbel(ints, floats, words, root, layout, settings, policy):
    """The improved policy, up to a factor, for the actions that are not refuted, from the place `policy` on. Returns the
    sum."""
    edges = edge_count(ints, root)
    tag, weights = group(root, edges, TAG), layout.weights >> ONE
    total = weigh_edges(ints, floats, words, root, layout, settings)
    for i in range(edges):
        if not ints[tag + i] & REFUTED:
            floats[policy + U(ints[tag + i] & ACTION_MASK)] = as_float(words[weights + i])
    return total
