"""Agents: players by name, from untrained ones to those that come with the package."""

from nought.agents.names import agent, has_network, learned_game, named_simulations
from nought.agents.networks import shipped_agent

__all__ = ["agent", "has_network", "learned_game", "named_simulations", "shipped_agent"]
