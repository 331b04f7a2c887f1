"""Agents: players by name, from untrained ones to those that come with the package."""

from nought.agents.names import agent, has_network, learned_game, named_simulations

__all__ = ["agent", "has_network", "learned_game", "named_simulations"]
