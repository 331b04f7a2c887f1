"""Games: rules in plain Python, one small file each."""

from nought.games.game import Game, IllegalMove, Position
from nought.games.registry import builtin_games, load
from nought.games.symmetry import Symmetry

__all__ = ["Game", "IllegalMove", "Position", "Symmetry", "builtin_games", "load"]
