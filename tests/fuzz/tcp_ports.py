"""Both ports of the papers' protocol: most requests in this process, some through a real socket."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

from nought.server.tcp.ports import Port, start_tcp
from nought.server.tcp.reading import ClientReader
from tests.fuzz.damage import damaged_bytes, damaged_json
from tests.fuzz.surface import Surface
from tests.server.support.people import RandomAgents, make_people
from tests.server.support.tcp import Board, number

TOKEN = b"{token of an account, in 43 bytes, like one}"[:43]
THROUGH_A_SOCKET = 0.01  # of the inputs
KEPT = (
    ["file", ["key"]],
    ["file", ["key"], 3],
    ["file", ["key", "in", "it"], {"a": [1]}],
    ["file", ["other", "b"]],
)


class TcpPorts(Surface):
    """Some requests one after the other, damaged as a whole."""

    name, share = "tcp", 0.012

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.loop = asyncio.new_event_loop()
        self.people = make_people(f"{folder}/tcp.sqlite3", RandomAgents())
        self.token = self.do(self.people.accounts.new_guest()).token.encode()
        assert len(self.token) == len(TOKEN)
        self.ports = self.do(start_tcp(self.people, "127.0.0.1", 0, 0))

    def do(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def close(self) -> None:
        for port in self.ports:
            port.close()
        self.people.database.close()
        self.loop.close()

    def make(self, chance: Random) -> tuple[int, bytes, bool]:
        port = chance.randrange(2)
        one = (_position, _request)[port]
        data = b"".join(one(chance) for _ in range(chance.randint(1, 4)))
        if chance.random() < 0.8:
            data = damaged_bytes(chance, data)
        if chance.random() < 0.05:
            data = chance.randbytes(chance.choice((3, 20, 400)))
        return port, data, chance.random() < THROUGH_A_SOCKET

    def feed(self, given: tuple[int, bytes, bool]) -> None:
        which, data, really = given
        port, data = self.ports[which], data.replace(TOKEN, self.token)
        said = self.do(_through_a_socket(port, data) if really else _in_here(port, data))
        assert not port.inside.taken, "somebody is still inside"
        if which == 0:
            answers = [
                int.from_bytes(said[at : at + 4], "little", signed=True) for at in range(0, len(said), 4)
            ]
            assert all(-2 <= answer < 42 for answer in answers), answers


class Noted:
    """A writer that keeps what is written."""

    def __init__(self) -> None:
        self.said, self.transport = b"", self

    def get_extra_info(self, name: str) -> tuple[str, int]:
        return ("192.0.2.7", 1234)

    def write(self, data: bytes) -> None:
        self.said += data

    async def drain(self) -> None:
        await asyncio.sleep(0)

    def close(self) -> None: ...

    abort = close


async def _in_here(port: Port, data: bytes) -> bytes:
    reader, writer = ClientReader(), Noted()
    reader.feed_data(data)
    entering = asyncio.ensure_future(port.enter(reader, writer))  # type: ignore[arg-type]
    while not entering.done() and reader._waiter is None:  # it has not asked for more
        await asyncio.sleep(0)
    reader.feed_eof()  # only now: who has left is answered no more
    await entering
    return writer.said


async def _through_a_socket(port: Port, data: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port.number)
    said = b""
    try:
        writer.write(data)
        writer.write_eof()
        said = await reader.read(-1)
    except OSError:
        pass
    finally:
        writer.close()
    while port.inside.taken:  # until the server has seen that we have gone
        await asyncio.sleep(0.001)
    return said


def _position(chance: Random) -> bytes:
    """A position of Connect 4 and who is to play there."""
    board = Board()
    for _ in range(chance.randint(0, 20)):
        if board.done():
            break
        board.put(chance.choice(board.allowed()))
    state = board.state()
    if chance.random() < 0.2:
        state[chance.randrange(len(state))] = chance.choice((0, 1, -1, 2, 2**31 - 1))
    return b"".join(map(number, [*state, chance.choice((0, 1, 5, -1))]))


def _request(chance: Random) -> bytes:
    """A request to the data port."""
    action = chance.choice((1, 2, -1, -2, -2, -2, -3))
    if action == -2:
        text = damaged_json(chance, chance.choice(KEPT))
        return number(-2) + number(len(text)) + text
    if action == -3:
        return number(-3) + number(len(TOKEN)) + TOKEN
    values = [chance.choice((1, 2, -1, 0, 100, 2**31 - 1, -(2**31))) for _ in range(2 if action == 2 else 1)]
    return b"".join(map(number, [action, *values]))
