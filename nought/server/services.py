"""What the routes work with. A route asks for it by `here: Here`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from nought.server.catalogue import Catalogue
from nought.server.engine import Engine
from nought.server.limits import Buckets
from nought.server.metrics import Metrics
from nought.server.roster import Roster
from nought.server.settings import Settings


@dataclass(frozen=True)
class Services:
    settings: Settings
    catalogue: Catalogue
    roster: Roster
    engine: Engine
    buckets: Buckets
    metrics: Metrics

    @classmethod
    def of(cls, settings: Settings) -> Services:
        limits = settings.limits
        return cls(
            settings,
            Catalogue(settings.games),
            Roster(settings.runs),
            Engine(limits, settings.device),
            Buckets(limits),
            Metrics(),
        )


# async, though they wait for nothing: FastAPI would hand plain functions to another thread, for every request
async def services(connection: HTTPConnection) -> Services:
    found: Services = connection.app.state.services
    return found


async def client(connection: HTTPConnection) -> str:
    """Whose share of the server a request takes from: its address."""
    return connection.client.host if connection.client else "unknown"


Here = Annotated[Services, Depends(services)]
Client = Annotated[str, Depends(client)]
