"""The lockstep: every call takes in the evaluator's answers and leads each game to its next open question."""

import numpy as np

from nought.games.contract import ACTIONS, finished, margin, play, result
from nought.search.kernels.back_up import back_up, expand, mark_under_way
from nought.search.kernels.cache import ANSWERED, CACHED_POLICY, CACHED_VALUE, request, store_answers
from nought.search.kernels.record import (
    LARGEST,
    ONE,
    PLAYER,
    PROOF,
    STATE_WORDS,
    TWO,
    VALUE,
    VISITS,
    load_state,
    state_at_hand,
    store_state,
)
from nought.search.kernels.root import begin, decide, new_game, prepare, search_policy, surprise
from nought.search.kernels.walk_down import BUSY, FULL, LEAF, expand_won, walk_down
from nought.search.memory import (
    BATCH_COUNT,
    DONE,
    FULL_SEARCH,
    GAMES,
    LAYOUT,
    LEAF_DEPTH,
    LEAF_NODE,
    LEAF_PATH,
    LEAF_SLOT,
    LIMIT,
    LOG_COUNT,
    MOVES,
    PENDING,
    PLY,
    READY,
    ROOT,
    SEARCHING,
    SETTINGS,
    SIMULATED,
    SIMULATIONS,
    STATUS,
    USED,
    KernelSettings,
    MemoryLayout,
    U,
)
from nought.search.pointers import pointer, prefetch, read_tuple

LINE = U(16)  # words in a line of the processor's cache
FETCH = min(LARGEST, U(4) * LINE)  # words of a node worth fetching ahead

# The log of self-play: a record for every search that ended in a move. Its state stands first.
LOG_GAME = TWO * STATE_WORDS  #         place in the batch
LOG_PLY = LOG_GAME + U(1)  #            moves before this one
LOG_ACTION = LOG_GAME + U(2)  #         the move played
LOG_VALUE = LOG_GAME + U(3)  #          float: the search's value for the player to move
LOG_PROVEN = LOG_GAME + U(4)  #         whether that value is proven
LOG_FINISHED = LOG_GAME + U(5)  #       whether the move ended the game
LOG_RESULT = LOG_GAME + U(6)  #         float: and then the result for player 0
LOG_MARGIN = LOG_GAME + U(7)  #         and its margin
LOG_FULL = LOG_GAME + U(8)  #           whether it was a full search
LOG_SURPRISE = LOG_GAME + U(9)  #       float: how far the policy is from the prior, in nats
LOG_PLAYER = LOG_GAME + U(10)  #        who was to move
LOG_POLICY = LOG_GAME + U(11)  #         floats: the search's policy, before any temperature
LOG_SIZE = (LOG_POLICY + U(ACTIONS) + ONE) // TWO * TWO


def advance(memory):
    """Take in the batch's answers, search on, and leave the positions to evaluate next in the batch.
    A game whose search is complete is DONE, or in self-play moves and goes on."""
    ints, floats, words = pointer(memory, np.int32), pointer(memory, np.float32), pointer(memory, np.uint64)
    layout, settings = (
        read_tuple(MemoryLayout, words, LAYOUT),
        read_tuple(KernelSettings, pointer(memory, np.float64), SETTINGS),
    )
    store_answers(ints, floats, layout)
    ints[BATCH_COUNT] = 0
    for g in range(layout.games):
        block = layout.blocks + g * layout.block
        if g + TWO < layout.games:
            fetch_head(ints, block + TWO * layout.block, layout)
            fetch_path(ints, block + layout.block, layout)
        if ints[block + STATUS] == SEARCHING:
            take_in(ints, floats, words, block, layout, settings)
        moves = U(0)
        while True:
            if ints[block + STATUS] == SEARCHING:
                search_on(ints, floats, words, block, layout, settings)
            if (
                not settings.self_play
                or ints[block + STATUS] != DONE
                or moves == layout.moves_at_once
                or U(ints[LOG_COUNT]) == layout.log_rows
            ):
                break
            make_move(ints, floats, words, block, layout, g, settings)
            moves += ONE


def fetch_head(ints, block, layout):
    """Have the memory fetched that says how a game stands, two games ahead of its turn."""
    prefetch(ints, block)
    for line in range(U(0), layout.leaf_size + LINE, LINE):
        prefetch(ints, block + layout.leaf + line)


def fetch_path(ints, block, layout):
    """Have the nodes fetched that a game will back up through, one game ahead of its turn."""
    path = block + layout.leaf + LEAF_PATH
    for d in range(U(ints[block + layout.leaf + LEAF_DEPTH])):
        node = U(ints[path + TWO * d])
        for line in range(U(0), FETCH, LINE):
            prefetch(ints, node + line)
    for line in range(U(0), FETCH, LINE):
        prefetch(ints, U(ints[block + USED]) + line)


def take_in(ints, floats, words, block, layout, settings):
    """Expand the leaves whose evaluation has come, and back their values up."""
    pending = U(ints[block + PENDING])
    for j in range(pending):
        leaf = block + layout.leaf + j * layout.leaf_size
        slot = U(ints[leaf + LEAF_SLOT])
        expand(
            ints, floats, U(ints[leaf + LEAF_NODE]), layout.policy + slot * U(ACTIONS), layout.value + slot
        )
        if layout.leaves > ONE:
            mark_under_way(ints, leaf + LEAF_PATH, U(ints[leaf + LEAF_DEPTH]), -1)
    for j in range(pending):
        leaf = block + layout.leaf + j * layout.leaf_size
        finish_simulation(ints, floats, words, block, leaf + LEAF_PATH, U(ints[leaf + LEAF_DEPTH]), settings)
    ints[block + PENDING] = 0


def finish_simulation(ints, floats, words, block, path, depth, settings):
    """Back the value of the last node of a path up, and count the simulation."""
    if depth > U(0):  # the root's own evaluation is not a simulation
        back_up(ints, floats, path, depth, settings)
        ints[block + SIMULATIONS] += 1
        words[SIMULATED] += ONE


def search_on(ints, floats, words, block, layout, settings):
    """Simulate until as many leaves await evaluation as may, or the search is complete."""
    root = U(ints[block + ROOT])
    left = layout.simulations_at_once
    looks_ahead = settings.proofs > 0.0 and settings.look_ahead > 0.0
    while U(ints[block + PENDING]) < layout.leaves:
        pending = U(ints[block + PENDING])
        if left == U(0) and pending == U(0):
            return  # to go on at the next call, exactly here
        left -= ONE if left > U(0) else U(0)
        leaf = block + layout.leaf + pending * layout.leaf_size
        path = leaf + LEAF_PATH
        ended, depth, node = LEAF, U(0), root
        if ints[root + VISITS] == 0:
            if pending > U(0):  # the root's own evaluation is under way
                break
            load_state(words, root)
        else:
            if not ints[block + READY]:
                prepare(ints, floats, words, block, layout, settings)
            if ints[block + SIMULATIONS] + ints[block + PENDING] >= ints[block + LIMIT] or ints[root + PROOF]:
                break
            ended, depth, node = walk_down(ints, floats, words, block, path, layout, settings)
        if ended == BUSY:
            break
        if ended == FULL:  # no memory for new nodes: what is under way is the end of this search
            ints[block + LIMIT] = ints[block + SIMULATIONS] + ints[block + PENDING]
            break
        slot = ANSWERED
        won = looks_ahead and ended == LEAF and node != root and expand_won(ints, floats, words, node)
        if ended == LEAF and not won:  # its state is still at hand
            slot, entry = request(ints, words, layout)
            if slot == ANSWERED:
                expand(ints, floats, node, entry + CACHED_POLICY, entry + CACHED_VALUE)
        if slot == ANSWERED:
            finish_simulation(ints, floats, words, block, path, depth, settings)
            continue
        ints[leaf + LEAF_NODE] = node
        ints[leaf + LEAF_SLOT] = slot
        ints[leaf + LEAF_DEPTH] = depth
        ints[block + PENDING] += 1
        if layout.leaves > ONE:
            mark_under_way(ints, path, depth, 1)
    if ints[block + PENDING] == 0:
        ints[block + STATUS] = DONE


def make_move(ints, floats, words, block, layout, g, settings):
    """Self-play: decide, write the search down, play, and begin the next search."""
    root = U(ints[block + ROOT])
    row = layout.log + U(ints[LOG_COUNT]) * LOG_SIZE
    ints[LOG_COUNT] += 1
    search_policy(ints, floats, words, block, layout, settings, row + LOG_POLICY)
    action = decide(ints, floats, words, block, layout, settings, row + LOG_POLICY)
    load_state(words, root)
    store_state(words, row)
    ints[row + LOG_GAME] = g
    ints[row + LOG_PLY] = ints[block + PLY]
    ints[row + LOG_ACTION] = action
    floats[row + LOG_VALUE] = floats[root + VALUE]
    ints[row + LOG_PROVEN] = ints[root + PROOF] != 0
    ints[row + LOG_PLAYER] = ints[root + PLAYER]
    ints[row + LOG_FULL] = ints[block + FULL_SEARCH]
    floats[row + LOG_SURPRISE] = surprise(ints, floats, root, row + LOG_POLICY)
    state = state_at_hand(words)
    play(state, action)
    ints[block + PLY] += 1
    words[MOVES] += ONE
    ints[row + LOG_FINISHED] = finished(state)
    if ints[row + LOG_FINISHED]:
        floats[row + LOG_RESULT] = result(state)
        ints[row + LOG_MARGIN] = margin(state)
        words[GAMES] += ONE
        new_game(ints, words, block, layout, settings)
    else:
        begin(ints, words, block, layout, settings)
