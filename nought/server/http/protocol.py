"""Connections: how many an address may have, how large a request may be, and by when it must be there.

What is below HTTP: a client that has not finished its request is known to no route yet, and to no other limit.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from nought.server.http.errors import TooMany
from nought.server.http.rate_limit import Allowance, Places, share_of
from nought.server.settings import ServerLimits

PIECE = 4096  # bytes of a WebSocket that are counted, then read
CHUNK_OVERHEAD = 8  # bytes on the wire, at most, for a byte of a body that comes in pieces
REQUEST_TOO_LATE = (408, "Request Timeout", "the request did not arrive in time")
TOO_MANY_CONNECTIONS = (429, "Too Many Requests", "too many connections from your address")
HEADERS_TOO_LARGE = (431, "Request Header Fields Too Large", "the request's headers are too large")


class Bounded(asyncio.Protocol):
    """A connection with a place among those of its address, which must take what it is sent."""

    transport: asyncio.Transport

    def __init__(self, *args: Any, limits: ServerLimits, places: Places, **options: Any) -> None:
        super().__init__(*args, **options)
        self.limits, self.places = limits, places
        self._place: str | None = None  # whose place this connection holds
        self._write_deadline: asyncio.TimerHandle | None = None  # of what is not taken

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_go()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client does not take what it is sent; it has a while to begin."""
        super().pause_writing()
        late = asyncio.get_running_loop().call_later
        self._write_deadline = late(self.limits.request_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._write_deadline = _cancelled(self._write_deadline)

    def _take_place(self) -> bool:
        """Take a place among those of the client's address, if it may have one more."""
        address = get_remote_addr(self.transport)
        client = share_of(address[0] if address else "unknown")
        if not self.places.enter(client):
            return False
        self._place = client
        return True

    def _let_go(self) -> None:
        self._write_deadline = _cancelled(self._write_deadline)
        if self._place is not None:
            self.places.leave(self._place)
            self._place = None


class BoundedSocket(Bounded, AutoWebSocketsProtocol):  # type: ignore[misc,valid-type]  # whichever there is
    """A WebSocket with a place. Nothing more is read of a client that takes nothing: every ping has its answer. One that
    sends more than anybody has to say is cut off: pings are known to no route, and take time."""

    def __init__(self, *args: Any, sent: Allowance, **options: Any) -> None:
        super().__init__(*args, **options)
        self.sent = sent

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if not self._take_place():
            transport.abort()

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            try:
                self.sent.take(self._place or "unknown", len(piece))
            except TooMany:
                self.transport.abort()
            if self.transport.is_closing():
                return
            super().data_received(piece)

    async def send(self, event: Any) -> None:
        """As uvicorn's; but a handshake that was refused with an answer is one that is done, and no failure to log."""
        await super().send(event)
        if getattr(self, "initial_response", None) is not None and self.transport.is_closing():
            self.handshake_complete = True

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.transport.resume_reading()


class BoundedConnection(Bounded, HttpToolsProtocol):
    """A connection whose requests have a size and a deadline."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._deadline: asyncio.TimerHandle | None = None  # of the request that is arriving
        self._received = 0  # bytes of the request that is arriving
        self._in_headers = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if not self._take_place():
            self._received = 1  # nothing was said, but the answer says why it will not be heard
            self._refuse(*TOO_MANY_CONNECTIONS)
            return
        self._expect_request()

    def handle_websocket_upgrade(self) -> None:
        """From now on it is a socket, which takes a place for itself."""
        if not self.transport.is_closing():
            self._let_go()
            super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if not self._answering:
            self._expect_request()
        self._received += len(data)
        super().data_received(data)
        if self._deadline is not None and self._received > self._most_bytes():
            self._refuse(*HEADERS_TOO_LARGE)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_headers = True
        self._expect_request()

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > self.limits.header_bytes:
            self._refuse(*HEADERS_TOO_LARGE)
            return
        self._in_headers = False
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._received = 0
        self._deadline = _cancelled(self._deadline)
        if not self._in_headers:  # it was not refused
            super().on_message_complete()

    @property
    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _most_bytes(self) -> int:
        body = 0 if self._in_headers else CHUNK_OVERHEAD * self.limits.body
        return 2 * self.limits.header_bytes + body

    def _expect_request(self) -> None:
        """From now on a whole request must arrive in time."""
        if self._deadline is None:
            self._received = 0
            self._deadline = self.loop.call_later(self.limits.request_seconds, self._too_late)

    def _too_late(self) -> None:
        self._deadline = None
        if self._answering and (self.flow.read_paused or self._in_headers):
            self._expect_request()  # the next one, which came early: the one before it is not answered yet
        else:
            self._refuse(*REQUEST_TOO_LATE)

    def _refuse(self, status: int, phrase: str, why: str) -> None:
        """Answer, if an answer fits here, and close the connection. Whoever waits for a body is told that it has left."""
        if not self._in_headers or self._answering or not self._received:
            self.transport.abort()
            return
        body = f'{{"error":"{why}"}}'
        head = f"HTTP/1.1 {status} {phrase}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
        if not self.transport.is_closing():
            self.transport.write(f"{head}\r\nconnection: close\r\n\r\n{body}".encode())
            self.transport.close()

    def _let_go(self) -> None:
        super()._let_go()
        self._deadline = _cancelled(self._deadline)


def _cancelled(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """Nothing, in the place of a timer that must not ring any more."""
    if timer is not None:
        timer.cancel()
    return None
