"""A site of an agent, exported for tests."""

from __future__ import annotations

from pathlib import Path

from nought.agents.networks import playing
from nought.export.web import SiteAgent, export_web
from nought.games import load
from nought.network.checkpoint import load_network
from nought.network.resnet import Network
from nought.server.views import game_view


def export_site(folder: Path, name: str, network: Network | Path, *others: Network) -> Path:
    """The site of a network for this game, and of others that play without search."""
    game = load(name)
    found = network if isinstance(network, Network) else load_network(network, game).network
    agents = [SiteAgent(found, "Tester", "Plays in tests.", {"Network": "small"}, simulations=50)]
    agents += [SiteAgent(other, f"Other {n}", "", {}, simulations=0) for n, other in enumerate(others, 1)]
    export_web(agents, game, game_view(game, [], oracle=False), playing(50), folder)
    return folder
