"""Agents: players by name, from untrained ones to those that come with the package."""

from nought.agents.names import agent, learned_game, named_simulations

__all__ = ["agent", "learned_game", "named_simulations"]
