"""Accounts, games and data as routes and sockets use them: `people: Us`, `caller: Caller`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, FastAPI
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection

from nought.server.accounts import Accounts
from nought.server.data import CustomData
from nought.server.errors import Unauthorised
from nought.server.opponents import Opponents
from nought.server.playing import Agents, Playing
from nought.server.services import Services
from nought.server.store import Account, Database


@dataclass(frozen=True)
class People:
    """Everything that is remembered about people."""

    database: Database
    accounts: Accounts
    playing: Playing
    data: CustomData


@asynccontextmanager
async def open_people(app: FastAPI) -> AsyncIterator[None]:
    """Open the database, bring it up to date, and on the way out wait for what is being written."""
    here: Services = app.state.services
    database = Database(here.settings.database)
    await asyncio.to_thread(database.migrate)
    app.state.people = make_people(
        database, Opponents(here.catalogue, here.roster, here.engine, here.buckets)
    )
    try:
        yield
    finally:
        await asyncio.to_thread(database.close)


def make_people(database: Database, agents: Agents) -> People:
    return People(database, Accounts(database), Playing(database, agents), CustomData(database))


async def people(connection: HTTPConnection) -> People:
    found: People = connection.app.state.people
    return found


Us = Annotated[People, Depends(people)]
bearer = HTTPBearer(auto_error=False, description="The token that POST /api/accounts or /api/login gave.")


async def token(given: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> str:
    if given is None:
        raise Unauthorised(
            "this needs a token: POST /api/accounts gives one; send it as Authorization: Bearer TOKEN"
        )
    return given.credentials


TheToken = Annotated[str, Depends(token)]


async def caller(us: Us, shown: TheToken) -> Account:
    return await us.accounts.of_token(shown)


async def perhaps_caller(
    us: Us, given: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
) -> Account | None:
    """Who asks, where they say so; a token that is not valid is refused even where none is needed."""
    return await us.accounts.of_token(given.credentials) if given else None


Caller = Annotated[Account, Depends(caller)]
PerhapsCaller = Annotated[Account | None, Depends(perhaps_caller)]
