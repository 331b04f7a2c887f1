"""Perfect play: exact values of positions, independent of network and search."""

from __future__ import annotations

from nought.games import Game
from nought.oracle.player import OraclePlayer
from nought.oracle.truth import Oracle, Truth

__all__ = ["Oracle", "OraclePlayer", "Truth", "find_oracle"]


def find_oracle(game: Game) -> Oracle:
    """Who knows the truth about a game; `knows` says of which positions. A NoughtError says what to install."""
    from nought.oracle import connect4, othello  # which take a moment to load
    from nought.oracle.dots_and_boxes import DotsAndBoxes
    from nought.oracle.exhaustive import Exhaustive

    if game.base in ("connect4", "connect4-cells") and game.size == connect4.SIZE:
        return connect4.Connect4()
    if game.base == "dots-and-boxes":
        return DotsAndBoxes(game)
    if game.base == "othello" and max(game.size) <= othello.LARGEST_SIDE:
        return othello.Othello(game)
    return Exhaustive(game)
