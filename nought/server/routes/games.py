"""Games and positions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from nought.server.dependencies import ServicesDep
from nought.server.views import game_view, parse_position, position_view
from nought.wire.games import GameAnswer, PositionAnswer
from nought.wire.message import GameName, Moves

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/games")
def games(services: ServicesDep) -> list[GameAnswer]:
    """The games that are played here: those with a shipped agent first."""
    return [
        game_view(
            game,
            services.roster.agents(game),
            oracle=services.engine.has_oracle(game),
            compiled=game.name in services.catalogue.compiled or not services.settings.warm_up,
        )
        for game in services.catalogue.games.values()
    ]


@router.get("/position")
async def position(
    services: ServicesDep,
    game: Annotated[GameName, Query()],
    moves: Annotated[Moves, Query()] = "",
) -> PositionAnswer:
    """The position after a legal sequence of moves."""
    return position_view(parse_position(services.catalogue.game(game), moves))
