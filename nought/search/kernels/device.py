"""What a GPU runs, one thread for each game: every game has a memory of its own there, as if it were searched alone, and
all share one cache of evaluations that stands behind their memories.

The network's batch has fewer rows than there are games, since not every game has a question: a game with one waits until it
gets a seat, which is a row of the batch (nought/selfplay/device.py deals them out). Until then it does nothing.

While games search, the shared cache is only read. Afterwards two launches store the new answers, so that no two threads
write to one entry: each claims an entry, and then those whose claim stands write. `me` numbers the thread, which is that of a
game or of a seat; `room` is its part of an array of planes or of answers.
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
NOBODY = -1  # has this seat


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
    """Take in the answers and search until there is a question, or for so long as a thread may; nothing while questions
    wait for a seat. Who has searched enough is put on the list of those that move: that takes much longer, and not all
    others shall wait for a few."""
    ints = pointer(memory, np.int32)
    if ints[BATCH_COUNT] > 0:
        return
    advance(memory)
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
        game = own_ints[layout.movers + ONE + U(me)]
        distance = way_to(game, me, memory)
        ints, floats = moved(own_ints, TWO * distance), moved(pointer(memory, np.float32), TWO * distance)
        words = moved(own_words, distance)
        make_move(ints, floats, words, layout.blocks, layout, U(0), settings)


def way_to(game, me, memory):
    """How far it is from the memory of the game with this thread's number to that of another game, in 64-bit words."""
    return (U(game) - U(me)) * U(len(memory))


def seated(memory, me):
    """Whose questions are in the seat with this thread's number."""
    layout = read_tuple(MemoryLayout, pointer(memory, np.uint64), LAYOUT)
    return pointer(memory, np.int32)[layout.seats + U(me)]


def device_planes(memory, room, me):
    """What the network is to see of the questions of the game in this seat, into planes of zeros. If it has fewer than it
    may have, it shows earlier ones, too."""
    game = seated(memory, me)
    if game == NOBODY:
        return
    words, out = moved(pointer(memory, np.uint64), way_to(game, me, memory)), pointer(room, np.float32)
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


def device_answer(memory, room, me):
    """Hand the answers in this seat, of each the policy and then the value, over to its game, and claim an entry of the
    shared cache for each of them; of several claims the highest stands."""
    game = seated(memory, me)
    if game == NOBODY:
        return
    distance = way_to(game, me, memory)
    ints, floats = (
        moved(pointer(memory, np.int32), TWO * distance),
        moved(pointer(memory, np.float32), TWO * distance),
    )
    words = moved(pointer(memory, np.uint64), distance)
    take_answers(ints, floats, words, pointer(room, np.float32), U(me))


def take_answers(ints, floats, words, answers, seat):
    """Write the answers where the search finds them, and claim entries of the shared cache."""
    layout = read_tuple(MemoryLayout, words, LAYOUT)
    for slot in range(U(ints[BATCH_COUNT])):
        answer = slot * U(ACTIONS + 1)
        for a in range(U(ACTIONS)):
            floats[layout.policy + slot * U(ACTIONS) + a] = answers[answer + a]
        floats[layout.value + slot] = answers[answer + U(ACTIONS)]
        claim(ints, words, layout, slot, seat * layout.leaves + slot)


def claim(ints, words, layout, slot, number):
    """Claim an entry of the shared cache for an answer with this number, unless the cache has it or there is none."""
    ints[layout.entry + slot] = NO_ENTRY
    if layout.cache_mask == U(0):
        return
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
    if not known:
        ints[layout.entry + slot] = index
        raise_to(ints, entry + SLOT, np.int32(number + ONE))


def device_store(memory, room, me):
    """Store the answers in this seat whose claims stand; then its game has no question any more."""
    game = seated(memory, me)
    if game == NOBODY:
        return
    distance = way_to(game, me, memory)
    ints, floats = (
        moved(pointer(memory, np.int32), TWO * distance),
        moved(pointer(memory, np.float32), TWO * distance),
    )
    store(ints, floats, moved(pointer(memory, np.uint64), distance), U(me))


def store(ints, floats, words, seat):
    """Write the answers into the entries that were claimed for them."""
    layout = read_tuple(MemoryLayout, words, LAYOUT)
    for slot in range(U(ints[BATCH_COUNT])):
        index = ints[layout.entry + slot]
        if index == NO_ENTRY:
            continue
        entry = layout.cache + U(index) * ENTRY_SIZE
        if ints[entry + SLOT] == np.int32(seat * layout.leaves + slot + ONE):
            load_state(words, layout.batch + slot * TWO * STATE_WORDS)
            store_state(words, entry)
            for a in range(U(ACTIONS)):
                floats[entry + CACHED_POLICY + a] = floats[layout.policy + slot * U(ACTIONS) + a]
            floats[entry + CACHED_VALUE] = floats[layout.value + slot]
            ints[entry + GENERATION] = layout.generation
            ints[entry + SLOT] = 0
    ints[BATCH_COUNT] = 0
