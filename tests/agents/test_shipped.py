"""What comes with the package: every agent has a card, weights that fit its game, and the settings it was made with."""

from __future__ import annotations

import tomllib

import pytest

from nought.agents.networks import trained
from nought.agents.shipped import SHIPPED, card, shipped_agents
from nought.games import load
from nought.network import load_network
from nought.presets import from_toml


@pytest.mark.parametrize("name", shipped_agents())
def test_an_agent_is_whole(name: str) -> None:
    known, folder = card(name), SHIPPED / name
    facts = known.facts
    assert {"network", "title", "about", "licence", "made"} <= set(facts)
    network = load_network(trained(f"agents/{name}").path, load(known.game)).network
    shape = network.architecture
    assert facts["network"] == f"{shape.filters} filters, {shape.blocks} blocks"
    for settings in ("config.toml", "further.toml"):
        if (folder / settings).exists():
            parameters = from_toml((folder / settings).read_text(encoding="utf-8"), name)
            parameters.check()
            assert parameters.network == shape
    assert (folder / "config.toml").exists() or "settings" in facts["made"]


def test_ratings_are_of_agents_that_are_there() -> None:
    for game, rated in tomllib.loads((SHIPPED / "ratings.toml").read_text(encoding="utf-8")).items():
        load(game)
        for name, (elo, low, high) in rated.items():
            assert low <= elo <= high
            if name.startswith("agents/"):
                assert load(card(name.split("/")[1].split(":")[0]).game).source == load(game).source


def test_all_of_it_is_small() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.glob("*/weights.safetensors")) < 40e6
