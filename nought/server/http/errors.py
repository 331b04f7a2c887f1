"""What a client did wrong, with the status that says so. Every error's answer has {"error": "one sentence"}."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from nought.errors import NoughtError
from nought.wire.message import in_words

log = logging.getLogger("nought.server")
# What a path begins with up to its last name, from / or a drive's letter.
FOLDERS = re.compile(r"(?<![\w.~/\\])(?:[A-Za-z]:)?[/\\](?:[^/\\\s'\"]+[/\\])+")
# What a database raises that is full, locked, read-only or away; other errors of it are ours.
UNAVAILABLE = (OperationalError, InterfaceError, InternalError, PoolTimeout)


class HttpRefusal(NoughtError):
    """A request that is not granted. Any other NoughtError is a bad value: 400."""

    status = 400

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after  # seconds

    @property
    def headers(self) -> dict[str, str]:
        return {} if self.retry_after is None else {"Retry-After": str(max(1, round(self.retry_after)))}

    @property
    def more(self) -> dict[str, str]:
        """What the answer says beside the sentence, for programs."""
        return {}


class Unauthorised(HttpRefusal):
    """Who asks is not known."""

    status = 401


class Forbidden(HttpRefusal):
    """Who asks is known and may not."""

    status = 403


class NotFound(HttpRefusal):
    """There is no such thing."""

    status = 404


class Conflict(HttpRefusal):
    """Not now: the game is over, or it is not your turn."""

    status = 409


class StillOpen(Conflict):
    """A new rated game would give up one that is still open: the person is to be asked."""

    def __init__(self, message: str, game_id: str) -> None:
        super().__init__(message)
        self.game_id = game_id

    @property
    def more(self) -> dict[str, str]:
        return {"open_game": self.game_id}


class Misdirected(HttpRefusal):
    """Meant for a server of another name."""

    status = 421


class TooLarge(HttpRefusal):
    """More bytes than are taken."""

    status = 413


class TooMany(HttpRefusal):
    """One client asks for more than its share."""

    status = 429


class ClientLeft(HttpRefusal):
    """The client has gone before its answer was there: nobody reads this, but the log."""

    status = 499  # as nginx counts them

    def __init__(self) -> None:
        super().__init__("the client has left")


class Busy(HttpRefusal):
    """All clients together ask for more than the server can do."""

    status = 503


def shown(text: str, most: int = 40) -> str:
    """Someone's text as a message or the log may repeat it."""
    return repr(text if len(text) <= most else text[:most] + "…")


def printable(text: str) -> str:
    """Someone's text as one line of a log: what would change the line, or hide in it, is written out."""
    return text if text.isprintable() else text.encode("unicode_escape").decode()


def public_message(error: NoughtError) -> str:
    """What is wrong, without the folders of this machine: of a file its name alone."""
    return str(error) if isinstance(error, HttpRefusal) else FOLDERS.sub("", str(error))


def error_response(
    status: int, message: str, headers: Mapping[str, str] | None = None, **more: str
) -> JSONResponse:
    """The answer to a request that is not granted: a sentence, and what a program needs beside it."""
    return JSONResponse({"error": message, **more}, status, dict(headers or {}))


def refusal_response(error: NoughtError) -> JSONResponse:
    """The answer that an error stands for."""
    if isinstance(error, HttpRefusal):
        return error_response(error.status, str(error), error.headers, **error.more)
    return error_response(400, public_message(error))


def describe(error: RequestValidationError) -> str:
    """The first thing that is wrong with a request, in a sentence."""
    first: dict[str, Any] = error.errors()[0]
    return in_words(first["loc"][1:], first["msg"])  # without the part of the request: body, query or path


def add_handlers(app: FastAPI) -> None:
    """Answer every error in one shape."""

    @app.exception_handler(NoughtError)
    async def bad_value(request: Request, error: NoughtError) -> JSONResponse:
        return refusal_response(error)

    @app.exception_handler(ClientDisconnect)  # in the middle of its request
    async def left(request: Request, error: ClientDisconnect) -> JSONResponse:
        return refusal_response(ClientLeft())

    @app.exception_handler(RequestValidationError)
    async def wrong_types(request: Request, error: RequestValidationError) -> JSONResponse:
        return error_response(422, describe(error))

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> JSONResponse:
        return error_response(error.status_code, str(error.detail), error.headers)

    async def no_database(request: Request, error: Exception) -> JSONResponse:
        log.error(
            "the database does not do its work: %s", " ".join(str(getattr(error, "orig", error)).split())
        )
        return refusal_response(Busy("the server cannot keep anything just now; try again soon", 5))

    for kind in UNAVAILABLE:
        app.add_exception_handler(kind, no_database)

    @app.exception_handler(Exception)
    async def our_fault(request: Request, error: Exception) -> JSONResponse:
        log.exception("%s %s failed", request.method, printable(request.scope["path"]), exc_info=error)
        return error_response(500, "the server failed; it has written down why")
