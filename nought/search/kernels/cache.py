"""The evaluation cache: a position evaluated for one game serves all games of the batch.

An entry is a record like a node's: state, generation, slot, value, policy. A position has two places where it
may stand; a new one takes the second when the first is in use.
"""

from nought.games.contract import ACTIONS
from nought.search.kernels.record import ONE, STATE_WORDS, TWO, holds, position_hash, store_state
from nought.search.memory import BATCH_COUNT, EVALUATED, FROM_CACHE, U

GENERATION = TWO * STATE_WORDS  #       of the evaluator; another than the current one: empty
SLOT = GENERATION + U(1)  #             1 + the place in the batch where the answer will stand; 0: it is here
CACHED_VALUE = GENERATION + U(2)
CACHED_POLICY = GENERATION + U(3)
ENTRY_SIZE = (CACHED_POLICY + U(ACTIONS) + ONE) // TWO * TWO

ANSWERED = -1


def request(ints, words, layout):
    """Ask for the evaluation of the state at hand. Returns the place in the batch where it will
    stand, or ANSWERED if the cache has it, and the cache's entry."""
    entry = U(0)
    if layout.cache_mask != U(0):
        index = position_hash(words) & layout.cache_mask
        entry = layout.cache + index * ENTRY_SIZE
        if U(ints[entry + GENERATION]) == layout.generation and not holds(words, entry):
            entry = layout.cache + (index ^ ONE) * ENTRY_SIZE
        if U(ints[entry + GENERATION]) == layout.generation and holds(words, entry):
            words[FROM_CACHE] += ONE
            return ints[entry + SLOT] - 1, entry
        if layout.shared:
            entry = U(0)
    if entry != U(0):
        store_state(words, entry)
        ints[entry + GENERATION] = layout.generation
        ints[entry + SLOT] = ints[BATCH_COUNT] + 1
    slot = ints[BATCH_COUNT]
    ints[BATCH_COUNT] += 1
    store_state(words, layout.batch + U(slot) * TWO * STATE_WORDS)
    ints[layout.entry + U(slot)] = entry
    words[EVALUATED] += ONE
    return slot, entry


def store_answers(ints, floats, layout):
    """Put the batch's answers into the cache, except where another position has taken the place since."""
    if layout.shared:  # device.py does
        return
    for slot in range(U(ints[BATCH_COUNT])):
        entry = U(ints[layout.entry + slot])
        if entry != U(0) and ints[entry + SLOT] == slot + 1:
            for a in range(U(ACTIONS)):
                floats[entry + CACHED_POLICY + a] = floats[layout.policy + slot * U(ACTIONS) + a]
            floats[entry + CACHED_VALUE] = floats[layout.value + slot]
            ints[entry + SLOT] = 0
