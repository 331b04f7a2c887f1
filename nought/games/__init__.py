"""Games: rules in plain Python, one small file each."""

from nought.games.registry import builtin_games, load
from nought.games.spec import Game, IllegalMove, Position, Symmetry

__all__ = ["Game", "IllegalMove", "Position", "Symmetry", "builtin_games", "load"]
