"""Looking inside the search."""

from __future__ import annotations

from fastapi import APIRouter, Request

from nought.errors import NoughtError
from nought.server import schemas
from nought.server.dependencies import ClientAddress, ServicesDep
from nought.server.http.disconnect import while_here
from nought.server.http.errors import Conflict
from nought.server.routes.analyse import analyst
from nought.server.thinking.inside import look_inside
from nought.server.views import parse_position

router = APIRouter(prefix="/api", tags=["analyse"])


@router.post("/inside")
async def inside(
    request: Request, services: ServicesDep, client: ClientAddress, look: schemas.LookInside
) -> schemas.Inside:
    """A search, one simulation at a time: which edges it chose and why, what it found, what it changed.

    The first step evaluates the root. A step's value is as the player who made its last move sees it.
    """
    limit = services.settings.limits.inside
    if look.simulations > limit:
        raise NoughtError(f"up to {limit} simulations can be watched one by one")
    contender, _ = analyst(services, look.game, look.agent)
    position = parse_position(contender.game, look.moves)
    if position.finished:
        raise Conflict("the game is over: there is nothing to search")
    job = look_inside(contender, position, look.simulations, look.c_puct)
    return await while_here(request, services.engine.searches.run(contender, lambda pool: job, client))
