"""Every position that can follow, for small games and for the endgames of any game."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from nought.compile import Kernels, compiled
from nought.errors import NoughtError
from nought.games import Game, Position
from nought.oracle.truth import Truth, require_unfinished, truth

KERNELS = Kernels(
    files=(Path(__file__).with_name("kernels") / "exhaustive.py",),
    called=("solve", "place", "one_move_later"),
    inlined=(),
)
LIMIT, LIMIT_UNCOMPILED = 3_000_000, 100_000  # positions that take seconds
TABLE_BYTES = 1 << 28  # bytes of positions at most
FIRST_TABLE = 10_000  # positions at first; eight times as many when that is not enough


class Exhaustive:
    """Judges a position by all that can follow, as long as there are not more positions than its limit.

    The score of a move is the final margin in games that count points. In others a win scores the game's longest
    length + 1, less 1 for every move until then: quicker wins and later losses score higher, a draw 0.
    """

    def __init__(self, game: Game, limit: int | None = None) -> None:
        self.name = f"every position of {game.name}"
        self.game = game
        room = TABLE_BYTES // (game.state_length * game.state_dtype.itemsize)
        self.limit = limit or min(room, LIMIT if game.compilable else LIMIT_UNCOMPILED)
        self.kernels = compiled(game, KERNELS)
        self.too_much: Position | None = None  # the last position that was
        self._make_room(min(FIRST_TABLE, self.limit))

    def knows(self, position: Position) -> bool:
        if position == self.too_much or position.finished:
            return False
        if self._solve(position):
            return True
        self.too_much = position
        return False

    def judge(self, position: Position) -> Truth:
        require_unfinished(position)
        if not self.knows(position):
            raise NoughtError(
                f"{self.game.name}: no oracle knows this position: more than {self.limit:,} can follow it"
            )
        return truth({move: self._score(position, move) for move in position.legal})

    def _solve(self, position: Position) -> bool:
        """Whether the position and all that can follow it have their scores now."""
        if self._search(position):  # beside those that have theirs already
            return True
        room = len(self.states)
        while True:
            room = min(8 * room, self.limit)
            self._make_room(room)
            if self._search(position):
                return True
            if room == self.limit:
                self._make_room(min(FIRST_TABLE, self.limit))
                return False

    def _make_room(self, positions: int) -> None:
        """Make an empty table of positions."""
        self.states = np.zeros((positions, self.game.state_length), self.game.state_dtype)
        self.scores, self.known = np.zeros(positions, np.int32), np.zeros(positions, np.bool_)
        self.slots = np.zeros(1 << (2 * positions - 1).bit_length(), np.int32)
        self.count = np.zeros(1, np.int64)

    def _search(self, position: Position) -> bool:
        table = (self.states, self.scores, self.known, self.slots, self.count)
        ended = self.kernels.solve(position.state, self.game.counts_points, *table)
        if ended == self.kernels.ENDLESS:
            raise NoughtError(
                f"{self.game.name}: a game can go on forever; `nought check` looks for the reason"
            )
        return bool(ended == self.kernels.SOLVED)

    def _score(self, position: Position, move: int) -> int:
        following = position.play(move)
        place = self.kernels.place(following.state, self.states, self.slots, self.count)
        score = int(self.scores[place])
        score = score if following.player == position.player else -score
        return score if self.game.counts_points else int(self.kernels.one_move_later(score))
