"""Agents: players by name, from untrained ones to those that come with the package."""

from nought.agents.players import agent, has_network, learned_game, named_simulations
from nought.agents.shipped import shipped_agent

__all__ = ["agent", "has_network", "learned_game", "named_simulations", "shipped_agent"]
