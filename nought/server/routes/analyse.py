"""The best move, analyses, and the mistakes of a game."""

from __future__ import annotations

from fastapi import APIRouter, Request

from nought.games.notation import format_move
from nought.server import schemas
from nought.server.errors import Conflict
from nought.server.judging import analysis_view, mistakes
from nought.server.leaving import while_here
from nought.server.roster import Contender
from nought.server.services import Client, Here, Services
from nought.server.views import parse_position

router = APIRouter(prefix="/api", tags=["analyse"])
MOST_MOVES = 200  # of a game whose mistakes are looked for


def analyst(here: Services, game_name: str, agent: str | None) -> tuple[Contender, str | None]:
    """Who searches a position for a client: the agent that was asked for, or the best one if that cannot search."""
    game = here.catalogue.game(game_name)
    found, note = here.roster.find(agent, game)
    if not found.searches:
        best = here.roster.best(game)
        return best, f"{found.name} does not search; {best.name} answers"
    return found, note


@router.post("/best-move")
async def best_move(request: Request, here: Here, client: Client, query: schemas.Query) -> schemas.BestMove:
    """What an agent would play."""
    game = here.catalogue.game(query.game)
    position = parse_position(game, query.moves)
    contender, note = here.roster.find(query.agent, game)
    budget = here.engine.budget(contender, query.simulations, query.seconds)
    here.buckets.take_for(client, budget.simulations if budget.seconds is None else 0)
    opinion = await while_here(request, here.engine.choose(contender, position, budget, client))
    return schemas.BestMove(
        action=opinion.action,
        name=format_move(game, opinion.action),
        value=opinion.value,
        agent=contender.name,
        note=note,
    )


@router.post("/analyse")
async def analyse(request: Request, here: Here, client: Client, query: schemas.Query) -> schemas.Analysis:
    """Every move's visits, value and prior, the best lines, and the exact verdict where there is one."""
    contender, note = analyst(here, query.game, query.agent)
    position = parse_position(contender.game, query.moves)
    budget = here.engine.budget(contender, query.simulations, query.seconds)
    here.buckets.take_for(client, budget.simulations if budget.seconds is None else 0)
    found = await while_here(request, here.engine.analyse(contender, position, budget, client))
    truth = await here.engine.oracles.judge(position)
    return analysis_view(position, contender, note, found, truth)


@router.post("/mistakes")
async def find_mistakes(
    request: Request, here: Here, client: Client, whole: schemas.WholeGame
) -> list[schemas.JudgedMove]:
    """What every move of a game did to the chances of who made it."""
    game = here.catalogue.game(whole.game)
    moves = parse_position(game, whole.moves).moves
    if len(moves) > MOST_MOVES:
        raise Conflict(f"games of up to {MOST_MOVES} moves are judged here")
    here.buckets.take(client, len(moves) / 4)
    return await while_here(request, mistakes(here.engine, here.roster.best(game), moves, client))
