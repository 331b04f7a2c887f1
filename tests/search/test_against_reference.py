"""The compiled search and an independent one in plain Python (reference.py) do the same."""

import pytest

from nought.config import Choice, SearchParameters
from nought.games import load
from nought.search import Search
from nought.search.analysis import root
from tests.search.reference import Reference
from tests.search.support import Hashed, random_positions, visits

POSITIONS, SIMULATIONS = 120, 60
GAMES = ["tictactoe", "connect4", "dots-and-boxes:2x2"]
RULES = {
    "puct": {"choice": Choice.PUCT, "c_puct": 2.0},
    "puct, pessimistic": {"choice": Choice.PUCT, "c_puct": 1.0, "first_play_urgency": -0.5},
    "puct+1": {"choice": Choice.PUCT_PLUS_ONE, "c_puct": 1.5},
    "puct+1, own urgency": {"choice": Choice.PUCT_PLUS_ONE, "first_play_urgency": None, "urgency_reduction": 0.3},
    "puct+1, growing": {"choice": Choice.PUCT_PLUS_ONE, "c_puct": 1.0, "c_growth": 1.0, "c_base": 10.0},
    "ucb1": {"choice": Choice.UCB1, "c_puct": 1.0},
    "gumbel": {"choice": Choice.GUMBEL, "considered": 4},
}  # fmt: skip
# The kernels count in 32 bits and in another order. A choice as close as this may go either way.
ROUNDING = 1e-5


FACTS = {
    "proofs": {"proofs": True},
    "proofs, looking ahead": {"proofs": True, "look_ahead": True},
    "no proofs": {"proofs": False, "look_ahead": True},  # which says nothing then
}


@pytest.mark.parametrize("facts", FACTS)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", GAMES)
def test_visits_and_values_are_those_of_the_reference(name: str, rule: str, facts: str) -> None:
    game = load(name)
    parameters = SearchParameters(simulations=SIMULATIONS, cache=0, **RULES[rule], **FACTS[facts])
    evaluator = Hashed(game)
    positions = random_positions(game, POSITIONS)
    search = Search(game, parameters, POSITIONS)
    for g, position in enumerate(positions):
        search.begin(g, position.state)
    search.run(evaluator)
    compared = 0
    for g, position in enumerate(positions):
        expected = Reference(position, evaluator.of, parameters)
        if expected.closest > ROUNDING:
            compared += 1
            node = root(search, g)
            assert visits(search, g) == {m.action: m.visits for m in expected.root.moves}, position
            assert node.value == pytest.approx(expected.root.value, abs=1e-5), position
            assert (node.plies is not None) == expected.root.proven
            assert [e.refuted for e in node.edges] == [m.refuted for m in expected.root.moves]
            for edge, move in zip(node.edges, expected.root.moves, strict=True):
                assert edge.value == pytest.approx(move.value, abs=1e-5), (position, edge.action)
    assert compared > 0.9 * POSITIONS
