"""Players by name."""

from __future__ import annotations

import pytest

from nought.agents import agent
from nought.errors import NoughtError
from nought.games import load

CONNECT4 = load("connect4")


def test_players_by_name() -> None:
    assert agent("random", CONNECT4).name == "random"
    assert agent("rollout:12", CONNECT4).name == "rollout:12"


@pytest.mark.parametrize(
    "name",
    ["", "nobody", "rollout", "rollout:", "rollout:-5", "rollout:x", "rollout:1.5", "rollout:²", "random:3",
     "Random", "network:3"],
)  # fmt: skip
def test_an_unknown_player_is_named_in_one_line(name: str) -> None:
    with pytest.raises(NoughtError, match="there is no player") as caught:
        agent(name, CONNECT4)
    assert repr(name) in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["rollout:0", "rollout:1000001"])
def test_a_number_out_of_range_says_the_range(name: str) -> None:
    with pytest.raises(NoughtError, match="1 to 1000000"):
        agent(name, CONNECT4)
