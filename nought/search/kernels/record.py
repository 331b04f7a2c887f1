"""Nodes and edges in memory.

A node is a record in its game's pool, named by the place where it starts: its state, a header, and then for
its k edges five groups of k words each: P, Q, N, child, tag.
"""

import numpy as np

from nought.games.contract import ACTIONS, STATE, legal_moves, player
from nought.search.kernels.random import STEP, mix
from nought.search.memory import HERE, NODES, USED, U
from nought.search.pointers import view

ONE, TWO, FIVE = U(1), U(2), U(5)
STATE_WORDS = U((np.dtype(STATE[0]).itemsize * STATE[1] + 7) // 8)  # the last is padded with zeros
MOVES_AT_HAND = HERE + TWO * STATE_WORDS  # a list of moves for the rules to fill
COMMON = MOVES_AT_HAND + U(ACTIONS)  #      end of the common part's fixed places

PLAYER = TWO * STATE_WORDS  #   who is to move
EDGES = PLAYER + U(1)  #        how many legal moves
VISITS = PLAYER + U(2)  #       1 + ΣN; 0 while the node awaits its evaluation
OWN = PLAYER + U(3)  #          float: the evaluator's value of this position
VALUE = PLAYER + U(4)  #        float: the search's value, for the player to move (docs/reference/method.md)
PROOF = PLAYER + U(5)  #        0, or 1 + the plies until the proven end
DROPPED = PLAYER + U(6)  #      how many edges are refuted
SHARES = PLAYER + U(7)  #       whether some edge leads to a node with other parents
PARENT = PLAYER + U(8)  #       the node that created this one, 0 if gone
PARENT_EDGE = PLAYER + U(9)  #  and by which edge
FORWARD = PLAYER + U(10)  #     scratch for compaction
HEADER = PLAYER + U(12)  #      even, so that every record's state is aligned

# Groups of a node's edges, in units of k words after the header.
P, Q, N, CHILD, TAG = U(0), U(1), U(2), U(3), U(4)

# In place of a child.
UNKNOWN, END = 0, -1

# An edge's tag: the action, flags, and above them how many simulations are under way through it.
ACTION_MASK, PROVEN, REFUTED, SHARED = 0xFFFF, 1 << 16, 1 << 17, 1 << 18
UNDER_WAY_SHIFT = 20


def record_size(edges):
    """Words of a node with this many edges, an even number."""
    return HEADER + (FIVE * edges + ONE) // TWO * TWO


LARGEST = record_size(U(ACTIONS))  # with every action legal


def edge_count(ints, node):
    """How many edges a node has."""
    return U(ints[node + EDGES])


def group(node, edges, which):
    """Where a group of a node's edges starts."""
    return node + HEADER + which * edges


def state_at_hand(words):
    """The state at hand, as the rules take it."""
    return view(words, HERE >> ONE, STATE[0], STATE[1])


def load_state(words, node):
    """Make a node's state the one at hand."""
    for i in range(STATE_WORDS):
        words[(HERE >> ONE) + i] = words[(node >> ONE) + i]


def store_state(words, place):
    """Write the state at hand to a place."""
    for i in range(STATE_WORDS):
        words[(place >> ONE) + i] = words[(HERE >> ONE) + i]


def position_hash(words):
    """A hash of the state at hand."""
    h = STEP
    for i in range(STATE_WORDS):
        h = mix(h ^ words[(HERE >> ONE) + i]) + STEP
    return h


def holds(words, record):
    """Whether a record begins with the state at hand."""
    for i in range(STATE_WORDS):
        if words[(record >> ONE) + i] != words[(HERE >> ONE) + i]:
            return False
    return True


def find(ints, words, block, layout):
    """The slot of the table that holds the state at hand, or the empty one where it belongs."""
    table = block + layout.table
    at = position_hash(words) & layout.table_mask
    while ints[table + at] != 0 and not holds(words, U(ints[table + at])):
        at = (at + ONE) & layout.table_mask
    return table + at


def end_of_pool(ints, block):
    """The place where a game's next node goes."""
    return U(ints[block + USED])


def has_room(ints, block, layout, nodes):
    """Whether this many more nodes of any size fit."""
    used = end_of_pool(ints, block)
    return U(ints[block + NODES]) + nodes <= layout.nodes and used + nodes * LARGEST <= block + layout.block


def add_node(ints, words, block, slot, parent, edge):
    """Make the state at hand a node at the end of the pool; END if the game is over there."""
    count = legal_moves(state_at_hand(words), view(words, MOVES_AT_HAND >> ONE, np.int32, ACTIONS))
    if count == 0:
        return END
    node = end_of_pool(ints, block)
    store_state(words, node)
    edges = U(count)
    ints[node + PLAYER] = player(state_at_hand(words))
    ints[node + EDGES] = count
    for field in range(VISITS, PARENT):
        ints[node + U(field)] = 0
    ints[node + PARENT] = parent
    ints[node + PARENT_EDGE] = edge
    start = node + HEADER
    for i in range(U(4) * edges):  # P, Q, N and child: all begin as zero bits
        ints[start + i] = 0
    start += U(4) * edges
    for i in range(edges):
        ints[start + i] = ints[MOVES_AT_HAND + i]
    ints[slot] = node
    ints[block + USED] = node + record_size(edges)
    ints[block + NODES] += 1
    return np.int64(node)


def forget_all(ints, block, layout):
    """Forget all nodes of a game."""
    ints[block + USED] = block + layout.pool
    ints[block + NODES] = 0
    for i in range(layout.table_mask + ONE):
        ints[block + layout.table + i] = 0


def keep_below(ints, words, block, layout, root):
    """Keep only what can be reached from `root`, moved together; returns where root is now."""
    first, end = block + layout.pool, end_of_pool(ints, block)
    stack = layout.stack
    at = first
    while at < end:
        ints[at + FORWARD] = 0
        at += record_size(edge_count(ints, at))
    ints[stack] = root
    ints[root + FORWARD] = 1
    size = ONE
    while size > U(0):
        size -= ONE
        node = U(ints[stack + size])
        edges = edge_count(ints, node)
        child = group(node, edges, CHILD)
        for i in range(edges):
            to = ints[child + i]
            if to > 0 and ints[U(to) + FORWARD] == 0:
                ints[U(to) + FORWARD] = 1
                ints[stack + size] = to
                size += ONE
    used = first
    at = first
    while at < end:  # where each kept node will stand
        edges = edge_count(ints, at)
        if ints[at + FORWARD] != 0:
            ints[at + FORWARD] = used
            used += record_size(edges)
        at += record_size(edges)
    new_root = U(ints[root + FORWARD])
    at = first
    while at < end:  # let kept nodes point there; a parent that is not kept becomes 0
        edges = edge_count(ints, at)
        if ints[at + FORWARD] != 0:
            child = group(at, edges, CHILD)
            for i in range(edges):
                if ints[child + i] > 0:
                    ints[child + i] = ints[U(ints[child + i]) + FORWARD]
            if ints[at + PARENT] > 0:
                ints[at + PARENT] = ints[U(ints[at + PARENT]) + FORWARD]
        at += record_size(edges)
    forget_all(ints, block, layout)
    at = first
    while at < end:  # move them, downwards and in order, so that nothing is overwritten before it is moved
        size_here = record_size(edge_count(ints, at))
        to = U(ints[at + FORWARD])
        if to != 0:
            for i in range(size_here):
                ints[to + i] = ints[at + i]
            load_state(words, to)
            ints[find(ints, words, block, layout)] = to
            ints[block + NODES] += 1
        at += size_here
    ints[block + USED] = used
    return new_root
