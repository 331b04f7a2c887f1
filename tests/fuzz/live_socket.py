"""The WebSocket of live analysis."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.asgi import App, scope_of
from tests.fuzz.damage import damaged_bytes, damaged_json
from tests.fuzz.runs import template_run
from tests.fuzz.surface import Surface

RIGHT = (
    {"game": "connect4", "moves": "44", "simulations": 5},
    {"game": "tictactoe", "agent": "rollout:5", "simulations": 5},
    {"game": "tictactoe", "moves": "b2", "agent": "net:tiny"},
    {"game": "tictactoe", "agent": "random", "seconds": 0.01},
    {"stop": True},
)
LAST = {"game": "tictactoe", "agent": "rollout:5", "simulations": 2, "moves": "c3"}
DISCONNECTED = {"type": "websocket.disconnect", "code": 1005}
Event = dict[str, Any]


class LiveSocket(Surface):
    """Some messages, one of which may be wrong; after all of them a right one is still answered."""

    name, share = "websocket", 0.002

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.app = App(folder, template_run(folder).parent)
        for message in RIGHT[:-1]:
            self.app.warm_up(message["game"], [message.get("agent")])

    def close(self) -> None:
        self.app.close()

    def make(self, chance: Random) -> list[Event]:
        messages = []
        for _ in range(chance.randint(1, 3)):
            data = damaged_json(chance, chance.choice(RIGHT))
            if chance.random() < 0.1:
                messages.append({"type": "websocket.receive", "bytes": damaged_bytes(chance, data)})
            else:
                messages.append({"type": "websocket.receive", "text": data.decode("utf-8", "replace")})
        if chance.random() < 0.2:
            messages.append(DISCONNECTED)
        return messages

    def feed(self, given: list[Event]) -> None:
        self.app.do(self._talk(given))

    async def _talk(self, messages: list[Event]) -> None:
        last = {"type": "websocket.receive", "text": json.dumps(LAST)}
        coming = [{"type": "websocket.connect"}, *messages, last]
        done = asyncio.Event()

        async def receive() -> Event:
            if coming:
                return coming.pop(0)
            await done.wait()
            return DISCONNECTED

        async def send(message: Any) -> None:
            said = json.loads(message.get("text") or "{}")
            assert str(self.folder) not in message.get("text", "")
            if said.get("done") and said["position"]["moves"] == LAST["moves"]:
                done.set()

        await self.app.app(scope_of("websocket", "/api/analyse/live", [("Host", "here")]), receive, send)
