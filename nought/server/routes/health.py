"""For those who run the server: whether it is well, what it has done, and what it answers."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import BaseModel

from nought.server.reference import reference
from nought.server.services import Here

router = APIRouter(tags=["server"])


class Health(BaseModel):
    status: Literal["ok"]
    warm: bool  # whether every game has been compiled; until then a first move may take ten seconds


@router.get("/healthz")
async def health(here: Here) -> Health:
    """Answers as long as the server does."""
    return Health(status="ok", warm=here.metrics.warm)


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(here: Here) -> str:
    """What Prometheus reads."""
    return here.metrics.text(here.engine.searches)


@router.get("/docs", response_class=HTMLResponse, include_in_schema=False)
def docs(request: Request) -> str:
    """The calls, for people. /openapi.json has the same for machines."""
    return reference(request.app.openapi())
