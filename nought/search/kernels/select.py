"""Which edge to follow: PUCT, UCB1, Gumbel. docs/reference/method.md has the equations."""

import math

import numpy as np

from nought.search.kernels.record import (
    OWN,
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
NEVER = -1e300


def choose_edge(ints, floats, node, settings):
    """The edge of an expanded, unproven node that a simulation follows."""
    if settings.choice == UCB1:
        return choose_ucb1(ints, floats, node, settings)
    if settings.choice == GUMBEL:
        return choose_gumbel_inside(ints, floats, node, settings)
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
        explore += np.float32(settings.c_growth * math.log((total + settings.c_base + 1.0) / settings.c_base))
    explore *= np.float32(math.sqrt(total if settings.choice == PUCT else total + ONE32))
    urgency = np.float32(settings.urgency)
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
    return floats[node + VALUE] - np.float32(settings.reduction * math.sqrt(tried))


def choose_ucb1(ints, floats, node, settings):
    """Q + c √(ln ΣN / (1 + N)), every edge once first."""
    edges = edge_count(ints, node)
    q, n, tag = group(node, edges, Q), group(node, edges, N), group(node, edges, TAG)
    log_total = np.float32(math.log(max(ints[node + VISITS] - 1, 1)))
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
    return math.log(max(floats[group(node, edges, P) + i], 1e-12)) + scale * (value + 1.0) / 2.0


def choose_gumbel_inside(ints, floats, node, settings):
    """Below the root: the edge whose share of visits lags most behind the improved policy."""
    edges = edge_count(ints, node)
    n, tag = group(node, edges, N), group(node, edges, TAG)
    completed, scale = completed_value(ints, floats, node), gumbel_scale(ints, node, settings)
    highest = NEVER
    for i in range(edges):
        if not ints[tag + i] & REFUTED:
            highest = max(highest, gumbel_score(ints, floats, node, i, completed, scale))
    mass, total = 0.0, 1.0
    for i in range(edges):
        if not ints[tag + i] & REFUTED:
            mass += math.exp(gumbel_score(ints, floats, node, i, completed, scale) - highest)
            total += ints[n + i] + (ints[tag + i] >> UNDER_WAY_SHIFT)
    best, chosen = NEVER, U(0)
    for i in range(edges):
        if not ints[tag + i] & REFUTED:
            visits = ints[n + i] + (ints[tag + i] >> UNDER_WAY_SHIFT)
            share = math.exp(gumbel_score(ints, floats, node, i, completed, scale) - highest) / mass
            if share - visits / total > best:
                best, chosen = share - visits / total, U(i)
    return chosen


def choose_gumbel_root(ints, floats, node, settings, gumbel, before, wanted):
    """At the root: sequential halving. Among the edges with `wanted` visits in this search the highest score;
    if proofs have left none, the live edge with the fewest visits."""
    edges = edge_count(ints, node)
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
            score = floats[gumbel + i] + gumbel_score(ints, floats, node, i, completed, scale)
            if score > best:
                best, chosen, found = score, U(i), True
    return chosen if found else fallback
