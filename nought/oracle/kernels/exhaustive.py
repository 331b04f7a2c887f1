"""Minimax over every position that can follow one, on top of a game's rules (compiled by nought.compile).

Positions are numbered as they are found: `states` [limit, state] and `scores` [limit] by number, `slots` a hash
table of numbers + 1. A score is for the player to move there, and final once `known`.
"""

import numpy as np

from nought.games.contract import ACTIONS, LONGEST, STATE, finished, legal_moves, margin, play, player, result

SOLVED, TOO_MANY, ENDLESS = 0, 1, 2  # how a search for the truth ends
WORST = np.int32(-(2**30))
STEP, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(32)


def solve(start, points, states, scores, known, slots, count):
    """Find the score of `start`, not a finished position, and of every position that can follow it.

    `points`: a score is the final margin. Otherwise it is the result times LONGEST + 1, less 1 for every move until
    then but never changing its sign: a quicker win is better, a later loss too.
    """
    if count[0] == len(states):
        return TOO_MANY
    state = start.copy()
    here = place(state, states, slots, count)
    if known[here]:
        return SOLVED
    path = np.zeros(LONGEST + 1, np.int64)  #               the line under way, by number
    moves = np.zeros((LONGEST + 1, ACTIONS), np.int32)  #   of every position on it,
    left = np.zeros(LONGEST + 1, np.int32)  #               and how many of them are still to be judged
    depth = 0
    enter(state, here, 0, path, moves, left, scores)
    while depth >= 0:
        here = path[depth]
        if left[depth] == 0:
            known[here] = True
            depth -= 1
            continue
        state[:] = states[here]
        mover = player(state)
        play(state, moves[depth, left[depth] - 1])
        new = count[0]
        if new == len(states):
            return TOO_MANY
        child = place(state, states, slots, count)
        if child == new:
            if finished(state):
                scores[child] = last_score(state, points)
                known[child] = True
            elif depth == LONGEST:
                return ENDLESS
            else:
                depth += 1
                enter(state, child, depth, path, moves, left, scores)
                continue
        elif not known[child]:
            return ENDLESS
        score = scores[child] if player(state) == mover else -scores[child]
        scores[here] = max(scores[here], score if points else one_move_later(score))
        left[depth] -= 1
    return SOLVED


def place(state, states, slots, count):
    """The number of a position; a new one gets the next."""
    h = STEP
    for i in range(STATE[1]):
        h = (h ^ np.uint64(state[i])) * FIRST
        h ^= h >> SECOND
    mask = len(slots) - 1
    at = np.int64(h & np.uint64(mask))
    while slots[at] != 0:
        if same(states[slots[at] - 1], state):
            return slots[at] - 1
        at = (at + 1) & mask
    number = count[0]
    states[number] = state
    slots[at] = number + 1
    count[0] = number + 1
    return number


def same(one, other):
    """Whether two states are equal."""
    for i in range(STATE[1]):
        if one[i] != other[i]:
            return False
    return True


def enter(state, here, depth, path, moves, left, scores):
    """Put a position on the stack: list its legal moves, none of them looked at."""
    path[depth] = here
    left[depth] = legal_moves(state, moves[depth])
    scores[here] = WORST


def last_score(state, points):
    """The score of a finished game, for the player to move there."""
    if points:
        first = margin(state)
    else:
        value = result(state)
        size = max(1, int(abs(value) * (LONGEST + 1) + 0.5))
        first = size if value > 0 else -size if value < 0 else 0
    return first if player(state) == 0 else -first


def one_move_later(score):
    """A score seen from one move before it: a win or a loss is a move further away."""
    return score - 1 if score > 1 else score + 1 if score < -1 else score
