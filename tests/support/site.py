"""A site of an agent, exported for tests."""

from __future__ import annotations

from pathlib import Path

from nought.agents.networks import playing
from nought.export.web import AgentFacts, export_web
from nought.games import load
from nought.network.checkpoint import load_network
from nought.network.resnet import Network
from nought.server.views import game_view

FACTS = AgentFacts("Tester", "Plays in tests.", {"Network": "small"}, simulations=50)


def export_site(folder: Path, name: str, network: Network | Path) -> Path:
    """The site of a network for this game."""
    game = load(name)
    found = network if isinstance(network, Network) else load_network(network, game).network
    export_web(found, game, game_view(game, [], oracle=False), FACTS, playing(50), folder)
    return folder
