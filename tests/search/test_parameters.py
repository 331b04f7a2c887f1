"""Parameters of the search that cannot be meant are refused before any work starts."""

import math

import pytest

from nought.config import SearchParameters
from nought.errors import NoughtError
from nought.games import load
from nought.search import Search

WRONG = {
    "simulations": [-1],
    "c_puct": [-0.1, math.nan, math.inf],
    "c_growth": [-1.0, math.nan],
    "c_base": [0.0, -1.0, math.nan],
    "first_play_urgency": [math.nan, math.inf, 1.5],
    "urgency_reduction": [-0.1, math.inf],
    "considered": [0],
    "c_visit": [-1.0, math.nan],
    "c_scale": [-1.0, math.nan],
    "noise_share": [-0.1, 1.1, math.nan],
    "noise_alpha": [0.0, -1.0, math.nan],
    "temperature": [-1.0, math.nan, math.inf],
    "sampled_moves": [-1],
    "leaves": [0, 1025],
    "symmetries": [0],
    "nodes": [-1, 1],
    "cache": [-1],
}


@pytest.mark.parametrize(("name", "value"), [(name, v) for name, values in WRONG.items() for v in values])
def test_a_value_that_cannot_be_meant_is_named(name: str, value: float) -> None:
    parameters = SearchParameters(**{name: value})
    for check in (parameters.check, lambda: Search(load("tictactoe"), parameters)):
        with pytest.raises(NoughtError, match=f"search.{name} ") as caught:
            check()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "parameters",
    [
        SearchParameters(),
        SearchParameters(simulations=0, considered=1, leaves=1024, nodes=2, cache=0, temperature=0.0),
        SearchParameters(first_play_urgency=None, noise_share=1.0, noise_alpha=0.03, c_puct=0.0),
    ],
)
def test_values_at_the_edge_are_accepted(parameters: SearchParameters) -> None:
    parameters.check()
