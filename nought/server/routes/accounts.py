"""Accounts: a guest at once, a name and a password for who wants one."""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter
from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from nought.server.dependencies import BearerToken, Caller, ClientAddress, People, PeopleDep, ServicesDep
from nought.server.people.accounts import SignedIn
from nought.server.people.ratings import rated_games
from nought.server.people.store import Account, RatingRecord

router = APIRouter(prefix="/api", tags=["accounts"])
# As so many more requests count: one that makes an account, one that hashes a password.
NEW_ACCOUNT, PASSWORD = 2, 20


class AccountView(BaseModel):
    id: int
    name: str
    guest: bool  # without a password: only its tokens open it
    created: datetime


class Entered(BaseModel):
    account: AccountView
    token: str  # for the header Authorization: Bearer TOKEN


class RatingPoint(BaseModel):
    at: datetime
    rating: float
    game_id: str


class RatingView(BaseModel):
    """A person's rating in a game, on nought's standard scale."""

    game: str
    rating: float
    deviation: float  # the rating is within twice this, most probably
    games: int
    history: list[RatingPoint]  # after each rated game


class Profile(BaseModel):
    account: AccountView
    ratings: list[RatingView]


class Change(BaseModel):
    name: str | None = Field(None, max_length=200, description="2 to 24 letters, digits or - _ .")
    password: str | None = Field(None, max_length=1000, description="8 to 200 characters")


class Login(BaseModel):
    name: str = Field(max_length=200)
    password: str = Field(max_length=1000)


@router.post("/accounts")
async def new_account(people: PeopleDep, services: ServicesDep, client: ClientAddress) -> Entered:
    """A guest account. Its token is its only key: keep it."""
    services.buckets.take(client, NEW_ACCOUNT)
    return entered(await people.accounts.new_guest())


@router.post("/login")
async def log_in(people: PeopleDep, services: ServicesDep, client: ClientAddress, login: Login) -> Entered:
    """Another token for an account that has a password."""
    services.buckets.take(client, PASSWORD)
    return entered(await people.accounts.log_in(login.name, login.password))


@router.post("/logout")
async def log_out(people: PeopleDep, caller: Caller, token: BearerToken) -> dict[str, str]:
    """This token ends; others of the account do not."""
    await people.accounts.log_out(token)
    return {}


@router.get("/me")
async def me(people: PeopleDep, caller: Caller) -> Profile:
    return await profile(people, caller)


@router.patch("/me")
async def change_me(
    people: PeopleDep,
    services: ServicesDep,
    client: ClientAddress,
    caller: Caller,
    token: BearerToken,
    change: Change,
) -> AccountView:
    """Another name, a password, or both. A changed password ends the account's other tokens."""
    if change.password is not None:
        services.buckets.take(client, PASSWORD)
    return account_view(
        await people.accounts.change(caller.id, token, name=change.name, password=change.password)
    )


@router.get("/players/{name}")
async def player(people: PeopleDep, name: str) -> Profile:
    """Anybody's name and ratings."""
    return await profile(people, await people.accounts.named(name))


async def profile(people: People, account: Account) -> Profile:
    def work(session: Session) -> list[RatingView]:
        records = session.scalars(
            select(RatingRecord)
            .where(RatingRecord.account_id == account.id, RatingRecord.games > 0)
            .order_by(RatingRecord.game)
        )
        return [rating_view(session, record) for record in records.all()]

    return Profile(account=account_view(account), ratings=await people.database.read(work))


def rating_view(session: Session, record: RatingRecord) -> RatingView:
    history = [
        RatingPoint(at=game.finished, rating=game.rating_after, game_id=game.id)  # type: ignore[arg-type]
        for game in rated_games(session, record.account_id, record.game)
    ]
    return RatingView(
        game=record.game,
        rating=record.rating,
        deviation=record.deviation,
        games=record.games,
        history=history,
    )


def account_view(account: Account) -> AccountView:
    return AccountView(
        id=account.id, name=account.name, guest=account.password is None, created=account.created
    )


def entered(signed_in: SignedIn) -> Entered:
    return Entered(account=account_view(signed_in.account), token=signed_in.token)
