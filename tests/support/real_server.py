"""The real server on a port of its own, in this process. Its agents play the first legal move, so that games come out
the same every time; everything else is as it is for people."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from nought.server.app import create_app
from nought.server.people import play
from nought.server.settings import ServerLimits, Settings
from nought.server.thinking import oracles
from nought.server.thinking.jobs import ChosenMove
from tests.support.programs import LIMIT, until

FREE = ServerLimits(rate=0)  # tests ask more in a second than people do


class Site:
    """The application, and what happens on the way to it."""

    def __init__(self, settings: Settings, *, rated: bool = True) -> None:
        self.app = create_app(settings)
        if not rated:
            self.app.state.services.roster.ratings = lambda game: {}
        self.url = ""
        self.requests: list[tuple[str, str]] = []  # methods and paths
        # What is answered in place of the application, one for each request to come: status, content, headers.
        self.faults: list[tuple[int, Any, dict[str, str]]] = []
        self.refusals: list[Exception] = []  # that agents raise in place of a move, one for each

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            self.requests.append((scope["method"], scope["path"]))
            if self.faults:
                await self._fail(send)
                return
        await self.app(scope, receive, send)

    async def _fail(self, send: Any) -> None:
        status, content, headers = self.faults.pop(0)
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        headers = {"Content-Length": str(len(body)), **headers}
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        await send({"type": "http.response.body", "body": body})

    async def choose(self, position: Any, *_: Any, **__: Any) -> ChosenMove:
        if self.refusals:
            raise self.refusals.pop(0)
        return ChosenMove(position.legal[0], 0.25)


@contextmanager
def serving(
    folder: Path, limits: ServerLimits = FREE, *, rated: bool = True, games: tuple[str, ...] = ()
) -> Iterator[Site]:
    """A server whose files are all in this folder; where it is not `rated`, no agent has a rating."""
    settings = Settings(
        database=f"sqlite:///{folder}/server.sqlite3",
        runs=folder / "runs",
        games=games,
        warm_up=False,
        limits=limits,
    )
    site = Site(settings, rated=rated)
    server = uvicorn.Server(uvicorn.Config(site, port=0, log_level="critical"))
    thread = threading.Thread(target=server.run, daemon=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play, "draw_seat", lambda: 1)
        patch.setattr(oracles, "TIMEOUT", LIMIT)
        thread.start()
        until(lambda: server.started or not thread.is_alive())
        site.app.state.people.opponents.choose = site.choose
        site.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        try:
            yield site
        finally:
            server.should_exit = True
            thread.join(LIMIT)
