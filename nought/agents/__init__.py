"""Agents: players by name, from untrained ones to those that come with the package."""

from nought.agents.learned import learned, learned_game, names_network
from nought.agents.players import agent, has_network, named_simulations
from nought.agents.shipped import shipped_agent

__all__ = [
    "agent",
    "has_network",
    "learned",
    "learned_game",
    "named_simulations",
    "names_network",
    "shipped_agent",
]
