"""For those who run the server: whether it is well, what it has done, and what it answers."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import BaseModel

from nought.server.dependencies import ServicesDep
from nought.server.http.api_docs import reference

router = APIRouter(tags=["server"])


class Health(BaseModel):
    status: Literal["ok"]
    warm: bool  # whether every game has been compiled; until then a first move may take ten seconds


@router.get("/healthz")
async def health(services: ServicesDep) -> Health:
    """Answers as long as the server does."""
    return Health(status="ok", warm=services.metrics.warm)


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(services: ServicesDep) -> str:
    """What Prometheus reads."""
    return "\n".join([*services.metrics.lines(), *services.engine.searches.metrics(), ""])


@router.get("/docs", response_class=HTMLResponse, include_in_schema=False)
def docs(request: Request) -> str:
    """The calls, for people. /openapi.json has the same for machines."""
    return reference(request.app.openapi())
