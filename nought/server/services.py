"""What the routes work with. A route asks for it by `here: Here`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from nought.server.catalogue import Catalogue
from nought.server.settings import Settings


@dataclass(frozen=True)
class Services:
    settings: Settings
    catalogue: Catalogue


def services(connection: HTTPConnection) -> Services:
    found: Services = connection.app.state.services
    return found


Here = Annotated[Services, Depends(services)]
