"""The best move, analyses, and the mistakes of a game."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from nought.games import Game
from nought.games.notation import format_move
from nought.server.dependencies import ClientAddress, Services, ServicesDep
from nought.server.http.disconnect import while_here
from nought.server.http.errors import Conflict
from nought.server.thinking.agents import Agent
from nought.server.thinking.jobs import Budget
from nought.server.thinking.review import analysis_view, review, truth_view, truths
from nought.server.views import parse_position, position_after
from nought.wire.analysis import (
    AnalysisAnswer,
    AnalysisRequest,
    BestMoveAnswer,
    ReviewedMove,
    ReviewRequest,
    TruthAnswer,
)
from nought.wire.message import GameName, Moves

router = APIRouter(prefix="/api", tags=["analyse"])
MOST_MOVES = 200  # of a game whose mistakes are looked for


def budget_of(services: Services, client: str, agent: Agent, query: AnalysisRequest) -> Budget:
    """How long the agent may think; what that may cost at most is taken from the client's bucket."""
    budget = services.engine.budget(agent, query.simulations, query.seconds)
    services.buckets.take_for(client, budget.simulations if agent.searches else 0)
    return budget


@router.post("/best-move")
async def best_move(
    request: Request, services: ServicesDep, client: ClientAddress, query: AnalysisRequest
) -> BestMoveAnswer:
    """What an agent would play."""
    game = services.catalogue.game(query.game)
    position = parse_position(game, query.moves)
    agent, note = services.roster.find(query.agent, game)
    budget = budget_of(services, client, agent, query)
    chosen = await while_here(request, services.engine.choose(agent, position, budget, client))
    services.buckets.give_back_for(client, budget.simulations - chosen.simulations if agent.searches else 0)
    return BestMoveAnswer(
        action=chosen.action,
        name=format_move(position, chosen.action),
        value=chosen.value,
        agent=agent.name,
        note=note,
    )


@router.post("/analyse")
async def analyse(
    request: Request, services: ServicesDep, client: ClientAddress, query: AnalysisRequest
) -> AnalysisAnswer:
    """Every move's visits, value and prior, the best lines, and the exact verdict where there is one."""
    agent, note = services.roster.searching(query.agent, services.catalogue.game(query.game))
    position = parse_position(agent.game, query.moves)
    budget = budget_of(services, client, agent, query)
    found = await while_here(request, services.engine.analyse(agent, position, budget, client))
    services.buckets.give_back_for(client, budget.simulations - found.simulations)
    return analysis_view(position, agent, note, found, await services.engine.truth(position, client))


@router.get("/truth")
async def truth(
    request: Request,
    services: ServicesDep,
    client: ClientAddress,
    game: Annotated[GameName, Query()],
    moves: Annotated[Moves, Query()] = "",
) -> TruthAnswer:
    """What perfect play says of a position, where somebody knows it soon enough."""
    position = parse_position(services.catalogue.game(game), moves)
    return truth_view(await while_here(request, services.engine.truth(position, client)))


@router.post("/truths")
async def find_truths(
    request: Request, services: ServicesDep, client: ClientAddress, query: ReviewRequest
) -> list[TruthAnswer]:
    """What perfect play says of the position before each move of a game."""
    game, moves = reviewed(services, client, query)
    found = truths(services.engine, [position_after(game, moves[:ply]) for ply in range(len(moves))], client)
    return [truth_view(truth) for truth in await while_here(request, found)]


@router.post("/mistakes")
async def find_mistakes(
    request: Request, services: ServicesDep, client: ClientAddress, query: ReviewRequest
) -> list[ReviewedMove]:
    """What every move of a game did to the chances of who made it."""
    game, moves = reviewed(services, client, query)
    return await while_here(request, review(services.engine, services.roster.best(game), moves, client))


def reviewed(services: Services, client: str, query: ReviewRequest) -> tuple[Game, tuple[int, ...]]:
    """A game that is to be judged move by move, which costs its client more than one request."""
    game = services.catalogue.game(query.game)
    moves = parse_position(game, query.moves).moves
    if len(moves) > MOST_MOVES:
        raise Conflict(f"games of up to {MOST_MOVES} moves are judged here")
    services.buckets.take(client, len(moves) / 4)
    return game, moves
