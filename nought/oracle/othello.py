"""Othello: endgames by search, and so the whole game on 4 × 4."""

from __future__ import annotations

import numpy as np

from nought.errors import NoughtError
from nought.games import Game, Position
from nought.oracle.kernels.othello import BEST, WORST, final_score
from nought.oracle.truth import Truth, require_unfinished, truth

LARGEST_SIDE = 8  # of the largest board
ENDGAME_CELLS = 18  # empty cells that are searched in seconds
HASH_BITS = 20  # the search's hash table holds at most 2 to this many positions


class Othello:
    """Judges positions with up to 18 empty cells, on boards of up to 8 × 8.

    The score of a move is the final difference of discs; cells that stay empty count for nobody.
    """

    def __init__(self, game: Game) -> None:
        self.name = f"endgames of {game.name}"
        self.game = game
        self.cells = self._bits(np.uint64(game.rules.FULL))

    def knows(self, position: Position) -> bool:
        return not position.finished and self._empty(position) <= ENDGAME_CELLS

    def judge(self, position: Position) -> Truth:
        require_unfinished(position)
        if not self.knows(position):
            raise NoughtError(
                f"{self.game.name}: perfect play is known from {ENDGAME_CELLS} empty cells, here are {self._empty(position)}"
            )
        size = 1 << min(HASH_BITS, self._empty(position) + 4)
        room = np.zeros((size, 2), np.uint64), np.zeros((size, 2), np.int8), np.zeros((65, 64), np.int64)
        scores = {}
        for move in position.legal:
            following = position.play(move)
            mine, theirs = map(self._bits, following.state[:2])
            score = int(final_score(mine, theirs, WORST, BEST, self.cells, *room))
            scores[move] = score if following.player == position.player else -score
        return truth(scores)

    def _empty(self, position: Position) -> int:
        mine, theirs = map(int, position.state[:2])
        return self.game.actions - (mine | theirs).bit_count()

    def _bits(self, cells: np.uint64) -> np.uint64:
        """The cells of this game's board, on a board of 8 × 8."""
        rows, columns = self.game.size
        row = (1 << columns) - 1
        return np.uint64(sum((int(cells) >> r * columns & row) << LARGEST_SIDE * r for r in range(rows)))
