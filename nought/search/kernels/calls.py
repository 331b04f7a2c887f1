"""The functions that Python calls, besides `advance`: they begin searches and read decisions."""

import numpy as np

from nought.search.kernels.record import ONE, STATE_WORDS, forget_all, state_at_hand
from nought.search.kernels.root import begin, decide, new_game, search_policy
from nought.search.memory import HERE, LAYOUT, PENDING, PLY, SETTINGS, KernelSettings, MemoryLayout, U
from nought.search.pointers import pointer, read_tuple


def forget_games(memory):
    """Empty the graphs of all games."""
    layout = read_tuple(MemoryLayout, pointer(memory, np.uint64), LAYOUT)
    for g in range(layout.games):
        forget_all(pointer(memory, np.int32), layout.blocks + g * layout.block, layout)


def begin_position(memory, g, ply):
    """Search the position at hand in game g."""
    ints, words = pointer(memory, np.int32), pointer(memory, np.uint64)
    layout, settings = (
        read_tuple(MemoryLayout, words, LAYOUT),
        read_tuple(KernelSettings, pointer(memory, np.float64), SETTINGS),
    )
    block = layout.blocks + g * layout.block
    ints[block + PLY] = ply
    begin(ints, words, block, layout, settings)


def begin_positions(memory, states, plies):
    """Search these positions, one in each game, with empty graphs."""
    ints, words = pointer(memory, np.int32), pointer(memory, np.uint64)
    layout, settings = (
        read_tuple(MemoryLayout, words, LAYOUT),
        read_tuple(KernelSettings, pointer(memory, np.float64), SETTINGS),
    )
    state = state_at_hand(words)
    for i in range(STATE_WORDS):  # what the rules do not use of it stays zero
        words[(HERE >> ONE) + i] = U(0)
    for g in range(layout.games):
        block = layout.blocks + g * layout.block
        forget_all(ints, block, layout)
        for i in range(len(state)):
            state[i] = states[g, i]
        ints[block + PLY] = plies[g]
        ints[block + PENDING] = 0
        begin(ints, words, block, layout, settings)


def begin_games(memory):
    """Search the starting position in every game."""
    ints, words = pointer(memory, np.int32), pointer(memory, np.uint64)
    layout, settings = (
        read_tuple(MemoryLayout, words, LAYOUT),
        read_tuple(KernelSettings, pointer(memory, np.float64), SETTINGS),
    )
    for g in range(layout.games):
        new_game(ints, words, layout.blocks + g * layout.block, layout, settings)


def decision(memory, g, policy):
    """The action to play in game g; the search's policy goes to the place `policy`."""
    ints, floats, words = pointer(memory, np.int32), pointer(memory, np.float32), pointer(memory, np.uint64)
    layout, settings = (
        read_tuple(MemoryLayout, words, LAYOUT),
        read_tuple(KernelSettings, pointer(memory, np.float64), SETTINGS),
    )
    block = layout.blocks + g * layout.block
    search_policy(ints, floats, words, block, layout, settings, policy)
    return decide(ints, floats, words, block, layout, settings, policy)
