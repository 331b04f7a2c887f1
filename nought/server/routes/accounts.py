"""Accounts, a guest's at once, a name and a password for who wants one; and the ladder of people and agents."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from nought.server.dependencies import BearerToken, Caller, ClientAddress, People, PeopleDep, ServicesDep
from nought.server.people.accounts import SignedIn
from nought.server.people.store import AccountRow
from nought.wire.accounts import (
    AccountAnswer,
    AccountRequest,
    DeleteAccountRequest,
    LadderEntry,
    LoginAnswer,
    LoginRequest,
    ProfileAnswer,
)
from nought.wire.message import GameName

router = APIRouter(prefix="/api", tags=["accounts"])
# What more than one request counts: to make an account, and to hash a password.
NEW_ACCOUNT_TOKENS, PASSWORD_TOKENS = 2, 20


@router.post("/accounts")
async def new_account(people: PeopleDep, services: ServicesDep, client: ClientAddress) -> LoginAnswer:
    """A guest account. Its token is its only key: keep it."""
    services.buckets.take(client, NEW_ACCOUNT_TOKENS)
    services.buckets.accounts.take(client)
    return login_view(await people.accounts.new_guest())


@router.post("/login")
async def log_in(
    people: PeopleDep, services: ServicesDep, client: ClientAddress, login: LoginRequest
) -> LoginAnswer:
    """Another token for an account that has a password."""
    services.buckets.take(client, PASSWORD_TOKENS)
    return login_view(await people.accounts.log_in(login.name, login.password, client))


@router.post("/logout")
async def log_out(people: PeopleDep, caller: Caller, token: BearerToken) -> dict[str, str]:
    """This token ends; others of the account do not."""
    await people.accounts.log_out(token)
    return {}


@router.get("/me")
async def me(people: PeopleDep, caller: Caller) -> ProfileAnswer:
    """Your name and ratings."""
    return await profile(people, caller)


@router.patch("/me")
async def change_me(
    people: PeopleDep,
    services: ServicesDep,
    client: ClientAddress,
    caller: Caller,
    token: BearerToken,
    change: AccountRequest,
) -> AccountAnswer:
    """Another name, a password, or both. A password is changed with the old one, which ends the account's other tokens."""
    if change.password is not None:
        services.buckets.take(client, PASSWORD_TOKENS)
    changing = people.accounts.change(
        caller,
        token,
        client,
        name=change.name,
        password=change.password,
        old_password=change.old_password,
    )
    return account_view(await changing)


@router.post("/me/delete")
async def delete_me(
    people: PeopleDep,
    services: ServicesDep,
    client: ClientAddress,
    caller: Caller,
    leave: DeleteAccountRequest,
) -> dict[str, str]:
    """Your account ends, with its games, ratings and data. This cannot be undone."""
    services.buckets.take(client, PASSWORD_TOKENS)
    await people.accounts.forget(caller, leave.password, client)
    return {}


@router.get("/players/{name:path}")
async def player(people: PeopleDep, name: str) -> ProfileAnswer:
    """Anybody's name and ratings."""
    return await profile(people, await people.accounts.named(name))


@router.get("/ladder")
async def ladder(people: PeopleDep, game: Annotated[GameName, Query()]) -> list[LadderEntry]:
    """Whoever has a rating in a game, best first. A person has one after a rated game."""
    return await people.ladder.entries(game)


async def profile(people: People, account: AccountRow) -> ProfileAnswer:
    """An account with its ratings."""
    return ProfileAnswer(account=account_view(account), ratings=await people.ladder.ratings(account))


def account_view(account: AccountRow) -> AccountAnswer:
    """An account as clients see it."""
    return AccountAnswer(
        id=account.id, name=account.name, guest=account.password is None, created=account.created
    )


def login_view(signed_in: SignedIn) -> LoginAnswer:
    """A new token, and the account that it opens."""
    return LoginAnswer(account=account_view(signed_in.account), token=signed_in.token)
