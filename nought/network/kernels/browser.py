"""The network behind the search that a browser runs."""

import numpy as np

from nought.games.contract import ACTIONS, PLANES, STATE, planes
from nought.network.kernels.forward import forward, softmax, take_board, value_of
from nought.network.kernels.room import POLICY, SEEN
from nought.network.kernels.squares import prepare_network
from nought.search.kernels.record import ONE, STATE_WORDS
from nought.search.memory import LAYOUT, MemoryLayout, U
from nought.search.pointers import pointer, read_tuple, view


def browser_prepare(_memory, room, number):
    """Make the network ready: once, before the first position."""
    prepare_network(room)
    return np.int64(number)


def browser_evaluate(memory, room, number):
    """Evaluate so many positions that the search asks for; `room` is the network."""
    words, answers = pointer(memory, np.uint64), pointer(memory, np.float32)
    ints, floats = pointer(room, np.int32), pointer(room, np.float32)
    layout = read_tuple(MemoryLayout, words, LAYOUT)
    seen, logits = view(floats, ints[SEEN], np.float32, PLANES), U(ints[POLICY])
    for slot in range(U(number)):
        seen[:] = 0.0
        planes(view(words, (layout.batch >> ONE) + slot * STATE_WORDS, STATE[0], STATE[1]), seen)
        take_board(ints, floats, seen)
        forward(ints, floats)
        softmax(floats, logits, U(ACTIONS), logits)
        for a in range(U(ACTIONS)):
            answers[layout.policy + slot * U(ACTIONS) + a] = floats[logits + a]
        answers[layout.value + slot] = value_of(ints, floats)
    return np.int64(number)
