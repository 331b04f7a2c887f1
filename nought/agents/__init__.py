"""Agents: players by name, from untrained ones to those that come with the package."""

from nought.agents.names import agent

__all__ = ["agent"]
