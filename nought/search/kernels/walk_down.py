"""The way down of a simulation: along chosen edges to a position that is new, or to a value that is known."""

import numpy as np

from nought.games.contract import finished, play, result
from nought.search.kernels.back_up import refresh, settle
from nought.search.kernels.gumbel import choose_gumbel_root
from nought.search.kernels.record import (
    ACTION_MASK,
    CHILD,
    END,
    ONE,
    OWN,
    PARENT,
    PARENT_EDGE,
    PLAYER,
    PROOF,
    PROVEN,
    SHARED,
    SHARES,
    TAG,
    TWO,
    UNKNOWN,
    VALUE,
    VISITS,
    P,
    Q,
    add_node,
    edge_count,
    find,
    group,
    has_room,
    load_state,
    state_at_hand,
)
from nought.search.kernels.select import choose_edge
from nought.search.memory import FROM_END, FROM_GRAPH, GUMBEL, ROOT, U

# How a walk down ends: at a new leaf, at a value that is known already, at a leaf still awaiting its
# evaluation, or for lack of memory.
LEAF, KNOWN, BUSY, FULL = range(4)


def walk_down(ints, floats, words, block, path, layout, settings):
    """Follow chosen edges from the root, noted in `path`. Returns how it ended, the length and the last node."""
    node = U(ints[block + ROOT])
    depth = U(0)
    while True:
        if ints[node + SHARES]:
            refresh(ints, floats, node, settings)
        if ints[node + PROOF] or depth == layout.longest:
            words[FROM_GRAPH] += ONE
            return KNOWN, depth, node
        edges = edge_count(ints, node)
        if depth == U(0) and settings.choice == GUMBEL:
            edge = choose_gumbel_root(ints, floats, node, block, layout, settings)
        else:
            edge = choose_edge(ints, floats, words, node, layout, settings)
        ints[path + TWO * depth] = node
        ints[path + TWO * depth + ONE] = edge
        depth += ONE
        at = group(node, edges, CHILD) + edge
        if ints[at] == UNKNOWN:
            if not has_room(ints, block, layout, ONE):
                return FULL, depth, node
            if step(ints, floats, words, block, layout, node, edge):
                return LEAF, depth, U(ints[at])
            if ints[at] != END and ints[U(ints[at]) + VISITS] > 0:  # a transposition: its value is known
                words[FROM_GRAPH] += ONE
                return KNOWN, depth, U(ints[at])
        if ints[at] == END:
            words[FROM_END] += ONE
            return KNOWN, depth, node
        child = U(ints[at])
        if ints[child + VISITS] == 0:
            return BUSY, depth, child
        node = child


def expand_won(ints, floats, words, node):
    """Prove a new node, whose state is at hand, by the moves that win at once: they are its prior, and no evaluation is
    needed. Returns whether there is one; else the state is at hand again."""
    edges = edge_count(ints, node)
    p, q, tag, child = (
        group(node, edges, P),
        group(node, edges, Q),
        group(node, edges, TAG),
        group(node, edges, CHILD),
    )
    state = state_at_hand(words)
    wins = 0
    for i in range(edges):
        play(state, ints[tag + i] & ACTION_MASK)
        if finished(state):
            value = result_for(state, ints[node + PLAYER])
            if value >= 1:
                floats[q + i] = value
                ints[child + i] = END
                ints[tag + i] |= PROVEN
                wins += 1
        load_state(words, node)
    if wins == 0:
        return False
    for i in range(edges):
        if ints[tag + i] & PROVEN:
            floats[p + i] = np.float32(1) / np.float32(wins)
    settle(ints, floats, node)
    floats[node + OWN] = floats[node + VALUE]
    ints[node + VISITS] = 1
    words[FROM_END] += ONE
    return True


def result_for(state, player):
    """The result of a game that is over, as a player sees it."""
    value = np.float32(result(state))
    return value if player == 0 else -value


def step(ints, floats, words, block, layout, node, edge):
    """Play an edge for the first time: link it to the end of the game, to a known node or to a new one.
    Returns whether it is new."""
    edges = edge_count(ints, node)
    load_state(words, node)
    tag, at = group(node, edges, TAG) + edge, group(node, edges, CHILD) + edge
    play(state_at_hand(words), ints[tag] & ACTION_MASK)
    slot = find(ints, words, block, layout)
    if ints[slot] != 0:  # reached before, by another order of moves
        child = U(ints[slot])
        ints[at] = child
        ints[tag] |= SHARED
        ints[node + SHARES] = 1
        first = U(ints[child + PARENT])
        if first != U(0):
            ints[group(first, edge_count(ints, first), TAG) + U(ints[child + PARENT_EDGE])] |= SHARED
            ints[first + SHARES] = 1
        return False
    ints[at] = add_node(ints, words, block, slot, node, edge)
    if ints[at] == END:
        floats[group(node, edges, Q) + edge] = result_for(state_at_hand(words), ints[node + PLAYER])
        return False
    return True
