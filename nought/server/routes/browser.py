"""Agents for visitors' browsers."""

from __future__ import annotations

import gzip
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import FileResponse, Response
from starlette.concurrency import run_in_threadpool

from nought.errors import NoughtError
from nought.server.dependencies import ServicesDep
from nought.server.http.errors import public_message
from nought.server.thinking.review import IN_BROWSERS
from nought.wire.browser import BrowserAgentAnswer
from nought.wire.message import AgentName, GameName

router = APIRouter(prefix="/api/browser", tags=["browser"])
FILES = "/api/browser/files"
AGAIN = 3.0  # seconds: making takes some of them
TYPES = {"wasm": "application/wasm", "bin": "application/octet-stream"}
# Another content has another name.
KEPT = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}


@router.get("/agent")
async def agent(
    services: ServicesDep,
    game: Annotated[GameName, Query()],
    agent: Annotated[AgentName | None, Query(description="The best one, unless it is given.")] = None,
) -> BrowserAgentAnswer:
    """What a browser needs to let an agent think; it is made in the background when it is first asked for."""
    played = services.catalogue.game(game)
    chosen, note = services.roster.find(agent, played)
    found, again = None, None
    if note is None:
        try:
            found = await services.browsers.find(chosen, services.catalogue.loaded_by[played.name])
            if found is None:
                note, again = "it is being made ready for browsers", AGAIN
        except NoughtError as error:
            note = public_message(error)
    return BrowserAgentAnswer(
        agent=chosen.name,
        title=services.roster.view(chosen).title,
        simulations=chosen.simulations,
        facts={**found.facts, "review": IN_BROWSERS} if found else None,
        code=f"{FILES}/{found.code}" if found else None,
        network=f"{FILES}/{found.network}" if found and found.network else None,
        note=note,
        again=again,
    )


@router.get(
    "/files/{name}",
    response_class=FileResponse,
    responses={200: {"content": {name: {} for name in TYPES.values()}, "description": "The file."}},
)
async def file(
    request: Request, services: ServicesDep, name: Annotated[str, Path(max_length=100)]
) -> Response:
    """A module or a network."""
    path = services.browsers.file(name)
    kind = TYPES[path.suffix[1:]]
    if "gzip" in request.headers.get("accept-encoding", ""):  # in pieces: who is slow has as long as it takes
        return FileResponse(path, media_type=kind, headers={**KEPT, "Content-Encoding": "gzip"})
    content = await run_in_threadpool(lambda: gzip.decompress(path.read_bytes()))
    return Response(content, media_type=kind, headers=KEPT)
