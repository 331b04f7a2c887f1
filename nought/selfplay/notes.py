"""What a search knew when it chose a move: kept with a game, so that it can be looked at later."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from nought.search import Search
from nought.search.analysis import root


class MoveNote(NamedTuple):
    """A legal move, as a search found it."""

    move: int
    visits: int
    value: float | None  # for the player to move; None if it was never tried
    prior: float


class SearchNote(NamedTuple):
    """A position, as a search found it."""

    value: float  #                 for the player to move
    moves: tuple[MoveNote, ...]  #  all that are legal


Notes = tuple[SearchNote | None, ...]  # before each move of a game; None where nobody searched


def note(search: Search, g: int) -> SearchNote:
    """What the search of game g has found, to three digits."""
    node = root(search, g)
    moves = [
        MoveNote(e.action, e.visits, round(e.value, 3) if e.visits or e.proven else None, round(e.prior, 3))
        for e in node.edges
    ]
    return SearchNote(round(node.value, 3), tuple(moves))


def read_notes(lines: Iterable[Any]) -> Notes:
    """Notes as JSON has them; what is none is a ValueError or TypeError."""
    return tuple(None if line is None else _read_note(*line) for line in lines)


def _read_note(value: Any, moves: Any) -> SearchNote:
    found = (
        MoveNote(int(move), int(visits), None if q is None else float(q), float(prior))
        for move, visits, q, prior in moves
    )
    return SearchNote(float(value), tuple(found))
