"""The memory a search works on, as the compiled kernels see it.

All of it is one array: what is common to a batch of games, the evaluation cache, and for each game a block
that holds how its search stands, its paths under way, its table of positions and its pool of nodes
(kernels/record.py). Everything is addressed by its place, counted in 32-bit words from the start. Keeping a
game's search together, in few and whole cache lines, is worth a factor of four over one array per field, and
one array is quickly handed over from Python.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nought.compile.text import RAISED

# Places are unsigned: Numba then leaves out the check for indices that count from the end.
U = np.uint64

# The head of a block: how a game's search stands.
ROOT, USED, NODES, SIMULATIONS, LIMIT, STATUS, PENDING, READY, PLY, FULL_SEARCH = (U(i) for i in range(10))
RANDOM = U(10)  # two words: the game's own stream of random numbers
HEAD = 16

# A simulation under way: the node that awaits its evaluation, the place of the answer in the batch, the
# length of the path, and the path: node and edge of each step.
LEAF_NODE, LEAF_SLOT, LEAF_DEPTH, LEAF_PATH = U(0), U(1), U(2), U(3)

# STATUS
IDLE, SEARCHING, DONE = range(3)

# WRONG: what an evaluator may not answer
WRONG_VALUE, WRONG_POLICY = 1, 2
RULES_RAISED = RAISED  # on a GPU, where nobody could catch it
HIGHEST_VALUE = np.float32(1.001)  # either side of 0, with room for rounding
MOST_WEIGHT = np.finfo(np.float32).max  # of all moves together

# How an edge is chosen.
PUCT, PUCT_PLUS_ONE, UCB1, GUMBEL = range(4)
NO_NOISE, PRIOR_NOISE, MOVE_NOISE = range(3)  # what noise is mixed into

# The common part. First what is counted, in 64-bit words …
SIMULATED, EVALUATED, FROM_CACHE, FROM_GRAPH, FROM_END, MOVES, GAMES, COUNTERS = (U(i) for i in range(8))
# … how many positions the batch holds, how many rows the log, what is wrong with an answer and which number …
BATCH_COUNT, LOG_COUNT, WRONG, WRONG_NUMBER = U(16), U(17), U(18), U(19)
# … and then what is defined at the end of this file.


class MemoryLayout(NamedTuple):
    """Where things stand, and how much there is of them."""

    games: np.uint64
    blocks: np.uint64  #        the first game's block …
    block: np.uint64  #         … and their distance
    generation: np.uint64  #    of the evaluator: a cached answer of another generation is none
    # in the common part
    stack: np.uint64  #         [nodes or actions, the larger] scratch
    weights: np.uint64  #       [actions] scratch of 64 bits each
    halving: np.uint64  #       [considered + 1, turns] see halving_table
    considered: np.uint64
    turns: np.uint64
    entry: np.uint64  #         [capacity] the cache's entry that awaits each answer; 0 none
    batch: np.uint64  #         [capacity, state] the positions to evaluate
    policy: np.uint64  #        [capacity, actions] the answers: how promising each move is, unnormalised
    value: np.uint64  #         [capacity] and the value for the player to move
    cache: np.uint64
    cache_mask: np.uint64  #    entries less one; 0: no cache
    shared: (
        np.uint64
    )  #        whether other searches read the cache meanwhile: then nothing is stored by this one
    log: np.uint64  #           [log_rows] records, see LOG_GAME …
    log_rows: np.uint64
    # in a block
    leaves: np.uint64  #        simulations under way at most
    simulations_at_once: np.uint64  # without a question, before others have their turn
    moves_at_once: np.uint64  # likewise
    movers: np.uint64  #        on a GPU: how many games are to move, and which
    leaf: np.uint64  #          the first of them …
    leaf_size: np.uint64  #     … and their distance
    longest: np.uint64  #       longest path
    gumbel: np.uint64  #        Gumbel noise of each root edge
    before: np.uint64  #        visits of each root edge before this search
    table: np.uint64  #         position → node; 0 is empty
    table_mask: np.uint64  #    its slots less one
    pool: np.uint64  #          the first node
    nodes: np.uint64  #         nodes at most


class KernelSettings(NamedTuple):
    """Parameters as the kernels take them; nought.config says what those of the same name mean."""

    choice: float
    c_puct: float
    c_growth: float
    c_base: float
    first_play_urgency: float  # NaN where the parameter is None
    urgency_reduction: float
    proofs: float
    look_ahead: float
    reuse: float
    c_visit: float
    c_scale: float
    noise: float
    noise_share: float
    noise_alpha: float
    temperature: float
    sampled_moves: float
    simulations: float
    full_share: float
    fast_simulations: float
    opening_share: float
    opening_moves: float
    self_play: float  #     play the chosen moves and start finished games again


# The settings and the layout (in 64-bit words), then a state and a list of moves to hand to the rules.
SETTINGS = U(16)
LAYOUT = SETTINGS + U(len(KernelSettings._fields))
HERE = U(2) * (LAYOUT + U(len(MemoryLayout._fields)))
