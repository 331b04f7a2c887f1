"""Games against agents."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from nought.errors import NoughtError
from nought.games.notation import format_moves
from nought.server.dependencies import Caller, ClientAddress, OptionalCaller, People, PeopleDep, ServicesDep
from nought.server.http.disconnect import while_here
from nought.server.people.play import MOST_LISTED
from nought.server.people.store import AccountRow, GameRow
from nought.server.views import position_view
from nought.wire.games import OfferedAgent
from nought.wire.message import GameName
from nought.wire.play import (
    ListedGame,
    MoveRequest,
    MovesAnswer,
    NewGameRefusal,
    NewGameRequest,
    Participant,
    PlayedGameAnswer,
    RatingChange,
    RecordRequest,
)

router = APIRouter(prefix="/api", tags=["play"])
GAME_BYTES = 1024  # that a game takes in the database, about


@router.post(
    "/play", responses={409: {"model": NewGameRefusal, "description": "Another rated game is open."}}
)
async def begin(
    request: Request,
    people: PeopleDep,
    services: ServicesDep,
    caller: Caller,
    client: ClientAddress,
    wanted: NewGameRequest,
) -> PlayedGameAnswer:
    """A new game; if the agent moves first, it has moved. You have one rated game at a time: while another of the same
    kind is open this is refused (409, and `open_game` is its id), unless you give that one up."""
    services.buckets.stored.take(client, GAME_BYTES + len(wanted.start or ""))
    game = await while_here(request, people.playing.begin(caller, wanted, client))
    return whole_game(people, game, caller)


@router.post("/play/record")
async def record(
    people: PeopleDep, services: ServicesDep, caller: Caller, client: ClientAddress, played: RecordRequest
) -> PlayedGameAnswer:
    """Keep a casual game that was played in your browser."""
    services.buckets.stored.take(client, GAME_BYTES + len(played.moves))
    return whole_game(people, await people.playing.record(caller, played), caller)


@router.get("/opponent")
async def opponent(
    people: PeopleDep, caller: OptionalCaller, game: Annotated[GameName, Query()]
) -> OfferedAgent:
    """Whom you meet who name nobody: closest to your rating but not below; before your first rated game one half-way up."""
    return await people.ladder.opponent(caller, game)


@router.get("/play")
async def played_games(
    people: PeopleDep,
    caller: OptionalCaller,
    player: Annotated[str | None, Query(max_length=200)] = None,
    game: Annotated[GameName | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 20,
    before: Annotated[str | None, Query(max_length=200, description="the id of a game")] = None,
) -> list[ListedGame]:
    """Games, the newest first."""
    found = await people.playing.games(player=player, game=game, limit=limit, before=before)
    return [ListedGame(position=moves_only(people, row), **game_facts(row, caller)) for row in found]


@router.get("/play/{id}")
async def see(people: PeopleDep, caller: OptionalCaller, id: str) -> PlayedGameAnswer:
    """A game, for whoever has its id."""
    return whole_game(people, await people.playing.find(id), caller)


@router.post("/play/{id}/move")
async def move(
    request: Request, people: PeopleDep, caller: Caller, client: ClientAddress, id: str, chosen: MoveRequest
) -> PlayedGameAnswer:
    """Your move; the answer has the agent's, too."""
    moving = people.playing.move(caller, id, chosen.action, chosen.ply, client)
    return whole_game(people, await while_here(request, moving), caller)


@router.post("/play/{id}/undo")
async def undo(people: PeopleDep, caller: Caller, id: str) -> PlayedGameAnswer:
    """Take your last move back, in a casual game."""
    return whole_game(people, await people.playing.undo(caller, id), caller)


@router.post("/play/{id}/resign")
async def resign(people: PeopleDep, caller: Caller, id: str) -> PlayedGameAnswer:
    """Give the game up: it is lost."""
    return whole_game(people, await people.playing.resign(caller, id), caller)


def whole_game(people: People, row: GameRow, caller: AccountRow | None) -> PlayedGameAnswer:
    """A game with its board, as who asks sees it."""
    return PlayedGameAnswer(position=position_view(people.playing.position(row)), **game_facts(row, caller))


def moves_only(people: People, row: GameRow) -> MovesAnswer:
    """The moves of a game, as text."""
    try:
        moves = format_moves(people.opponents.game(row.game), row.moves)
    except NoughtError:  # a game file that is no longer offered, or has other rules now
        moves = " ".join(str(move) for move in row.moves)
    return MovesAnswer(game=row.game, moves=moves)


def game_facts(row: GameRow, caller: AccountRow | None) -> dict[str, Any]:
    """What there is to say of a game beside its position, to who asks."""
    mine = caller is not None and caller.id == row.account_id
    players = (
        Participant(kind="person", name=row.account.name),
        Participant(kind="agent", name=row.agent),
    )
    change = None
    if mine and row.rating_before is not None and row.rating_after is not None:
        change = RatingChange(before=row.rating_before, after=row.rating_after)
    return {
        "id": row.id,
        "game": row.game,
        "players": players if row.seat == 0 else players[::-1],
        "you": row.seat if mine else None,
        "rated": row.rated,
        "repeated": row.repeated,
        "status": "finished" if row.finished else "playing",
        "ended": row.ended,
        "result": row.result,
        "opponent_value": row.opponent_value,
        "rating_change": change,
        "created": row.created,
        "finished_at": row.finished,
    }
