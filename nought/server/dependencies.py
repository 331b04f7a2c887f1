"""What routes and sockets ask for by the type of a parameter: the server's parts, the people, who is calling."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated

from argon2 import PasswordHasher
from fastapi import Depends, FastAPI
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection

from nought.server.http.common import Common
from nought.server.http.errors import Unauthorised
from nought.server.http.metrics import Metrics
from nought.server.http.rate_limit import Buckets, share_of
from nought.server.people.accounts import Accounts
from nought.server.people.custom_data import CustomData
from nought.server.people.ladder import ServerLadder
from nought.server.people.opponents import Opponents
from nought.server.people.play import Playing
from nought.server.people.store import AccountRow, Database
from nought.server.runs import TrainingRuns
from nought.server.settings import Settings
from nought.server.thinking.agents import Roster
from nought.server.thinking.browsers import Browsers
from nought.server.thinking.engine import ThinkingEngine
from nought.server.thinking.games import Catalogue
from nought.server.thinking.own_runs import OwnRuns

log = logging.getLogger("nought.server")
SWEEP_INTERVAL = 6 * 3600  # seconds


@dataclass(frozen=True)
class Services:
    """Everything that needs no database."""

    settings: Settings
    catalogue: Catalogue
    roster: Roster
    engine: ThinkingEngine
    browsers: Browsers
    runs: TrainingRuns
    common: Common
    metrics: Metrics

    @property
    def buckets(self) -> Buckets:
        return self.common.buckets

    def report(self) -> None:
        """Note on the board, for all processes of the server, what this one has counted."""
        lines = [*self.metrics.lines(), *self.engine.metrics()]
        self.common.board.note(self.common.worker, lines, self.metrics.warm)

    @classmethod
    def of(cls, settings: Settings, common: Common | None = None) -> Services:
        limits, own = settings.limits, OwnRuns(settings.runs)
        common = common or Common.alone(settings)
        return cls(
            settings,
            Catalogue(settings.games, settings.folders, [run.learned for run in own.all()]),
            Roster(own),
            ThinkingEngine(limits, settings.device, places=common.buckets.searches, workers=settings.workers),
            Browsers(enabled=settings.browsers_think),
            TrainingRuns(settings.runs),
            common,
            Metrics(),
        )


@dataclass(frozen=True)
class People:
    """Everything that is remembered about people."""

    database: Database
    opponents: Opponents
    accounts: Accounts
    ladder: ServerLadder
    playing: Playing
    data: CustomData

    @classmethod
    def of(
        cls, database: Database, opponents: Opponents, buckets: Buckets, hasher: PasswordHasher | None = None
    ) -> People:
        ladder = ServerLadder(database, opponents)
        return cls(
            database,
            opponents,
            Accounts(database, buckets, hasher),
            ladder,
            Playing(database, opponents, ladder, buckets),
            CustomData(database, buckets),
        )


@asynccontextmanager
async def open_people(app: FastAPI) -> AsyncIterator[None]:
    """Open the database, bring it up to date, and on the way out wait for what is being written."""
    services: Services = app.state.services
    database = Database(services.settings.database, services.settings.workers)
    await asyncio.to_thread(database.migrate)
    opponents = Opponents(services.catalogue, services.roster, services.engine, services.buckets)
    people = app.state.people = People.of(database, opponents, services.buckets)
    sweeping = asyncio.create_task(sweep(people.accounts)) if services.common.first else None
    try:
        yield
    finally:
        if sweeping is not None:
            sweeping.cancel()
        await asyncio.to_thread(database.close)


async def sweep(accounts: Accounts) -> None:
    """Forget, now and then, what nobody comes back for. Not at once: a clock may be wrong when a machine starts."""
    while True:
        await asyncio.sleep(SWEEP_INTERVAL)
        try:
            if forgotten := await accounts.sweep():
                log.info("%d guests who have not come back are forgotten", forgotten)
        except SQLAlchemyError as error:  # the database is away: another time
            log.warning("guests could not be looked through: %s", type(error).__name__)


# async, though they wait for nothing: FastAPI would hand plain functions to another thread, for every request
async def find_services(connection: HTTPConnection) -> Services:
    """The parts of this application that need no database."""
    found: Services = connection.app.state.services
    return found


async def find_people(connection: HTTPConnection) -> People:
    """The parts of this application that remember people."""
    found: People = connection.app.state.people
    return found


async def address(connection: HTTPConnection) -> str:
    """Whose share of the server a request takes from."""
    return share_of(connection.client.host if connection.client else "unknown")


ServicesDep = Annotated[Services, Depends(find_services)]
PeopleDep = Annotated[People, Depends(find_people)]
ClientAddress = Annotated[str, Depends(address)]
bearer = HTTPBearer(auto_error=False, description="The token that POST /api/accounts or /api/login gave.")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]


async def token(given: Credentials) -> str:
    """The token that a request shows; a request without one is refused."""
    if given is None:
        raise Unauthorised(
            "this needs a token: POST /api/accounts gives one; send it as Authorization: Bearer TOKEN"
        )
    return given.credentials


BearerToken = Annotated[str, Depends(token)]


async def caller(people: PeopleDep, shown: BearerToken) -> AccountRow:
    """The account of who asks."""
    return await people.accounts.of_token(shown)


async def optional_caller(people: PeopleDep, given: Credentials) -> AccountRow | None:
    """Who asks, where they say so; a token that is not valid is refused even where none is needed."""
    return await people.accounts.of_token(given.credentials) if given else None


Caller = Annotated[AccountRow, Depends(caller)]
OptionalCaller = Annotated[AccountRow | None, Depends(optional_caller)]
