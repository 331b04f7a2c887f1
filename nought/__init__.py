"""nought learns board games from nothing but their rules."""

__version__ = "0.1.0"
