"""The ladder of a game: people and agents together."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from nought.server.dependencies import PeopleDep
from nought.wire.accounts import LadderEntry
from nought.wire.message import GameName

router = APIRouter(prefix="/api", tags=["accounts"])


@router.get("/ladder")
async def ladder(people: PeopleDep, game: Annotated[GameName, Query()]) -> list[LadderEntry]:
    """Whoever has a rating in a game, best first. A person has one after a rated game."""
    return await people.ladder.entries(game)
