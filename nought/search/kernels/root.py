"""At the root: preparing it for a search, deciding on a move, and going on to the next position."""

import numpy as np

from nought.games.contract import ACTIONS, finished, legal_moves, play, start
from nought.search.kernels.back_up import edge_length
from nought.search.kernels.elementary import exp, log, power
from nought.search.kernels.gumbel import (
    NEVER,
    completed_value,
    draw_gumbel,
    gumbel_scale,
    gumbel_score,
    weigh_gumbel,
)
from nought.search.kernels.random import log_gamma_variate, uniform
from nought.search.kernels.record import (
    ACTION_MASK,
    MOVES_AT_HAND,
    ONE,
    PROOF,
    PROVEN,
    REFUTED,
    STATE_WORDS,
    TAG,
    VALUE,
    N,
    P,
    Q,
    add_node,
    edge_count,
    find,
    forget_all,
    group,
    has_room,
    keep_below,
    load_state,
    state_at_hand,
)
from nought.search.memory import (
    FULL_SEARCH,
    GUMBEL,
    HERE,
    LIMIT,
    MOVE_NOISE,
    PENDING,
    PLY,
    PRIOR_NOISE,
    RANDOM,
    READY,
    ROOT,
    SEARCHING,
    SIMULATIONS,
    STATUS,
    U,
)
from nought.search.pointers import view


def begin(ints, words, block, layout, settings):
    """Search the position at hand, in which the game must not be over, keeping what is known below it."""
    if not settings.reuse or ints[block + PENDING] > 0:  # an abandoned search awaits answers that never come
        forget_all(ints, block, layout)
    root = U(ints[find(ints, words, block, layout)])
    wanted = U(settings.simulations + 1)
    if not has_room(ints, block, layout, wanted):
        if root != U(0):
            root = keep_below(ints, words, block, layout, root)
            load_state(words, root)
        if root == U(0) or not has_room(ints, block, layout, wanted):
            forget_all(ints, block, layout)
            root = U(0)
    if root == U(0):
        root = U(add_node(ints, words, block, find(ints, words, block, layout), U(0), U(0)))
    ints[block + ROOT] = root
    full = settings.full_share >= 1.0 or uniform(words, (block + RANDOM) >> ONE) < settings.full_share
    ints[block + FULL_SEARCH] = full
    ints[block + SIMULATIONS] = 0
    ints[block + LIMIT] = settings.simulations if full else settings.fast_simulations
    ints[block + PENDING] = 0
    ints[block + READY] = 0
    ints[block + STATUS] = SEARCHING


def new_game(ints, words, block, layout, settings):
    """Search the starting position, or in some games one after random moves, with an empty graph."""
    forget_all(ints, block, layout)
    stream = (block + RANDOM) >> ONE
    moves = 0
    if settings.opening_share > 0.0 and uniform(words, stream) < settings.opening_share:
        moves = int(uniform(words, stream) * (settings.opening_moves + 1))
    while not open_game(words, stream, moves):
        moves -= 1  # a game that was over too soon: try again, shorter
    ints[block + PLY] = moves
    begin(ints, words, block, layout, settings)


def open_game(words, stream, moves):
    """Make the start and this many random moves the position at hand; False if the game was over by then."""
    for i in range(STATE_WORDS):
        words[(HERE >> ONE) + i] = U(0)
    state, list_of_moves = state_at_hand(words), view(words, MOVES_AT_HAND >> ONE, np.int32, ACTIONS)
    start(state)
    for _ in range(moves):
        count = legal_moves(state, list_of_moves)
        play(state, list_of_moves[int(uniform(words, stream) * count)])
        if finished(state):
            return False
    return True


def prepare(ints, floats, words, block, layout, settings):
    """Once the root is expanded: draw its noise, and remember the visits it already has."""
    ints[block + READY] = 1
    root = U(ints[block + ROOT])
    edges = edge_count(ints, root)
    p, n = group(root, edges, P), group(root, edges, N)
    stream, draw = (block + RANDOM) >> ONE, block + layout.gumbel
    for i in range(edges):
        ints[block + layout.before + i] = ints[n + i]
        floats[draw + i] = 0.0
    if settings.noise != PRIOR_NOISE or not ints[block + FULL_SEARCH]:
        return
    if settings.choice == GUMBEL:
        draw_gumbel(floats, words, stream, draw, edges)
        return
    total = draw_dirichlet(floats, words, stream, draw, edges, settings.noise_alpha)
    for i in range(edges):
        noise = floats[draw + i] / total
        floats[p + i] = (1 - settings.noise_share) * floats[p + i] + settings.noise_share * noise


def draw_dirichlet(floats, words, stream, draw, edges, alpha):
    """Draw Dirichlet noise for the root's edges, from the place `draw` on; it is to be divided by the sum returned."""
    highest = NEVER
    for i in range(edges):
        floats[draw + i] = log_gamma_variate(words, stream, alpha)
        highest = max(highest, floats[draw + i])
    total = 0.0
    for i in range(edges):
        floats[draw + i] = exp(floats[draw + i] - highest)
        total += floats[draw + i]
    return total


def search_policy(ints, floats, words, block, layout, settings, policy):
    """The improved policy that a search has found, for every action from the place `policy` on, untempered.

    Visits in proportion, without refuted moves; of a proven root its best proven moves; from Gumbel
    softmax(log P + σ(Q)); with no simulations the prior.
    """
    root = U(ints[block + ROOT])
    edges = edge_count(ints, root)
    visits = 0
    for i in range(edges):
        if not ints[group(root, edges, TAG) + i] & REFUTED:
            visits += ints[group(root, edges, N) + i]
    for a in range(U(ACTIONS)):
        floats[policy + a] = 0.0
    if settings.choice == GUMBEL and visits > 0 and not ints[root + PROOF]:
        total = weigh_gumbel(ints, floats, words, root, layout, settings, policy)
    else:
        total = weigh_visits(ints, floats, root, visits, policy)
    for a in range(U(ACTIONS)):
        floats[policy + a] /= total


def weigh_visits(ints, floats, root, visits, policy):
    """Write the visits of the edges that are not refuted, or their prior where there are no visits; of a proven root
    those of its best proven edges. Returns the sum."""
    edges = edge_count(ints, root)
    p, q, n, tag = (
        group(root, edges, P),
        group(root, edges, Q),
        group(root, edges, N),
        group(root, edges, TAG),
    )
    total = 0.0
    for i in range(edges):
        weight = 0.0
        if ints[root + PROOF]:
            if ints[tag + i] & PROVEN and floats[q + i] == floats[root + VALUE]:
                weight = 1.0 + ints[n + i]
        elif ints[tag + i] & REFUTED:
            continue
        elif visits == 0:
            weight = np.float64(floats[p + i]) + 1e-30  # if all are 0, in equal shares
        else:
            weight = np.float64(ints[n + i])
        floats[policy + U(ints[tag + i] & ACTION_MASK)] = weight
        total += weight
    return total


def surprise(ints, floats, root, policy):
    """Σ π ln(π / P): what the search has found out beyond the prior it started from."""
    edges = edge_count(ints, root)
    total = 0.0
    for i in range(edges):
        share = floats[policy + U(ints[group(root, edges, TAG) + i] & ACTION_MASK)]
        if share > 0.0:
            total += share * log(share / max(floats[group(root, edges, P) + i], 1e-6))
    return total


def decide(ints, floats, words, block, layout, settings, policy):
    """The action to play, given the search's policy."""
    sampled = ints[block + PLY] < settings.sampled_moves and settings.temperature > 0.0
    if settings.noise == MOVE_NOISE:
        return noisy_action(ints, floats, words, block, layout, settings, policy, sampled)
    if sampled:
        return sample(floats, words, (block + RANDOM) >> ONE, policy, U(ACTIONS), settings.temperature)
    return best_action(ints, floats, block, layout, settings)


def sample(floats, words, stream, policy, count, temperature):
    """One of `count` places in proportion to policy^(1/temperature)."""
    highest = 0.0
    for a in range(count):
        highest = max(highest, floats[policy + a])
    total = 0.0
    for a in range(count):
        total += power(floats[policy + a] / highest, 1.0 / temperature)
    left = uniform(words, stream) * total
    last = np.int64(0)
    for a in range(count):
        if floats[policy + a] > 0.0:
            last = np.int64(a)
            left -= power(floats[policy + a] / highest, 1.0 / temperature)
            if left <= 0.0:
                break
    return last


def noisy_action(ints, floats, words, block, layout, settings, policy, sampled):
    """The action to play by (1 − ε) policy + ε noise (001): drawn by chance, or the one with the largest share."""
    root, stream, mixed = U(ints[block + ROOT]), (block + RANDOM) >> ONE, block + layout.gumbel
    edges = edge_count(ints, root)
    total = draw_dirichlet(floats, words, stream, mixed, edges, settings.noise_alpha)
    tag, largest = group(root, edges, TAG), U(0)
    for i in range(edges):
        share = floats[policy + U(ints[tag + i] & ACTION_MASK)]
        noise = floats[mixed + i] / total
        floats[mixed + i] = (1 - settings.noise_share) * share + settings.noise_share * noise
        if floats[mixed + i] > floats[mixed + largest]:
            largest = U(i)
    if sampled:
        largest = U(sample(floats, words, stream, mixed, edges, settings.temperature))
    return np.int64(ints[tag + largest] & ACTION_MASK)


def best_action(ints, floats, block, layout, settings):
    """Without chance (but Gumbel's noise): of a proven root the soonest win or the longest defence; else most
    visits, then value (Gumbel: score), then prior."""
    root = U(ints[block + ROOT])
    edges = edge_count(ints, root)
    p, q, n, tag = (
        group(root, edges, P),
        group(root, edges, Q),
        group(root, edges, N),
        group(root, edges, TAG),
    )
    completed, scale = completed_value(ints, floats, root), gumbel_scale(ints, root, settings)
    chosen, top, top_second, top_third = U(0), NEVER, NEVER, NEVER
    for i in range(edges):
        first, second = np.float64(ints[n + i]), np.float64(floats[q + i])
        if ints[root + PROOF]:
            if not ints[tag + i] & PROVEN or floats[q + i] != floats[root + VALUE]:
                continue
            first = np.float64(edge_length(ints, root, i))
            if floats[root + VALUE] >= 0:
                first = -first
        elif ints[tag + i] & REFUTED:
            continue
        elif settings.choice == GUMBEL:
            first -= ints[block + layout.before + i]
            second = floats[block + layout.gumbel + i] + gumbel_score(ints, floats, root, i, completed, scale)
        third = np.float64(floats[p + i])
        if first > top or (
            first == top and (second > top_second or (second == top_second and third > top_third))
        ):
            chosen, top, top_second, top_third = U(i), first, second, third
    return np.int64(ints[tag + chosen] & ACTION_MASK)
