"""The application: routes, what they work with, and what is opened and closed with it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from fastapi import FastAPI

from nought.server.dependencies import Services, open_people
from nought.server.http.common import Common
from nought.server.http.errors import add_handlers
from nought.server.http.metrics import Observe
from nought.server.http.pages import add_pages
from nought.server.http.security import Guard, own_names
from nought.server.routes import accounts, analyse, browser, data, games, health, inside, live, play, runs
from nought.server.settings import Settings
from nought.server.tcp.ports import open_tcp
from nought.server.thinking.warm_up import compile_all, warm_up
from nought.wire.message import ErrorAnswer

REPORT_INTERVAL = 1.0  # seconds
ROUTERS = tuple(
    routes.router for routes in (games, analyse, browser, live, inside, play, accounts, data, runs, health)
)


def create_app(settings: Settings | None = None, common: Common | None = None) -> FastAPI:
    """A server's application, ready for uvicorn or a test client; alone, or with what several processes share."""
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
    services = app.state.services = Services.of(settings, common)
    # the last added is the first to see a request
    names = own_names(settings.host, *settings.host_names)
    app.add_middleware(Guard, limits=settings.limits, buckets=services.buckets, names=names)
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
    warming = [asyncio.create_task(prepare(services))] if services.settings.warm_up else []
    reporting = [asyncio.create_task(report(services))] if services.settings.workers > 1 else []
    try:
        yield
    finally:
        for task in (*warming, *reporting):
            task.cancel()
        await services.browsers.close()
        await services.engine.close()


async def prepare(services: Services) -> None:
    """Do at once what somebody would have to wait for later. Of several processes one compiles, and the others wait."""
    while not (services.common.first or services.common.board.is_warm(0)):
        await asyncio.sleep(REPORT_INTERVAL)
    if services.common.first:
        await compile_all(services.catalogue)
    services.catalogue.compiled.update(services.catalogue.games)
    await warm_up(services.catalogue, services.roster, services.engine)
    # What was loaded for this stays: the collector need not look through it again and again while people wait.
    gc.collect()
    gc.freeze()
    services.metrics.warm = True


async def report(services: Services) -> None:
    """Tell the other processes every second what this one has done."""
    while True:
        services.report()
        await asyncio.sleep(REPORT_INTERVAL)


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
        common: Common = app.state.services.common
        common.board.serves(common.worker)
        yield
