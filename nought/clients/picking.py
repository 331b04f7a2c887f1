"""Making a move by pointing at a board: a cell, or the cell of a piece and then where it goes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from nought.wire.games import GameAnswer, LegalMove


class Pick(NamedTuple):
    """A cell to point at, and the moves that are left then: one is played, of several one is asked for by name."""

    cell: int
    moves: tuple[LegalMove, ...]
    lifts: bool = False  # the piece on the cell is taken up: where it goes is asked next


def picks(game: GameAnswer, legal: Iterable[LegalMove], lifted: int | None = None) -> list[Pick]:
    """The cells that mean something when they are pointed at; `lifted`: the cell of a piece that was taken up."""
    if game.board == "text":
        return []
    moving = [move for move in legal if move.origin is not None]
    pieces = _by_cell((move.origin, move) for move in moving)
    if lifted in pieces:
        goals = _by_cell((move.cell, move) for move in pieces[lifted])
        others = [Pick(cell, tuple(moves), True) for cell, moves in pieces.items() if cell not in goals]
        return [*(Pick(cell, tuple(moves)) for cell, moves in goals.items()), *others]
    settled = _by_cell((move.cell, move) for move in legal if move.origin is None)
    return [
        *(Pick(cell, tuple(moves), True) for cell, moves in pieces.items()),
        *(Pick(cell, tuple(moves)) for cell, moves in settled.items() if cell not in pieces),
    ]


def named_only(game: GameAnswer, legal: Iterable[LegalMove]) -> list[LegalMove]:
    """The moves that can be made by their names alone: passes, and others without a cell."""
    legal = list(legal)
    pointed = {move.action for pick in picks(game, legal) for move in pick.moves}
    return [move for move in legal if move.action not in pointed]


def _by_cell(moves: Iterable[tuple[int | None, LegalMove]]) -> dict[int, list[LegalMove]]:
    found: dict[int, list[LegalMove]] = {}
    for cell, move in moves:
        if cell is not None:
            found.setdefault(cell, []).append(move)
    return found
