"""The application: routes, what they work with, and what is opened and closed with it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from fastapi import FastAPI

from nought.server import schemas
from nought.server.catalogue import Catalogue
from nought.server.errors import add_handlers
from nought.server.pages import add_pages
from nought.server.routes import games
from nought.server.services import Services
from nought.server.settings import Settings

ROUTERS = (games.router,)
# Opened in this order when the server starts, closed in the other when it ends.
PARTS: tuple[Callable[[FastAPI], AbstractAsyncContextManager[None]], ...] = ()


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
        responses={"4XX": {"model": schemas.Error, "description": "What is wrong with the request."}},
    )
    app.state.services = Services(settings, Catalogue(settings.games))
    for router in ROUTERS:
        app.include_router(router)
    add_handlers(app)
    add_pages(app)
    return app


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with AsyncExitStack() as stack:
        for part in PARTS:
            await stack.enter_async_context(part(app))
        yield
