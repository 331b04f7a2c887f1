"""Games and positions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from nought.server import schemas
from nought.server.services import Here
from nought.server.views import game_view, parse_position, position_view

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/games")
def games(here: Here) -> list[schemas.Game]:
    """The games that are played here: those with a shipped agent first."""
    return [
        game_view(game, here.roster.agents(game), oracle=here.engine.oracles.has(game))
        for game in here.catalogue.games.values()
    ]


@router.get("/position")
async def position(
    here: Here, game: Annotated[schemas.GameName, Query()], moves: Annotated[schemas.Moves, Query()] = ""
) -> schemas.Position:
    """The position after a legal sequence of moves."""
    return position_view(parse_position(here.catalogue.game(game), moves))
