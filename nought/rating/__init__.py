"""How strong players are, from the games they played."""

from nought.rating.bradley_terry import Gain, Meeting, Rating, gain, rate
from nought.rating.elo import PAPERS, STANDARD, Scale, to_papers, to_standard
from nought.rating.match import MatchInterrupted, MatchResult, Tally, play_match
from nought.rating.openings import random_opening, varied_openings

__all__ = [
    "PAPERS",
    "STANDARD",
    "Gain",
    "MatchInterrupted",
    "MatchResult",
    "Meeting",
    "Rating",
    "Scale",
    "Tally",
    "gain",
    "play_match",
    "random_opening",
    "rate",
    "to_papers",
    "to_standard",
    "varied_openings",
]
