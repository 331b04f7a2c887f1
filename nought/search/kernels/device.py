"""What a GPU runs, one thread for each game: every game has a memory of its own there, as if it were searched alone, and
all share one cache of evaluations that stands behind their memories.

While games search, the shared cache is only read. Afterwards two launches store the new answers, so that no two threads
write to one entry: each claims an entry, and then those whose claim stands write. `me` numbers the thread; `room` is its
part of an array of planes.
"""

# ruff: noqa: ARG001 (a GPU calls all of them alike)
import numpy as np

from nought.games.contract import ACTIONS, PLANES, STATE, legal_moves, planes
from nought.search.kernels.advance import advance, make_move
from nought.search.kernels.cache import CACHED_POLICY, CACHED_VALUE, ENTRY_SIZE, GENERATION, SLOT
from nought.search.kernels.calls import begin_games, begin_position
from nought.search.kernels.record import (
    ONE,
    STATE_WORDS,
    TWO,
    forget_all,
    holds,
    load_state,
    position_hash,
    store_state,
)
from nought.search.memory import (
    BATCH_COUNT,
    DONE,
    LAYOUT,
    LOG_COUNT,
    PENDING,
    PLY,
    SETTINGS,
    STATUS,
    KernelSettings,
    MemoryLayout,
    U,
)
from nought.search.pointers import count_up, moved, pointer, raise_to, read_tuple, view

PLANES_SIZE = U(PLANES[0] * PLANES[1] * PLANES[2])
NO_ENTRY = -1


def device_new_game(memory, room, me):
    """Search the starting position."""
    begin_games(memory)


def device_go_on(memory, room, me):
    """Search the position at hand with an empty graph; its ply stands in the block."""
    ints = pointer(memory, np.int32)
    layout = read_tuple(MemoryLayout, pointer(memory, np.uint64), LAYOUT)
    forget_all(ints, layout.blocks, layout)
    ints[layout.blocks + PENDING] = 0
    ints[BATCH_COUNT] = 0
    begin_position(memory, U(0), ints[layout.blocks + PLY])


def device_search(memory, room, me):
    """Take in the answers and search until there is a question, or for so long as a thread may. Who has searched enough
    is put on the list of those that move: that takes much longer, and not all others shall wait for a few."""
    advance(memory)
    ints = pointer(memory, np.int32)
    layout = read_tuple(MemoryLayout, pointer(memory, np.uint64), LAYOUT)
    if ints[layout.blocks + STATUS] == DONE and U(ints[LOG_COUNT]) < layout.log_rows:
        join_movers(ints, layout, me)


def join_movers(ints, layout, me):
    """Put a game on the list of those that move."""
    # A function of its own: Numba drops a write through a pointer that is made in the same function and not used after.
    place = count_up(ints, layout.movers)
    ints[layout.movers + ONE + U(place)] = me


def device_move(memory, room, me):
    """Move in the game that stands on the list at this thread's number."""
    own_ints, own_words = pointer(memory, np.int32), pointer(memory, np.uint64)
    layout = read_tuple(MemoryLayout, own_words, LAYOUT)
    settings = read_tuple(KernelSettings, pointer(memory, np.float64), SETTINGS)
    if me < np.int64(own_ints[layout.movers]):
        game = U(own_ints[layout.movers + ONE + U(me)])
        distance = (game - U(me)) * U(len(memory))  # from this thread's game to that one, in 64-bit words
        ints, floats = moved(own_ints, TWO * distance), moved(pointer(memory, np.float32), TWO * distance)
        words = moved(own_words, distance)
        make_move(ints, floats, words, layout.blocks, layout, U(0), settings)


def device_planes(memory, room, me):
    """What the network is to see of the questions, into planes of zeros. Who has none shows an earlier one."""
    words, out = pointer(memory, np.uint64), pointer(room, np.float32)
    layout = read_tuple(MemoryLayout, words, LAYOUT)
    for slot in range(layout.leaves):
        state = view(words, (layout.batch >> ONE) + slot * STATE_WORDS, STATE[0], STATE[1])
        planes(state, view(out, slot * PLANES_SIZE, np.float32, PLANES))


def device_inputs(memory, room, me):
    """What a network learns from: of a state that begins the memory its planes, into zeros, then for each action whether
    it is legal. Behind them is room for the moves."""
    state, out = view(pointer(memory, np.uint64), U(0), STATE[0], STATE[1]), pointer(room, np.float32)
    planes(state, view(out, U(0), np.float32, PLANES))
    moves = view(out, PLANES_SIZE + U(ACTIONS), np.int32, ACTIONS)
    for i in range(legal_moves(state, moves)):
        room[PLANES_SIZE + U(moves[i])] = np.float32(1)


def device_claim(memory, room, me):
    """Claim an entry of the shared cache for each answer; of several claims the highest stands."""
    ints, words = pointer(memory, np.int32), pointer(memory, np.uint64)
    layout = read_tuple(MemoryLayout, words, LAYOUT)
    for slot in range(U(ints[BATCH_COUNT])):
        load_state(words, layout.batch + slot * TWO * STATE_WORDS)
        index = position_hash(words) & layout.cache_mask
        entry = layout.cache + index * ENTRY_SIZE
        known = False
        if U(ints[entry + GENERATION]) == layout.generation:
            known = holds(words, entry)
            index ^= ONE
            entry = layout.cache + index * ENTRY_SIZE
        if U(ints[entry + GENERATION]) == layout.generation and holds(words, entry):
            known = True
        ints[layout.entry + slot] = NO_ENTRY if known else index
        if not known:
            raise_to(ints, entry + SLOT, np.int32(U(me) * layout.leaves + slot + ONE))


def device_store(memory, room, me):
    """Store the answers whose claims stand."""
    ints, floats, words = pointer(memory, np.int32), pointer(memory, np.float32), pointer(memory, np.uint64)
    layout = read_tuple(MemoryLayout, words, LAYOUT)
    for slot in range(U(ints[BATCH_COUNT])):
        index = ints[layout.entry + slot]
        if index == NO_ENTRY:
            continue
        entry = layout.cache + U(index) * ENTRY_SIZE
        if ints[entry + SLOT] == np.int32(U(me) * layout.leaves + slot + ONE):
            load_state(words, layout.batch + slot * TWO * STATE_WORDS)
            store_state(words, entry)
            for a in range(U(ACTIONS)):
                floats[entry + CACHED_POLICY + a] = floats[layout.policy + slot * U(ACTIONS) + a]
            floats[entry + CACHED_VALUE] = floats[layout.value + slot]
            ints[entry + GENERATION] = layout.generation
            ints[entry + SLOT] = 0
