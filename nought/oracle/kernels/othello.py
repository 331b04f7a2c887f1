"""Othello endgames by alpha-beta on bitboards of 8 × 8: bit 8 row + column. Smaller boards lie in its corner."""

import numpy as np
from numba import njit

ZERO, ONE = np.uint64(0), np.uint64(1)
MIDDLE = np.uint64(0x7E7E7E7E7E7E7E7E)  # a step sideways from here stays in its row
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
QUARTERS = (
    np.uint64(0x000000000F0F0F0F), np.uint64(0x00000000F0F0F0F0),
    np.uint64(0x0F0F0F0F00000000), np.uint64(0xF0F0F0F000000000),
)  # fmt: skip
CORNERS = np.uint64(0x8100000000000081)
WORST, BEST = -65, 65
SORTED = 6  #  with more empty cells than this, moves are sorted and positions remembered


@njit(cache=True)
def count(cells):
    """How many cells are in a set."""
    n = 0
    while cells:
        cells &= cells - ONE
        n += 1
    return n


@njit(cache=True)
def along(discs, over, step):
    """Cells of `over` in unbroken rows that begin a step after `discs`: six at most on a board of eight."""
    row = over & (discs << step)
    row |= over & (row << step)
    over &= over << step
    twice = step + step
    row |= over & (row << twice)
    return row | (over & (row << twice))


@njit(cache=True)
def against(discs, over, step):
    """As `along`, in the opposite direction."""
    row = over & (discs >> step)
    row |= over & (row >> step)
    over &= over >> step
    twice = step + step
    row |= over & (row >> twice)
    return row | (over & (row >> twice))


@njit(cache=True)
def moves_of(mine, theirs, cells):
    """The cells where `mine` may play, on a board of these cells."""
    inner = theirs & MIDDLE
    found = along(mine, inner, ONE) << ONE | against(mine, inner, ONE) >> ONE
    for step in (np.uint64(7), np.uint64(9)):
        found |= along(mine, inner, step) << step | against(mine, inner, step) >> step
    step = np.uint64(8)
    found |= along(mine, theirs, step) << step | against(mine, theirs, step) >> step
    return found & cells & ~(mine | theirs)


@njit(cache=True)
def turned(disc, mine, theirs):
    """The discs that a new disc of mine turns."""
    found = ZERO
    for step, inside in ((ONE, MIDDLE), (np.uint64(7), MIDDLE), (np.uint64(8), ALL), (np.uint64(9), MIDDLE)):
        over = theirs & inside
        row = along(disc, over, step)
        if (row << step) & mine:
            found |= row
        row = against(disc, over, step)
        if (row >> step) & mine:
            found |= row
    return found


@njit(cache=True)
def odd_quarters(empty):
    """The quarters of the board with an odd number of empty cells: who moves there first moves there last."""
    odd = ZERO
    for quarter in QUARTERS:
        if count(empty & quarter) & 1:
            odd |= quarter
    return odd


@njit(cache=True)
def last_cells(mine, theirs, alpha, beta, cells):
    """As `final_score`, where so few cells are empty that a plain search is quickest."""
    moves = moves_of(mine, theirs, cells)
    if moves == ZERO:
        if moves_of(theirs, mine, cells) == ZERO:
            return count(mine) - count(theirs)
        return -last_cells(theirs, mine, -beta, -alpha, cells)
    odd = odd_quarters(cells & ~(mine | theirs))
    best = WORST
    for some in (moves & odd, moves & ~odd):
        while some:
            disc = some & (ZERO - some)
            some ^= disc
            turn = turned(disc, mine, theirs)
            best = max(best, -last_cells(theirs & ~turn, mine | disc | turn, -beta, -max(alpha, best), cells))
            if best >= beta:
                return best
    return best


@njit(cache=True)
def final_score(mine, theirs, alpha, beta, cells, discs, bounds, line):
    """The final disc difference for the player of `mine`, who is to move or to pass: exact between alpha and beta,
    otherwise a bound.

    discs [size, 2] and bounds [size, 2] are a hash table: positions and the lowest and highest score that they can
    have. line [65, 64] is room for the sorted moves at each number of empty cells.
    """
    left = count(cells & ~(mine | theirs))
    if left <= SORTED:
        return last_cells(mine, theirs, alpha, beta, cells)
    at = place(mine, theirs, len(discs))
    low, high = WORST, BEST
    if discs[at, 0] == mine and discs[at, 1] == theirs:
        low, high = bounds[at, 0], bounds[at, 1]
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
    n = sort_moves(mine, theirs, cells, line[left])
    if n == 0:
        if moves_of(theirs, mine, cells) == ZERO:
            return count(mine) - count(theirs)
        return -final_score(theirs, mine, -beta, -alpha, cells, discs, bounds, line)
    best, reached = WORST, alpha
    for i in range(n):
        disc = ONE << np.uint64(line[left, i] & 63)
        turn = turned(disc, mine, theirs)
        new, old = theirs & ~turn, mine | disc | turn
        # after the first move only a glance: is this one better?
        glance = beta if i == 0 else reached + 1
        score = -final_score(new, old, -glance, -reached, cells, discs, bounds, line)
        if glance <= score < beta:
            score = -final_score(new, old, -beta, -score, cells, discs, bounds, line)
        best, reached = max(best, score), max(reached, score)
        if reached >= beta:
            break
    discs[at, 0], discs[at, 1] = mine, theirs
    bounds[at, 0] = best if best > alpha else low
    bounds[at, 1] = best if best < beta else high
    return best


@njit(cache=True)
def place(mine, theirs, size):
    """Where a position belongs in a hash table of this size."""
    h = (mine * np.uint64(0x9E3779B97F4A7C15)) ^ (theirs * np.uint64(0xC2B2AE3D27D4EB4F))
    h ^= h >> np.uint64(32)
    return np.int64((h * np.uint64(0xBF58476D1CE4E5B9) >> np.uint64(30)) & np.uint64(size - 1))


@njit(cache=True)
def sort_moves(mine, theirs, cells, moves):
    """Write the moves, those first that leave the opponent few answers; each is 64 weight + cell. How many."""
    found = moves_of(mine, theirs, cells)
    odd = odd_quarters(cells & ~(mine | theirs))
    n = 0
    while found:
        disc = found & (ZERO - found)
        found ^= disc
        turn = turned(disc, mine, theirs)
        answers = moves_of(theirs & ~turn, mine | disc | turn, cells)
        weight = 4 * count(answers) + 2 * count(answers & CORNERS) - (1 if disc & odd else 0)
        move = 64 * (weight + 1) + count(disc - ONE)
        i = n
        while i > 0 and moves[i - 1] > move:
            moves[i] = moves[i - 1]
            i -= 1
        moves[i] = move
        n += 1
    return n
