"""The way back up of a simulation: a new node gets its evaluation, and the nodes above it their values and proofs."""

import numpy as np

from nought.search.kernels.record import (
    ACTION_MASK,
    CHILD,
    DROPPED,
    END,
    ONE,
    OWN,
    PLAYER,
    PROOF,
    PROVEN,
    REFUTED,
    SHARED,
    TAG,
    TWO,
    UNDER_WAY_SHIFT,
    VALUE,
    VISITS,
    N,
    P,
    Q,
    edge_count,
    group,
)
from nought.search.memory import HIGHEST_VALUE, MOST_WEIGHT, WRONG, WRONG_NUMBER, WRONG_POLICY, WRONG_VALUE, U


def expand(ints, floats, node, policy, value):
    """Give a node its evaluation, which stands at the places `policy` (of all actions) and `value`: the policy
    of its legal moves is normalised. What no evaluator may answer is noted: the search is worth nothing then."""
    edges = edge_count(ints, node)
    p, tag = group(node, edges, P), group(node, edges, TAG)
    total, least = np.float32(0), np.float32(0)
    for i in range(edges):
        weight = floats[policy + U(ints[tag + i] & ACTION_MASK)]
        total += weight
        least = min(least, weight)
    if not (least >= np.float32(0) and total <= MOST_WEIGHT):  # NaN is neither
        ints[WRONG] = WRONG_POLICY
        floats[WRONG_NUMBER] = least if least < np.float32(0) else total
    if not -HIGHEST_VALUE <= floats[value] <= HIGHEST_VALUE:
        ints[WRONG] = WRONG_VALUE
        floats[WRONG_NUMBER] = floats[value]
    usable = np.float32(1e-30) < total < np.float32(1e30)
    scale = np.float32(1) / total if usable else np.float32(0)
    floor = np.float32(0) if usable else np.float32(1) / np.float32(edges)
    for i in range(edges):
        floats[p + i] = floats[policy + U(ints[tag + i] & ACTION_MASK)] * scale + floor
    floats[node + OWN] = floats[value]
    floats[node + VALUE] = floats[value]
    ints[node + VISITS] = 1


def back_up(ints, floats, path, depth, settings):
    """Count the visit on every edge of the path and make the nodes' values true again, from the leaf up."""
    for d in range(depth):
        at = path + TWO * (depth - ONE - d)
        node, edge = U(ints[at]), U(ints[at + ONE])
        ints[group(node, edge_count(ints, node), N) + edge] += 1
        ints[node + VISITS] += 1
        refresh_edge(ints, floats, node, edge, settings)
        if not ints[node + PROOF]:
            floats[node + VALUE] = mean_value(ints, floats, node)


def mean_value(ints, floats, node):
    """(own value + Σ N·Q) / (1 + ΣN) over the edges that are not refuted."""
    edges = edge_count(ints, node)
    q, n = group(node, edges, Q), group(node, edges, N)
    total = floats[node + OWN]
    if ints[node + DROPPED] == 0:
        for i in range(edges):
            total += np.float32(ints[n + i]) * floats[q + i]
        return total / np.float32(ints[node + VISITS])
    tag = group(node, edges, TAG)
    visits = np.float32(1)
    for i in range(edges):
        if not ints[tag + i] & REFUTED:
            total += np.float32(ints[n + i]) * floats[q + i]
            visits += np.float32(ints[n + i])
    return total / visits


def refresh(ints, floats, node, settings):
    """Take over what other paths have found out about the shared children of a node."""
    edges = edge_count(ints, node)
    tag, child = group(node, edges, TAG), group(node, edges, CHILD)
    for i in range(edges):
        if ints[tag + i] & SHARED and ints[U(ints[child + i]) + VISITS] > 0 and not ints[node + PROOF]:
            refresh_edge(ints, floats, node, i, settings)


def refresh_edge(ints, floats, node, edge, settings):
    """Set Q of an edge to its child's value as seen from here, and take over its proof."""
    edges = edge_count(ints, node)
    child = ints[group(node, edges, CHILD) + edge]
    proven = child == END
    if child != END:
        value = floats[U(child) + VALUE]
        same_player = ints[U(child) + PLAYER] == ints[node + PLAYER]
        floats[group(node, edges, Q) + edge] = value if same_player else -value
        proven = ints[U(child) + PROOF] != 0
    tag = group(node, edges, TAG) + edge
    if proven and settings.proofs and not ints[tag] & PROVEN:
        ints[tag] |= PROVEN
        settle(ints, floats, node)


def settle(ints, floats, node):
    """After one more edge is proven: refute what is no better than the best proven edge, and prove the node
    if that edge wins or no other is left."""
    edges = edge_count(ints, node)
    q, tag = group(node, edges, Q), group(node, edges, TAG)
    best, leader, all_proven = np.float32(-2), U(0), True
    for i in range(edges):
        if not ints[tag + i] & PROVEN:
            all_proven = False
        elif floats[q + i] > best:
            best, leader = floats[q + i], U(i)
    if all_proven or best >= 1:
        floats[node + VALUE] = best
        ints[node + PROOF] = 1 + proven_length(ints, floats, node, best)
        return
    dropped = 0
    for i in range(edges):
        if ints[tag + i] & PROVEN and (i != leader or best <= -1):
            ints[tag + i] |= REFUTED
            dropped += 1
    ints[node + DROPPED] = dropped


def edge_length(ints, node, edge):
    """Plies until the end by a proven edge."""
    child = ints[group(node, edge_count(ints, node), CHILD) + edge]
    return np.int64(1) if child == END else np.int64(ints[U(child) + PROOF])


def proven_length(ints, floats, node, value):
    """Plies until the end by the best proven edges: the soonest, or if all lose the latest."""
    edges = edge_count(ints, node)
    length = np.int64(0)
    for i in range(edges):
        if ints[group(node, edges, TAG) + i] & PROVEN and floats[group(node, edges, Q) + i] == value:
            here = edge_length(ints, node, i)
            if length == 0 or (here < length) == (value >= 0):
                length = here
    return length


def mark_under_way(ints, path, depth, change):
    """Count a simulation that awaits its evaluation on the edges of its path, or (-1) no longer."""
    for d in range(depth):
        node, edge = U(ints[path + TWO * d]), U(ints[path + TWO * d + ONE])
        ints[group(node, edge_count(ints, node), TAG) + edge] += change << UNDER_WAY_SHIFT
