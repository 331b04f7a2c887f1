"""Which rated games are the same: a game counts once, and who plays it again move by move gains nothing.

Two games are the same when the same agent was played from the same side by the same moves, also if the board was mirrored
or turned. Short games are compared with the person's own alone: honest people often play the same few moves. A long one
is nobody's by chance: it counts for whoever played it first, or a won game could be handed round.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from nought.games import Game
from nought.server.people.store import GameRow

LONG_GAME_MOVES = 16  # moves of both players together, from which on a game is compared with everybody's


def canonical(game: Game, moves: Sequence[int]) -> list[int]:
    """The moves of a game, or of the one among its images on the board that comes first: the same for all of them."""
    return min([int(symmetry.actions[move]) for move in moves] for symmetry in game.symmetries)


def rating_key(game: Game, row: GameRow) -> str:
    """What a game that was played to its end must be the first to have, for it to be rated."""
    whose = row.account_id if len(row.moves) < LONG_GAME_MOVES else None
    facts = [row.game, row.agent, row.seat, whose, canonical(game, row.moves)]
    return hashlib.sha256(json.dumps(facts, separators=(",", ":")).encode()).hexdigest()


def rated_before(session: Session, key: str) -> bool:
    """Whether a game with this key has been rated."""
    return session.scalar(select(GameRow.number).where(GameRow.rating_key == key)) is not None
