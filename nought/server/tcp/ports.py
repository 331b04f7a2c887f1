"""Two ports, and how many clients may be on them at once."""

from __future__ import annotations

import asyncio
import logging
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI

from nought.errors import NoughtError
from nought.server.dependencies import People
from nought.server.http.rate_limit import Places, share_of
from nought.server.people.custom_data import LARGEST_VALUE
from nought.server.settings import Settings
from nought.server.tcp import reading
from nought.server.tcp.data import DataConnection
from nought.server.tcp.moves import MoveConnection

log = logging.getLogger("nought.server")

MOST_CONNECTIONS = 256  # at once, on a port
CONNECTIONS_PER_ADDRESS = 32
REQUESTS_PER_CONNECTION = 10_000

Answering = Callable[
    [StreamReader, str], Awaitable[bytes]
]  # reads a request from this address and answers it


@asynccontextmanager
async def open_tcp(app: FastAPI) -> AsyncIterator[None]:
    """Listen on both ports while the application runs, if the settings say so."""
    settings = app.state.services.settings
    if not settings.tcp:
        yield
        return
    ports = await start_tcp(app.state.people, settings.host, settings.ai_port, settings.data_port)
    app.state.tcp = ports
    log.info("the papers' protocol: moves on port %d, data on port %d", *(port.number for port in ports))
    try:
        yield
    finally:
        for port in ports:
            port.close()


async def start_tcp(people: People, host: str, ai_port: int, data_port: int) -> tuple[Port, Port]:
    """Listen on the AI port and on the data port."""
    ai, data = Port(lambda: MoveConnection(people.opponents)), Port(lambda: DataConnection(people))
    await ai.open(host, ai_port)
    try:
        await data.open(host, data_port)
    except NoughtError:
        ai.close()
        raise
    return ai, data


def check_ports(settings: Settings) -> None:
    """Say before anything starts which port is taken."""
    for number in (settings.ai_port, settings.data_port) if settings.tcp else ():
        try:
            socket.create_server((settings.host, number)).close()
        except OSError as error:
            raise _cannot_open(settings.host, number, error) from None


def _cannot_open(host: str, number: int, error: OSError) -> NoughtError:
    return NoughtError(f"the TCP port {number} of {host} cannot be opened: {error.strerror or error}")


class Port:
    """Lets clients in, no more than there is room for, and out when they are done, slow or wrong."""

    def __init__(self, answering: Callable[[], Answering]) -> None:
        self.answering = answering
        self.inside = Places(MOST_CONNECTIONS, CONNECTIONS_PER_ADDRESS)
        self.writers: set[StreamWriter] = set()

    async def open(self, host: str, number: int) -> None:
        try:
            self.server = await asyncio.start_server(self.enter, host, number, limit=2 * LARGEST_VALUE)
        except OSError as error:
            raise _cannot_open(host, number, error) from None
        self.number = self.server.sockets[0].getsockname()[1]  # which the system has chosen if it was 0

    def close(self) -> None:
        """Let nobody in any more, and everybody out."""
        self.server.close()
        for writer in self.writers:
            writer.close()

    async def enter(self, reader: StreamReader, writer: StreamWriter) -> None:
        address = share_of(str((writer.get_extra_info("peername") or ("",))[0]))
        if not self.inside.enter(address):
            writer.close()
            return
        self.writers.add(writer)
        try:
            await self._answer(reader, writer, address)
        except (asyncio.IncompleteReadError, reading.Goodbye):
            pass
        except OSError:  # it has gone or is too slow (TimeoutError): what it has not taken is not kept for it
            writer.transport.abort()
        except Exception:
            log.exception("a TCP request failed")
        finally:
            self.writers.discard(writer)
            self.inside.leave(address)
            writer.close()

    async def _answer(self, reader: StreamReader, writer: StreamWriter, address: str) -> None:
        """Answer one request after the other."""
        answer = self.answering()
        for _ in range(REQUESTS_PER_CONNECTION):
            writer.write(await answer(reader, address))
            async with asyncio.timeout(reading.TIMEOUT):
                await writer.drain()
