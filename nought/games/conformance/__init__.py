"""Is a game right? Random games that test everything the contract promises."""

from nought.games.conformance.games import check_game
from nought.games.conformance.report import Finding, Report

__all__ = ["Finding", "Report", "check_game"]
