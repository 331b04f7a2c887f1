"""For those who run the server: whether it is well, what it has done, and what it answers."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from nought.server.dependencies import PeopleDep, ServicesDep
from nought.server.http.api_docs import reference
from nought.server.runs import metrics as run_metrics
from nought.wire.server import HealthAnswer

router = APIRouter(tags=["server"])


@router.get("/healthz")
async def health(services: ServicesDep, people: PeopleDep, response: Response) -> HealthAnswer:
    """Answers as long as the server does: 200 when all is well, 503 while the database is full or away. It is warm when all
    of its workers are."""
    available = await people.database.available()
    response.status_code = 200 if available else 503
    services.report()
    board = services.common.board
    return HealthAnswer(
        status="ok" if available else "no database", warm=board.is_warm(), workers=board.count()
    )


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(services: ServicesDep) -> str:
    """What Prometheus reads: of all workers together, of others as of the last second."""
    services.report()
    return "\n".join([*services.common.board.lines(), *run_metrics(services.runs), ""])


@router.get("/docs", response_class=HTMLResponse, include_in_schema=False)
def docs(request: Request) -> str:
    """The calls, for people. /openapi.json has the same for machines."""
    return reference(request.app.openapi())
