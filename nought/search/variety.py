"""Playing not always the same: a move about as good as the best, drawn by chance, for games against people.

Nothing here is used where a search must repeat itself (analyses, evaluations, matches): it only reads a finished search.
"""

from __future__ import annotations

import random

from nought.search.analysis import Edge, root
from nought.search.search import Search

VALUE_MARGIN = 0.04  # two chances in a hundred to win; what is further behind is worse, not another way
VISITS_SHARE = 0.5  # share of the best move's: with fewer, a value is a guess
PRIOR_SHARE = 0.95  # share of the best move's, where there are no simulations: a network that knows little likes bad moves
#                nearly as much as good ones


def alternatives(search: Search, g: int = 0) -> dict[int, float]:
    """The moves of game g about as good as the best, which is among them, and how likely each is to be drawn.

    Of a proven position only moves that keep what is proven, and no slower win or quicker loss. Otherwise those that the
    search has looked at nearly as often as at the best and values nearly as high, in proportion to their visits; with no
    simulations those that the evaluator likes nearly as much, in proportion to their priors.
    """
    node = root(search, g)
    edges = {edge.action: edge for edge in node.edges}
    best = edges[search.decide(g)[0]]
    if node.plies is not None:
        weights = {a: 1.0 for a, edge in edges.items() if _keeps_the_proof(edge, best)}
    elif best.visits == 0:
        weights = {
            a: e.prior for a, e in edges.items() if not e.refuted and e.prior >= PRIOR_SHARE * best.prior
        }
    else:
        weights = {a: float(e.visits) for a, e in edges.items() if _about_as_good(e, best)}
    total = sum(weights.values())
    if total == 0:  # priors of 0 alone
        return {best.action: 1.0}
    return {action: weight / total for action, weight in weights.items()}


def varied_move(search: Search, chance: random.Random, g: int = 0) -> int:
    """One of the moves of game g that are about as good as the best."""
    moves = alternatives(search, g)
    return chance.choices(list(moves), list(moves.values()))[0]


def _keeps_the_proof(edge: Edge, best: Edge) -> bool:
    same = edge.proven and edge.value == best.value
    return same and (edge.plies == best.plies or best.value == 0)


def _about_as_good(edge: Edge, best: Edge) -> bool:
    enough = edge.visits >= VISITS_SHARE * best.visits and not edge.refuted
    return enough and edge.value >= best.value - VALUE_MARGIN
