"""Two ports, and how many clients may be on them at once."""

from __future__ import annotations

import asyncio
import logging
import socket
from asyncio import StreamReaderProtocol, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI

from nought.errors import NoughtError
from nought.server.dependencies import People
from nought.server.http.errors import TooMany
from nought.server.http.rate_limit import Allowance, Places, share_of
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
    [reading.ClientReader, str], Awaitable[bytes]
]  # reads a request from this address and answers it


@asynccontextmanager
async def open_tcp(app: FastAPI) -> AsyncIterator[None]:
    """Listen on both ports while the application runs, if the settings say so: in one process."""
    settings = app.state.services.settings
    if not (settings.tcp and app.state.services.common.first):
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
    requests = people.accounts.buckets.requests
    ai = Port(lambda: MoveConnection(people.opponents), requests)
    data = Port(lambda: DataConnection(people), requests)
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

    def __init__(self, answering: Callable[[], Answering], requests: Allowance) -> None:
        self.answering, self.requests = answering, requests
        self.inside = Places(MOST_CONNECTIONS, CONNECTIONS_PER_ADDRESS)
        self.writers: set[StreamWriter] = set()

    async def open(self, host: str, number: int) -> None:
        try:
            loop = asyncio.get_running_loop()
            self.server = await loop.create_server(self._connection, host, number)
        except OSError as error:
            raise _cannot_open(host, number, error) from None
        self.number = self.server.sockets[0].getsockname()[1]  # which the system has chosen if it was 0

    def close(self) -> None:
        """Let nobody in any more, and everybody out."""
        self.server.close()
        for writer in self.writers:
            writer.close()

    def _connection(self) -> StreamReaderProtocol:
        """What asyncio.start_server makes, too, but with a reader that knows who has left."""
        reader = reading.ClientReader(2 * LARGEST_VALUE)
        return StreamReaderProtocol(reader, self.enter)  # type: ignore[arg-type]  # which gets this reader

    async def enter(self, reader: reading.ClientReader, writer: StreamWriter) -> None:
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

    async def _answer(self, reader: reading.ClientReader, writer: StreamWriter, address: str) -> None:
        """Answer one request after the other, as quickly as the client may ask."""
        answer = self.answering()
        for _ in range(REQUESTS_PER_CONNECTION):
            await self._pace(reader, address)
            writer.write(await answer(reader, address))
            async with asyncio.timeout(reading.TIMEOUT):
                await writer.drain()

    async def _pace(self, reader: reading.ClientReader, address: str) -> None:
        """Wait until the client may ask again: the protocol has no word for `too many`."""
        while True:
            try:
                return self.requests.take(address)
            except TooMany as refused:
                with suppress(TimeoutError):
                    async with asyncio.timeout(refused.retry_after):
                        await reader.left.wait()
                        raise reading.Goodbye from None
