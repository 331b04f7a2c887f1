"""Live analysis: a search that deepens while somebody watches."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from nought.errors import NoughtError
from nought.search import Analysis
from nought.server.dependencies import ClientAddress, Services, ServicesDep
from nought.server.http.errors import HttpRefusal, TooMany, public_message
from nought.server.thinking.review import analysis_view
from nought.server.views import parse_position
from nought.wire.analysis import AnalysisAnswer, AnalysisRequest, StopRequest
from nought.wire.message import in_words

router = APIRouter(prefix="/api", tags=["analyse"])
# Simulations that are paid when an analysis begins: about what is searched before its first report, by which more is known.
FIRST_PAID = 1000
POLICY_VIOLATION, TRY_AGAIN = 1008, 1013  # WebSocket's words for our 4xx and 503


@router.websocket("/analyse/live")
async def live(socket: WebSocket, services: ServicesDep, client: ClientAddress) -> None:
    """Each request ends the search before it. A client that floods is cut off."""
    try:
        with services.buckets.socket(client):
            await socket.accept()
            services.metrics.sockets += 1
            try:
                await _serve(socket, services, client)
            finally:
                services.metrics.sockets -= 1
    except TooMany as error:
        await _close(socket, POLICY_VIOLATION, error)
    except HttpRefusal as error:
        await _close(socket, TRY_AGAIN, error)
    except WebSocketDisconnect:
        pass


async def _serve(socket: WebSocket, services: Services, client: str) -> None:
    search: asyncio.Task[None] | None = None
    try:
        while True:
            text = await _receive(socket)
            if search is not None:
                search.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await search
                search = None
            services.buckets.take(client)
            query = _read(text)
            if isinstance(query, AnalysisRequest):
                search = asyncio.create_task(_deepen(socket, services, client, query))
            elif query is not None:
                await socket.send_json({"error": query})
    finally:
        if search is not None:
            search.cancel()


async def _receive(socket: WebSocket) -> str:
    """The next message; one of bytes is no text, which is said as of any other that is no JSON."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"])
    return message.get("text") or ""


def _read(text: str) -> AnalysisRequest | str | None:
    """A request; None to stop; or what is wrong with it."""
    try:
        message: Any = json.loads(text)
        if isinstance(message, dict) and "stop" in message:
            StopRequest.model_validate(message)
            return None
        return AnalysisRequest.model_validate(message)
    except ValidationError as error:
        first = error.errors()[0]
        return in_words(first["loc"], first["msg"])
    except (ValueError, RecursionError):
        return 'send JSON like {"game": "connect4", "moves": "44"}'


async def _deepen(socket: WebSocket, services: Services, client: str, query: AnalysisRequest) -> None:
    """Search, and send what is found as it deepens. It is paid as it goes; what the client cannot pay is its end."""
    try:
        agent, note = services.roster.searching(query.agent, services.catalogue.game(query.game))
        position = parse_position(agent.game, query.moves)
        budget = services.engine.live_budget(query.simulations)
        paid = min(FIRST_PAID, budget.simulations)
        services.buckets.take_for(client, paid)
        reports: asyncio.Queue[Analysis | None] = asyncio.Queue()  # None: there will be no more
        search = asyncio.create_task(
            services.engine.analyse(agent, position, budget, client, _telling(reports))
        )
        search.add_done_callback(lambda _: reports.put_nowait(None))
        truth = asyncio.create_task(services.engine.truth(position, client))
        try:
            while (report := await reports.get()) is not None:
                known = truth.result() if truth.done() else None
                enough = not _pay(services, client, report.simulations - paid)
                await _send(socket, analysis_view(position, agent, note, report, known, done=enough or None))
                if enough:
                    return
                paid = max(paid, report.simulations)
            found = await search
            services.buckets.give_back_for(client, paid - found.simulations)  # or take the rest
            await _send(socket, analysis_view(position, agent, note, found, await truth, done=True))
        finally:
            search.cancel()
            truth.cancel()
    except NoughtError as error:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.send_json({"error": public_message(error)})
    except (RuntimeError, WebSocketDisconnect):
        pass  # the client has left while we were sending


def _pay(services: Services, client: str, simulations: int) -> bool:
    """Take what so many simulations cost; whether the client had it."""
    try:
        services.buckets.take_for(client, max(0, simulations))
    except TooMany:
        return False
    return True


def _telling(reports: asyncio.Queue[Analysis | None]) -> Callable[[Analysis], None]:
    """What a lane's thread is to call with each report."""
    loop = asyncio.get_running_loop()

    def tell(found: Analysis) -> None:
        loop.call_soon_threadsafe(reports.put_nowait, found)

    return tell


async def _send(socket: WebSocket, analysis: AnalysisAnswer) -> None:
    await socket.send_text(analysis.model_dump_json())


async def _close(socket: WebSocket, code: int, error: NoughtError) -> None:
    with contextlib.suppress(RuntimeError):
        await socket.close(code, str(error)[:120])
