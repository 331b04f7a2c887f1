"""Monte-Carlo graph search, compiled for each game, for many games at once."""

from nought.search.analysis import Analysis, MoveAnalysis, analyse
from nought.search.evaluator import Evaluator, Native, Rollout, Uniform
from nought.search.search import Log, Positions, Search

__all__ = [
    "Analysis",
    "Evaluator",
    "Log",
    "MoveAnalysis",
    "Native",
    "Positions",
    "Rollout",
    "Search",
    "Uniform",
    "analyse",
]
