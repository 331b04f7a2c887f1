"""The best move, analyses, and the mistakes of a game."""

from __future__ import annotations

from fastapi import APIRouter, Request

from nought.games.notation import format_move
from nought.server import schemas
from nought.server.dependencies import ClientAddress, Services, ServicesDep
from nought.server.http.disconnect import while_here
from nought.server.http.errors import Conflict
from nought.server.thinking.agents import Contender
from nought.server.thinking.review import analysis_view, mistakes
from nought.server.views import parse_position

router = APIRouter(prefix="/api", tags=["analyse"])
MOST_MOVES = 200  # of a game whose mistakes are looked for


def analyst(services: Services, game_name: str, agent: str | None) -> tuple[Contender, str | None]:
    """Who searches a position for a client: the agent that was asked for, or the best one if that cannot search."""
    game = services.catalogue.game(game_name)
    found, note = services.roster.find(agent, game)
    if not found.searches:
        best = services.roster.best(game)
        return best, f"{found.name} does not search; {best.name} answers"
    return found, note


@router.post("/best-move")
async def best_move(
    request: Request, services: ServicesDep, client: ClientAddress, query: schemas.Query
) -> schemas.BestMove:
    """What an agent would play."""
    game = services.catalogue.game(query.game)
    position = parse_position(game, query.moves)
    contender, note = services.roster.find(query.agent, game)
    budget = services.engine.budget(contender, query.simulations, query.seconds)
    services.buckets.take_for(client, budget.simulations if budget.seconds is None else 0)
    opinion = await while_here(request, services.engine.choose(contender, position, budget, client))
    return schemas.BestMove(
        action=opinion.action,
        name=format_move(game, opinion.action),
        value=opinion.value,
        agent=contender.name,
        note=note,
    )


@router.post("/analyse")
async def analyse(
    request: Request, services: ServicesDep, client: ClientAddress, query: schemas.Query
) -> schemas.Analysis:
    """Every move's visits, value and prior, the best lines, and the exact verdict where there is one."""
    contender, note = analyst(services, query.game, query.agent)
    position = parse_position(contender.game, query.moves)
    budget = services.engine.budget(contender, query.simulations, query.seconds)
    services.buckets.take_for(client, budget.simulations if budget.seconds is None else 0)
    found = await while_here(request, services.engine.analyse(contender, position, budget, client))
    truth = await services.engine.oracles.judge(position)
    return analysis_view(position, contender, note, found, truth)


@router.post("/mistakes")
async def find_mistakes(
    request: Request, services: ServicesDep, client: ClientAddress, whole: schemas.WholeGame
) -> list[schemas.JudgedMove]:
    """What every move of a game did to the chances of who made it."""
    game = services.catalogue.game(whole.game)
    moves = parse_position(game, whole.moves).moves
    if len(moves) > MOST_MOVES:
        raise Conflict(f"games of up to {MOST_MOVES} moves are judged here")
    services.buckets.take(client, len(moves) / 4)
    return await while_here(request, mistakes(services.engine, services.roster.best(game), moves, client))
