"""Monte-Carlo graph search, compiled for each game, for many games at once."""

from nought.search.analysis import Analysis, MoveAnalysis, analyse
from nought.search.batch import Log, Positions, Search
from nought.search.evaluator import Evaluator, FromPlanes, Native, Rollout, Uniform

__all__ = [
    "Analysis",
    "Evaluator",
    "FromPlanes",
    "Log",
    "MoveAnalysis",
    "Native",
    "Positions",
    "Rollout",
    "Search",
    "Uniform",
    "analyse",
]
