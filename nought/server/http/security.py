"""What is checked before a request reaches a route, and the headers that every answer has."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nought.errors import NoughtError
from nought.server.http.errors import (
    Forbidden,
    HttpRefusal,
    Misdirected,
    TooLarge,
    TooMany,
    error_response,
    refusal_response,
    shown,
)
from nought.server.http.rate_limit import Buckets, share_of
from nought.server.settings import ServerLimits

REFUSAL_SECONDS = 0.25  # until a client hears that it asks too much: asking in vain takes time, too
READING_METHODS = ("GET", "HEAD", "OPTIONS")
HEADERS = {
    # nothing but our own files, modules of WebAssembly among them; images may be drawn by the page
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
OF_THE_API = {**HEADERS, "Cache-Control": "no-store"}  # what was for one account stays in nobody's cache


class Guard:
    """Refuses other sites' requests, bodies that are too large and clients that ask too much."""

    def __init__(self, app: ASGIApp, limits: ServerLimits, buckets: Buckets, names: frozenset[str]) -> None:
        self.app, self.limits, self.buckets, self.names = app, limits, buckets, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        of_api = scope["path"].startswith("/api/")

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in (OF_THE_API if of_api else HEADERS).items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        try:
            check_host(headers, self.names)
            if scope["method"] not in READING_METHODS:
                check_origin(headers)
            self._check_length(headers)
            (self.buckets.requests if of_api else self.buckets.files).take(_client(scope))
        except NoughtError as error:
            if isinstance(error, TooMany):
                await asyncio.sleep(min(error.retry_after or 0, REFUSAL_SECONDS))
            await refusal_response(error)(scope, receive, with_headers)
            return
        await self.app(scope, self._counting(receive), with_headers)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            check_host(Headers(scope=scope), self.names)
            check_origin(Headers(scope=scope))
            self.buckets.take(_client(scope))
        except HttpRefusal as error:
            await receive()  # the request to connect
            if "websocket.http.response" in scope.get("extensions", {}):
                response = error_response(error.status, str(error), error.headers)
                await response(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008, "reason": str(error)[:100]})
            return
        await self.app(scope, receive, send)

    def _check_length(self, headers: Headers) -> None:
        length = headers.get("content-length", "0")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > self.limits.body:
            raise TooLarge(f"a request has {self.limits.body} bytes at most")

    def _counting(self, receive: Receive) -> Receive:
        """A body that comes in pieces may be no longer than one that says its length."""
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.limits.body:
                raise HTTPException(413, f"a request has {self.limits.body} bytes at most")
            return message

        return counted


def own_names(*names: str) -> frozenset[str]:
    """The names of this server: those that are given, and those that this machine has anyway."""
    machine = socket.gethostname().lower()
    return frozenset({*(name.lower() for name in names), "localhost", machine, f"{machine}.local"})


def check_host(headers: Headers, names: frozenset[str]) -> None:
    """Refuse names that are not ours: another site's page could lead its own name here, and then read our answers.

    That needs a name: an address is what it says, and always taken.
    """
    host = headers.get("host", "").lower()
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    name = name.strip("[]").rstrip(".")
    if not name or name in names or name.endswith(".localhost"):
        return
    try:
        ipaddress.ip_address(name)
    except ValueError:
        raise Misdirected(
            f"this server is not called {shown(name)}; if it is, its owner can say so: nought serve --host-name"
        ) from None


def check_origin(headers: Headers) -> None:
    """A browser says which site a request comes from: only our own page may write here and open sockets."""
    origin = headers.get("origin")
    if origin is None:  # not a browser
        return
    try:
        host = urlsplit(origin).netloc
    except ValueError:
        host = ""
    if not host or host.lower() != headers.get("host", "").lower():
        raise Forbidden("this request comes from another site's page")


def _client(scope: Scope) -> str:
    return share_of(scope["client"][0] if scope.get("client") else "unknown")
