"""Games: rules in plain Python, one small file each."""

from nought.games.game import Game, IllegalMove, Position, Symmetry
from nought.games.registry import builtin_games, load

__all__ = ["Game", "IllegalMove", "Position", "Symmetry", "builtin_games", "load"]
