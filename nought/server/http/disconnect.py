"""Work for a client who may leave before it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from starlette.requests import Request

from nought.server.http.errors import ClientLeft

T = TypeVar("T")


async def while_here(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Do the work, or give it up when the client leaves. The request's body must have been read."""
    return await unless_left(_leaving(request), work)


async def unless_left(left: Awaitable[Any], work: Coroutine[Any, Any, T]) -> T:
    """Do the work, or give it up when the client has left, which is awaited."""
    task = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(left)
    try:
        await asyncio.wait((task, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientLeft
        return task.result()
    finally:
        for part in (task, leaving):
            if not part.done():
                part.cancel()
                with suppress(asyncio.CancelledError):
                    await part


async def _leaving(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
