"""The whole server in this process, without sockets: requests as its application gets them from uvicorn."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import unquote

from nought.server.app import create_app
from nought.server.settings import ServerLimits, Settings
from tests.server.support.people import FAST

PLENTY = 10**9  # so that limits are looked at and not met
LIMITS = ServerLimits(
    rate=PLENTY, burst=PLENTY, accounts_of_one=PLENTY, stored_of_one=10**15, simulations=30, seconds=0.05, inside=5,
    live_simulations=60,
)  # fmt: skip
T = TypeVar("T")


class Answer(NamedTuple):
    """What a request got."""

    status: int
    headers: dict[str, str]
    body: bytes


class App:
    """A server with a loop of its own, whose files are all in a folder."""

    def __init__(self, folder: Path, runs: Path) -> None:
        settings = Settings(
            database=f"sqlite:///{folder}/server.sqlite3",
            runs=runs,
            host_names=("here",),
            browsers_think=False,
            warm_up=False,
            limits=LIMITS,
        )
        self.app = create_app(settings)
        self.loop = asyncio.new_event_loop()
        self._life = self.app.router.lifespan_context(self.app)
        self.do(self._life.__aenter__())
        accounts = self.app.state.people.accounts
        accounts._hasher, accounts._nobody = FAST, FAST.hash("nobody's")  # as they are, one takes 50 ms

    def warm_up(self, game: str, agents: Sequence[str]) -> None:
        """Let agents think once: what is compiled for that, in other programs, is no input's doing."""
        headers = [("Host", "here"), ("Content-Type", "application/json")]
        for agent in agents:
            for route in ("best-move", "analyse", "inside"):
                body = json.dumps({"game": game, "agent": agent, "simulations": 2})
                self.request("POST", f"/api/{route}", headers, [body.encode()])

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    def close(self) -> None:
        self.do(self._life.__aexit__(None, None, None))
        self.loop.close()

    def request(
        self, method: str, target: str, headers: Sequence[tuple[str, str]] = (), body: Sequence[bytes] = ()
    ) -> Answer:
        """The answer to a request whose body comes in these pieces."""
        return self.do(self._request(method, target, headers, body))

    async def _request(
        self, method: str, target: str, headers: Sequence[tuple[str, str]], body: Sequence[bytes]
    ) -> Answer:
        pieces = [{"type": "http.request", "body": piece, "more_body": True} for piece in body]
        coming = [*pieces, {"type": "http.request", "body": b"", "more_body": False}]
        status, said, content, done = 0, {}, b"", asyncio.Event()

        async def receive() -> dict[str, Any]:
            if coming:
                return coming.pop(0)
            await done.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status, said, content
            if message["type"] == "http.response.start":
                status = message["status"]
                said = {
                    name.decode("latin-1").lower(): value.decode("latin-1")
                    for name, value in message["headers"]
                }
            else:
                content += message.get("body", b"")
                if not message.get("more_body"):
                    done.set()

        await self.app(scope_of("http", target, headers) | {"method": method}, receive, send)
        return Answer(status, said, content)


def scope_of(kind: str, target: str, headers: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """A request's scope, as uvicorn makes it of a target in ASCII."""
    path, _, query = target.partition("?")
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [
            (name.lower().encode("latin-1", "replace"), value.encode("latin-1", "replace"))
            for name, value in headers
        ],
        "client": ("192.0.2.7", 1234),
        "server": ("here", 80),
        "subprotocols": [],
        "state": {},
    }
