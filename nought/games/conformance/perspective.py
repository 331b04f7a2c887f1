"""Do the planes show the board as the player to move sees it? Answered from what changes when the turn passes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nought.games.conformance.view import View
from nought.games.game import Game

MOST_NUMBERS = 2_000_000  # kept of the planes


class Perspective:
    """Looks at planes 0 and 1 before and after every turn, where they are planes of stones."""

    def __init__(self, game: Game) -> None:
        _, rows, columns = game.planes_shape
        self.most = MOST_NUMBERS // (rows * columns) if rows * columns <= 1024 else 0
        if game.board not in ("stones", "hexagons") or hasattr(game.rules, "picture"):
            self.most = 0
        self.movers: list[int] = []
        self.before: list[NDArray[np.float32]] = []
        self.after: list[NDArray[np.float32]] = []

    def turn(self, before: View, after: View) -> None:
        """Note the planes before and after a move that passed the turn."""
        if len(self.movers) >= self.most or before.player == after.player or len(after.planes) < 2:
            return
        stones = after.planes[:2]
        if np.any(stones[0] * stones[1]) or not np.all((stones == 0) | (stones == 1)):
            return
        self.movers.append(before.player)
        self.before.append(before.planes[:2])
        self.after.append(stones)

    def is_missing(self) -> bool:
        """Whether the planes stay with the same players: clearly more cells are as they were than are as they would
        be if the sides were exchanged, in place or on a board that is turned to the player to move, however it is
        turned. A game in which both players set the same stones has no sides to exchange."""
        if not self.movers:
            return False
        before, after = (
            np.reshape(planes, (len(self.movers), 2, -1)) for planes in (self.before, self.after)
        )
        kept = float(np.abs(after - before).sum())
        exchanged = sum(_best_match(before[:, 1 - plane], after[:, plane]) for plane in (0, 1))
        return 2 * kept < exchanged and self._has_sides(before, after)

    def _has_sides(self, before: NDArray[np.float32], after: NDArray[np.float32]) -> bool:
        """Whether the two players' new stones are in different planes."""
        new = (after > before).sum(axis=2)  # [turns, planes]
        movers = np.array(self.movers)
        return bool(new[movers == 0].sum(axis=0).argmax() != new[movers == 1].sum(axis=0).argmax())


def _best_match(before: NDArray[np.float32], after: NDArray[np.float32]) -> float:
    """How often a cell [turns, cells] afterwards differs from the cell before that it fits best."""
    differences = before.sum(axis=0)[:, None] + after.sum(axis=0) - 2 * before.T @ after
    return float(differences.min(axis=0).sum())
