"""For those who run the server: whether it is well, what it has done, and what it answers."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse

from nought.server.dependencies import ServicesDep
from nought.server.http.api_docs import reference
from nought.wire.server import HealthAnswer

router = APIRouter(tags=["server"])


@router.get("/healthz")
async def health(services: ServicesDep) -> HealthAnswer:
    """Answers as long as the server does."""
    return HealthAnswer(status="ok", warm=services.metrics.warm)


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(services: ServicesDep) -> str:
    """What Prometheus reads."""
    return "\n".join([*services.metrics.lines(), *services.engine.metrics(), ""])


@router.get("/docs", response_class=HTMLResponse, include_in_schema=False)
def docs(request: Request) -> str:
    """The calls, for people. /openapi.json has the same for machines."""
    return reference(request.app.openapi())
