"""The ladder of a game: people and agents together."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.orm import Session

from nought.server import schemas
from nought.server.dependencies import PeopleDep
from nought.server.people.store import RatingRecord

router = APIRouter(prefix="/api", tags=["accounts"])
MOST_PEOPLE = 200


class Rung(BaseModel):
    rank: int
    kind: Literal["person", "agent"]
    name: str
    rating: float
    games: int | None  # rated ones of a person; an agent's rating is not from games here


@router.get("/ladder")
async def ladder(people: PeopleDep, game: Annotated[schemas.GameName, Query()]) -> list[Rung]:
    """Whoever has a rating in a game, best first. A person has one after a rated game."""
    found = people.playing.agents.game(game)

    def work(session: Session) -> list[tuple[float, str, str, int | None]]:
        best = (
            select(RatingRecord)
            .where(RatingRecord.game == found.name, RatingRecord.games > 0)
            .order_by(RatingRecord.rating.desc())
            .limit(MOST_PEOPLE)
        )
        return [(r.rating, "person", r.account.name, r.games) for r in session.scalars(best)]

    there = await people.database.read(work)
    there += [
        (a.rating, "agent", a.name, None) for a in people.playing.agents.agents(found) if a.rating is not None
    ]
    there.sort(key=lambda who: (-who[0], who[2]))
    return [
        Rung(rank=rank, kind=kind, name=name, rating=rating, games=games)  # type: ignore[arg-type]
        for rank, (rating, kind, name, games) in enumerate(there, 1)
    ]
