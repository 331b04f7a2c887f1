"""What a browser calls: a search of its own, and the rules for the board that people see.

All functions are called alike, with the memory of a search, an array of floats for what they show, and a number; they answer
a number. Positions are those at hand in the memory.
"""

# ruff: noqa: ARG001 (a browser calls all of them alike)
import numpy as np

from nought.games.contract import (
    ACTIONS,
    PLANES,
    finished,
    legal_moves,
    margin,
    planes,
    play,
    player,
    result,
    start,
)
from nought.search.kernels.advance import advance
from nought.search.kernels.calls import begin_position, decision, forget_games
from nought.search.kernels.record import MOVES_AT_HAND, ONE, STATE_WORDS, state_at_hand
from nought.search.kernels.rollout import play_out
from nought.search.memory import BATCH_COUNT, HERE, LAYOUT, RANDOM, MemoryLayout, U
from nought.search.pointers import pointer, read_tuple, view

SHOWN_PLAYER, SHOWN_FINISHED, SHOWN_RESULT, SHOWN_MARGIN, SHOWN_PLANES = range(5)  # places in the room


def browser_forget(memory, room, number):
    """Empty the graphs."""
    forget_games(memory)
    return np.int64(0)


def browser_begin(memory, room, number):
    """Search the position at hand, which stands after so many moves."""
    begin_position(memory, U(0), number)
    return np.int64(0)


def browser_advance(memory, room, number):
    """Take in the answers and search on; how many positions there are to evaluate."""
    advance(memory)
    return np.int64(pointer(memory, np.int32)[BATCH_COUNT])


def browser_rollouts(memory, room, number):
    """Evaluate so many positions that the search asks for by random play to the end: for agents without a network."""
    words, answers = pointer(memory, np.uint64), pointer(memory, np.float32)
    layout = read_tuple(MemoryLayout, words, LAYOUT)
    state, moves = state_at_hand(words), view(words, MOVES_AT_HAND >> ONE, np.int32, ACTIONS)
    for slot in range(U(number)):
        for i in range(STATE_WORDS):
            words[(HERE >> ONE) + i] = words[(layout.batch >> ONE) + slot * STATE_WORDS + i]
        answers[layout.value + slot] = play_out(state, words, (layout.blocks + RANDOM) >> ONE, moves)
        for a in range(U(ACTIONS)):
            answers[layout.policy + slot * U(ACTIONS) + a] = np.float32(1.0)
    return np.int64(number)


def browser_decide(memory, room, number):
    """The move to play; the search's policy is left in the scratch that is called `stack`."""
    layout = read_tuple(MemoryLayout, pointer(memory, np.uint64), LAYOUT)
    return np.int64(decision(memory, U(0), layout.stack))


def browser_start(memory, room, number):
    """Make the start of the game the position at hand."""
    words = pointer(memory, np.uint64)
    for i in range(STATE_WORDS):
        words[(HERE >> ONE) + i] = U(0)
    start(state_at_hand(words))
    return np.int64(0)


def browser_play(memory, room, number):
    """Play a legal move in the position at hand."""
    play(state_at_hand(pointer(memory, np.uint64)), number)
    return np.int64(0)


def browser_look(memory, room, number):
    """Show the position at hand: how many legal moves it has, which are listed after it; in the room all else."""
    words, shown = pointer(memory, np.uint64), pointer(room, np.float32)
    state = state_at_hand(words)
    over = finished(state)
    shown[SHOWN_PLAYER] = player(state)
    shown[SHOWN_FINISHED] = over
    shown[SHOWN_RESULT] = result(state) if over else 0.0
    shown[SHOWN_MARGIN] = margin(state)
    board = view(shown, SHOWN_PLANES, np.float32, PLANES)
    board[:] = 0.0
    planes(state, board)
    return np.int64(legal_moves(state, view(words, MOVES_AT_HAND >> ONE, np.int32, ACTIONS)))
