"""Looking inside the search."""

from __future__ import annotations

from fastapi import APIRouter, Request

from nought.server.dependencies import ClientAddress, ServicesDep
from nought.server.http.disconnect import while_here
from nought.server.views import parse_position
from nought.wire.inside import InsideAnswer, InsideRequest

router = APIRouter(prefix="/api", tags=["analyse"])


@router.post("/inside")
async def inside(
    request: Request, services: ServicesDep, client: ClientAddress, look: InsideRequest
) -> InsideAnswer:
    """A search, one simulation at a time: which edges it chose and why, what it found, what it changed.

    The first step evaluates the root. A step's value is as the player who made its last move sees it.
    """
    agent, _ = services.roster.searching(look.agent, services.catalogue.game(look.game))
    position = parse_position(agent.game, look.moves)
    search = services.engine.look_inside(agent, position, look.simulations, look.c_puct, client)
    return await while_here(request, search)
