"""Many leaves of one root at once: simulations under way count as visits that lost (virtual loss)."""

import numpy as np
import pytest

from nought.config import Choice, SearchParameters
from nought.search import Search, analyse
from nought.search.analysis import root
from tests.search.support import (
    Hashed,
    formula,
    nodes_below,
    random_positions,
    start,
    state_of,
    under_way,
    visits,
)

RULES = {
    "puct": {"choice": Choice.PUCT},
    "puct+1": {"choice": Choice.PUCT_PLUS_ONE},
    "own urgency": {"first_play_urgency": None},
    "ucb1": {"choice": Choice.UCB1, "c_puct": 1.4},
    "gumbel": {"choice": Choice.GUMBEL},
}


@pytest.mark.parametrize("proofs", [True, False], ids=["proofs", "no proofs"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("name", "moves"), [("connect4", []), ("dots-and-boxes:2x2", [0, 4, 7])])
def test_leaves_are_distinct_and_leave_no_mark(name: str, moves: list[int], rule: str, proofs: bool) -> None:
    position = start(name, moves)
    evaluator = Hashed(position.game)
    parameters = SearchParameters(simulations=200, leaves=8, proofs=proofs, cache=0, **RULES[rule])
    search = Search(position.game, parameters)
    search.begin(0, position.state)
    sizes = []
    while len(states := search.advance()):
        sizes.append(len(states))
        assert len(np.unique(states, axis=0)) == len(states)
        assert under_way(search, root(search)) == (len(states) if len(sizes) > 1 else 0)
        search.answer(*evaluator(states))
    assert sizes[0] == 1 and max(sizes) == 8 and np.mean(sizes[1:]) > 4
    assert len(set(evaluator.asked)) == len(evaluator.asked)
    assert sum(visits(search).values()) == analyse(search).simulations == 200
    for node in nodes_below(root(search)):
        assert under_way(search, node) == 0
        assert node.visits == 1 + sum(edge.visits for edge in node.edges)
        # a walk given up because its leaf was under way may have refreshed shared edges and not the value
        if node.plies is None and (node == root(search) or not any(edge.shared for edge in node.edges)):
            assert node.value == pytest.approx(formula(node), abs=1e-5), state_of(search, node)


def test_one_leaf_at_a_time_is_the_search_without_virtual_loss() -> None:
    game = start("connect4").game
    for position in random_positions(game, 10):
        found = []
        for leaves in (1, 2):
            search = Search(game, SearchParameters(simulations=100, leaves=leaves, cache=0))
            for _ in range(100):  # one by one, so that never two are under way
                search.begin(0, position.state, simulations=1)
                search.run(Hashed(game))
            found.append(visits(search))
        assert found[0] == found[1]


def test_virtual_loss_spreads_the_first_leaves_over_the_moves() -> None:
    position = start("connect4")
    search = Search(position.game, SearchParameters(simulations=50, leaves=7, c_puct=2.0, cache=0))
    search.begin(0, position.state)
    search.advance()
    search.answer(np.ones((1, 7), np.float32), np.zeros(1, np.float32))
    # each move once: a simulation under way counts as lost
    assert sorted(map(tuple, search.advance().tolist())) == sorted(
        tuple(position.play(move).state.tolist()) for move in range(7)
    )
