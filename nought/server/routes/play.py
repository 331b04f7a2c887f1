"""Games against agents."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from nought.games.notation import format_moves
from nought.server import schemas
from nought.server.dependencies import Caller, OptionalCaller, People, PeopleDep
from nought.server.http.errors import NotFound
from nought.server.people.play import CLOSEST, MOST_LISTED, Wish
from nought.server.people.store import Account, GameRecord
from nought.server.views import position_view

router = APIRouter(prefix="/api", tags=["play"])


class WishedGame(BaseModel):
    game: schemas.GameName
    side: Literal["first", "second", "random"] = "random"
    opponent: schemas.AgentName = Field(CLOSEST, description="closest to your rating, or an agent's name")
    rated: bool = False
    start: schemas.Moves | None = Field(None, description="Moves to begin after, in a casual game.")
    simulations: int | None = Field(None, ge=0, description="Instead of the agent's own, in a casual game.")
    give_up: bool = Field(
        False,
        description="Of a rated game: lose the one that is still open, if any. Without it, that is 409.",
    )


class ChosenMove(BaseModel):
    action: int
    ply: int | None = None  # moves before this one, as the client sees the game; another number is refused


class Player(BaseModel):
    kind: Literal["person", "agent"]
    name: str


class RatingChange(BaseModel):
    before: float
    after: float


class MovesOnly(BaseModel):
    """A position in a list of games: the moves that led to it."""

    game: str
    moves: str


class PlayedGame(BaseModel):
    id: str  # whoever has it may see the game
    game: str
    players: list[Player]  # who moves first, first
    you: int | None  # the caller's place among them
    rated: bool
    repeated: bool  # rated, but the same game had been rated before: it changed no rating
    position: schemas.Position | MovesOnly
    status: Literal["playing", "finished"]
    ended: Literal["played", "resigned"] | None
    result: int | None  # for who moved first
    opponent_value: float | None  # what the agent thought of its own chances at its last move
    rating_change: RatingChange | None  # the caller's
    created: datetime
    finished_at: datetime | None


@router.post("/play")
async def begin(people: PeopleDep, caller: Caller, wish: WishedGame) -> PlayedGame:
    """A new game; if the agent moves first, it has moved. You have one rated game at a time: while another of the same
    kind is open this is refused (409, and `open_game` is its id), unless you give that one up."""
    wanted = Wish(**{**dict(wish), "start": wish.start or ""})
    return whole_game(people, await people.playing.begin(caller, wanted), caller)


@router.get("/opponent")
async def opponent(
    people: PeopleDep, caller: OptionalCaller, game: Annotated[schemas.GameName, Query()]
) -> schemas.Agent:
    """Whom you meet who name nobody: closest to your rating but not below; before your first rated game one half-way up."""
    return await people.playing.opponent(caller, game)


@router.get("/play")
async def played_games(
    people: PeopleDep,
    caller: OptionalCaller,
    player: Annotated[str | None, Query(max_length=200)] = None,
    game: Annotated[schemas.GameName | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 20,
    before: Annotated[str | None, Query(max_length=200, description="the id of a game")] = None,
) -> list[PlayedGame]:
    """Games, the newest first."""
    found = await people.playing.games(player=player, game=game, limit=limit, before=before)
    return [played_game(record, caller, moves_only(people, record)) for record in found]


@router.get("/play/{id}")
async def see(people: PeopleDep, caller: OptionalCaller, id: str) -> PlayedGame:
    """A game, for whoever has its id."""
    return whole_game(people, await people.playing.find(id), caller)


@router.post("/play/{id}/move")
async def move(people: PeopleDep, caller: Caller, id: str, chosen: ChosenMove) -> PlayedGame:
    """Your move; the answer has the agent's, too."""
    return whole_game(people, await people.playing.move(caller, id, chosen.action, chosen.ply), caller)


@router.post("/play/{id}/undo")
async def undo(people: PeopleDep, caller: Caller, id: str) -> PlayedGame:
    """Take your last move back, in a casual game."""
    return whole_game(people, await people.playing.undo(caller, id), caller)


@router.post("/play/{id}/resign")
async def resign(people: PeopleDep, caller: Caller, id: str) -> PlayedGame:
    return whole_game(people, await people.playing.resign(caller, id), caller)


def whole_game(people: People, record: GameRecord, caller: Account | None) -> PlayedGame:
    return played_game(record, caller, position_view(people.playing.position(record)))


def moves_only(people: People, record: GameRecord) -> MovesOnly:
    try:
        moves = format_moves(people.playing.agents.game(record.game), record.moves)
    except NotFound:  # a game file that is no longer offered
        moves = " ".join(str(move) for move in record.moves)
    return MovesOnly(game=record.game, moves=moves)


def played_game(
    record: GameRecord, caller: Account | None, position: schemas.Position | MovesOnly
) -> PlayedGame:
    mine = caller is not None and caller.id == record.account_id
    players = [Player(kind="person", name=record.account.name), Player(kind="agent", name=record.agent)]
    change = None
    if mine and record.rating_before is not None and record.rating_after is not None:
        change = RatingChange(before=record.rating_before, after=record.rating_after)
    return PlayedGame(
        id=record.id,
        game=record.game,
        players=players if record.seat == 0 else players[::-1],
        you=record.seat if mine else None,
        rated=record.rated,
        repeated=record.repeated,
        position=position,
        status="finished" if record.finished else "playing",
        ended=record.ended,  # type: ignore[arg-type]  # one of the two
        result=record.result,
        opponent_value=record.opponent_value,
        rating_change=change,
        created=record.created,
        finished_at=record.finished,
    )
