"""Which edge to follow: PUCT and UCB1 here, Gumbel in gumbel.py. docs/reference/method.md has the equations."""

import math

import numpy as np

from nought.search.kernels.elementary import log
from nought.search.kernels.gumbel import choose_gumbel_inside
from nought.search.kernels.record import (
    REFUTED,
    TAG,
    UNDER_WAY_SHIFT,
    VALUE,
    VISITS,
    N,
    P,
    Q,
    edge_count,
    group,
)
from nought.search.memory import GUMBEL, PUCT, UCB1, U

ZERO32, ONE32, NEVER32 = np.float32(0), np.float32(1), np.float32(-1e30)


def choose_edge(ints, floats, words, node, layout, settings):
    """The edge of an expanded, unproven node that a simulation follows."""
    if settings.choice == UCB1:
        return choose_ucb1(ints, floats, node, settings)
    if settings.choice == GUMBEL:
        return choose_gumbel_inside(ints, floats, words, node, layout, settings)
    return choose_puct(ints, floats, node, settings)


def choose_puct(ints, floats, node, settings):
    """Q + c P √ΣN / (1 + N); ties go to the larger P. A simulation under way counts as a visit that lost."""
    edges = edge_count(ints, node)
    p, q, n, tag = (
        group(node, edges, P),
        group(node, edges, Q),
        group(node, edges, N),
        group(node, edges, TAG),
    )
    total = np.float32(ints[node + VISITS] - 1)
    explore = np.float32(settings.c_puct)
    if settings.c_growth != 0.0:
        explore += np.float32(settings.c_growth * log((total + settings.c_base + 1.0) / settings.c_base))
    explore *= np.float32(math.sqrt(total if settings.choice == PUCT else total + ONE32))
    urgency = np.float32(settings.first_play_urgency)
    if math.isnan(urgency):
        urgency = own_urgency(ints, floats, node, settings)
    best, best_prior, chosen = NEVER32, -ONE32, U(0)
    for i in range(edges):
        mark = ints[tag + i]
        if mark & REFUTED:
            continue
        visits = np.float32(ints[n + i])
        value = floats[q + i] if visits > ZERO32 else urgency
        if mark >> UNDER_WAY_SHIFT:
            under_way = np.float32(mark >> UNDER_WAY_SHIFT)
            value = (value * visits - under_way) / (visits + under_way)
            visits += under_way
        prior = floats[p + i]
        score = value + explore * prior / (ONE32 + visits)
        if score > best or (score == best and prior > best_prior):
            best, best_prior, chosen = score, prior, U(i)
    return chosen


def own_urgency(ints, floats, node, settings):
    """First-play urgency from the node itself: its value, less a reduction that grows with the policy tried."""
    edges = edge_count(ints, node)
    p, n = group(node, edges, P), group(node, edges, N)
    tried = ZERO32
    for i in range(edges):
        if ints[n + i] > 0:
            tried += floats[p + i]
    return floats[node + VALUE] - np.float32(settings.urgency_reduction * math.sqrt(tried))


def choose_ucb1(ints, floats, node, settings):
    """Q + c √(ln ΣN / (1 + N)), every edge once first."""
    edges = edge_count(ints, node)
    q, n, tag = group(node, edges, Q), group(node, edges, N), group(node, edges, TAG)
    log_total = np.float32(log(max(ints[node + VISITS] - 1, 1)))
    best, chosen = NEVER32, U(0)
    for i in range(edges):
        mark = ints[tag + i]
        if mark & REFUTED:
            continue
        under_way = np.float32(mark >> UNDER_WAY_SHIFT)
        visits = np.float32(ints[n + i])
        if visits + under_way == ZERO32:
            return U(i)
        value = (floats[q + i] * visits - under_way) / (visits + under_way)
        score = value + np.float32(settings.c_puct * math.sqrt(log_total / (ONE32 + visits + under_way)))
        if score > best:
            best, chosen = score, U(i)
    return chosen
