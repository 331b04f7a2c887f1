"""The application: routes, what they work with, and what is opened and closed with it."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from fastapi import FastAPI

from nought.errors import NoughtError
from nought.server.dependencies import Services, open_people
from nought.server.http.errors import add_handlers
from nought.server.http.metrics import Observe
from nought.server.http.pages import add_pages
from nought.server.http.security import Guard
from nought.server.routes import accounts, analyse, data, games, health, inside, live, play, runs
from nought.server.settings import Settings
from nought.server.tcp.ports import open_tcp
from nought.server.thinking.jobs import Budget
from nought.wire.message import ErrorAnswer

log = logging.getLogger("nought.server")
ROUTERS = tuple(
    routes.router for routes in (games, analyse, live, inside, play, accounts, data, runs, health)
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """A server's application, ready for uvicorn or a test client."""
    settings = settings or Settings()
    app = FastAPI(
        title="nought",
        description="Play board games against agents that learned them from their rules, and see how they think.",
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses={"4XX": {"model": ErrorAnswer, "description": "What is wrong with the request."}},
    )
    services = app.state.services = Services.of(settings)
    # the last added is the first to see a request
    app.add_middleware(Guard, limits=settings.limits, buckets=services.buckets)
    app.add_middleware(Observe, metrics=services.metrics)
    for router in ROUTERS:
        app.include_router(router)
    add_handlers(app)
    add_pages(app)
    return app


@asynccontextmanager
async def open_engine(app: FastAPI) -> AsyncIterator[None]:
    """Let agents think as long as the application runs; compile their games at the start."""
    services: Services = app.state.services
    warming = asyncio.create_task(warm_up(services)) if services.settings.warm_up else None
    try:
        yield
    finally:
        if warming is not None:
            warming.cancel()
        await services.engine.close()


async def warm_up(services: Services) -> None:
    """Compile every game and let its best agent think once, before somebody waits for it."""
    command = (
        sys.executable,
        "-m",
        "nought.server.thinking.compiling",
        *dict.fromkeys(services.catalogue.loaded_by),
    )
    # It has no part in our output: who waits for that to end must not wait for it. What fails is said below.
    silent = asyncio.subprocess.DEVNULL
    compiling = await asyncio.create_subprocess_exec(*command, stdin=silent, stdout=silent, stderr=silent)
    try:
        await compiling.wait()
    except asyncio.CancelledError:  # the server stops
        compiling.kill()
        raise
    for game in services.catalogue.games.values():
        try:
            await services.engine.analyse(services.roster.best(game), game.start(), Budget(1))
        except NoughtError as error:
            log.warning("%s cannot be searched: %s", game.name, error)
    # What was loaded for this stays: the collector need not look through it again and again while people wait.
    gc.collect()
    gc.freeze()
    services.metrics.warm = True


# Opened in this order when the server starts, closed in the other when it ends.
PARTS: tuple[Callable[[FastAPI], AbstractAsyncContextManager[None]], ...] = (
    open_engine,
    open_people,
    open_tcp,
)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the server's parts, and close them when the application ends."""
    async with AsyncExitStack() as stack:
        for part in PARTS:
            await stack.enter_async_context(part(app))
        yield
