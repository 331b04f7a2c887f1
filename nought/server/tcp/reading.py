"""Reading requests: as many bytes as there must be, in time."""

from __future__ import annotations

import asyncio
import struct
from asyncio import StreamReader

GAME = "connect4"  # the one that the protocol is about
NUMBER = struct.Struct("<i")
TIMEOUT = 10.0  # seconds for a request to arrive, and for an answer to be taken


class Goodbye(Exception):
    """The client does not speak the protocol: there is no telling where its next request would begin."""


class ClientReader(StreamReader):
    """What a client sends, and whether it is still there: one that has said all it will say is not."""

    def __init__(self, limit: int = 2**16) -> None:
        super().__init__(limit)
        self.left = asyncio.Event()

    def feed_eof(self) -> None:
        super().feed_eof()
        self.left.set()

    def set_exception(self, exc: BaseException) -> None:
        super().set_exception(exc)  # type: ignore[arg-type]
        self.left.set()


async def read(reader: StreamReader, size: int) -> bytes:
    """The next bytes, this many."""
    async with asyncio.timeout(TIMEOUT):
        return await reader.readexactly(size)


async def read_number(reader: StreamReader) -> int:
    """The next four bytes, as a number."""
    return int(NUMBER.unpack(await read(reader, NUMBER.size))[0])


async def read_sized(reader: StreamReader, largest: int) -> bytes:
    """As many bytes as the number before them says."""
    size = await read_number(reader)
    if not 0 <= size <= largest:
        raise Goodbye
    return await read(reader, size)
