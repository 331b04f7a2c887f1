"""Ways to be hostile to a server, for benchmarks/hostile_load.py: each is one attempt, made again and again by many workers
from an address of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from typing import TypeAlias

NICE = 5  # in life, attackers have machines of their own
REPORT_INTERVAL = 5.0  # seconds
GOES_WRONG = (OSError, EOFError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError)
UPGRADE = (
    b"GET /api/analyse/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
PING = b"\x89\xfd\0\0\0\0" + b"x" * 125  # as a client's frame
EMPTY_BOARD = struct.pack("<86i", *[0] * 84, 1, -1)  # in the papers' protocol; the best agent is asked
PATHS = (
    "/",
    "/js/main.js",
    "/openapi.json",
    "/api/games",
    "/api/runs",
    "/api/ladder?game=connect4",
    "/metrics",
)

Reports: TypeAlias = "Queue[dict[str, Counter[str]]]"  # attempts by attack, and answers by status, so far


@dataclass(frozen=True)
class Target:
    """A server: its three ports, and the name of somebody who has a password there."""

    port: int
    ai_port: int
    data_port: int
    name: str


@dataclass
class Stream:
    """One connection to the server."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def slowly(self, data: bytes, pause: float) -> None:
        """Send byte by byte, until the server has had enough of it."""
        for n in range(len(data)):
            await self.send(data[n : n + 1])
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    if not await self.reader.read(4096):
                        return

    async def answer(self, seconds: float) -> bytes:
        """What the server says within this time, at most."""
        async with asyncio.timeout(seconds):
            return await self.reader.read(65_536)

    async def rest(self, seconds: float) -> None:
        """Take whatever comes for so long."""
        async with asyncio.timeout(seconds):
            while await self.reader.read(65_536):
                pass


@dataclass
class Attacker:
    """A hostile machine: where it is, and what it has by now."""

    target: Target
    address: str
    chance: random.Random
    statuses: Counter[str] = field(default_factory=Counter)
    tokens: list[str] = field(default_factory=list)

    @contextlib.asynccontextmanager
    async def stream(self, port: int | None = None, receive_buffer: int = 0) -> AsyncIterator[Stream]:
        """A connection that is broken off, whatever is under way, when the attempt is over."""
        client = socket.socket()
        try:
            if receive_buffer:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            client.setblocking(False)
            client.bind((self.address, 0))
            await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", port or self.target.port))
            stream = Stream(*await asyncio.open_connection(sock=client))
        except OSError:
            client.close()
            raise
        try:
            yield stream
        finally:
            stream.writer.transport.abort()

    def request(self, method: str, path: str, body: object = None, token: str = "") -> bytes:
        """A request that is right."""
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        return f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content

    async def ask(self, stream: Stream, request: bytes, patience: float = 5.0) -> bytes:
        """The answer to a request; its status is counted."""
        await stream.send(request)
        async with asyncio.timeout(patience):
            head = await stream.reader.readuntil(b"\r\n\r\n")
            self.statuses[head[9:12].decode(errors="replace")] += 1
            length = re.search(rb"content-length: (\d+)", head)
            return head + await stream.reader.readexactly(int(length[1]) if length else 0)

    async def token(self, stream: Stream) -> str:
        """A new guest's token; one of those from before when there is no new one to be had."""
        said = await self.ask(stream, self.request("POST", "/api/accounts", {}))
        if b" 200 " in said[:16]:
            self.tokens.append(json.loads(said.rpartition(b"\r\n\r\n")[2])["token"])
        return self.chance.choice(self.tokens or [""])


async def guest_searches(at: Attacker) -> None:
    """A guest's game that begins with a long search; most do not wait for it."""
    async with at.stream() as stream:
        token = await at.token(stream)
        wish = {"game": "connect4", "side": "second", "opponent": "agents/connect4-small", "rated": False}
        wish["simulations"] = at.chance.choice((200, 2_000, 20_000))
        begin = at.request("POST", "/api/play", wish, token)
        await at.ask(stream, begin, at.chance.choice((0.05, 0.5, 5.0)))


async def long_analyses(at: Attacker) -> None:
    """Ten seconds of thinking about some position, by the largest agent."""
    moves = "".join(at.chance.choices("1234567", k=at.chance.randrange(8)))
    wish = {"game": "connect4", "moves": moves, "seconds": 10, "agent": "agents/connect4"}
    async with at.stream() as stream:
        await at.ask(stream, at.request("POST", "/api/analyse", wish), at.chance.choice((0.5, 15.0)))


async def live_analyses(at: Attacker) -> None:
    """Live analyses of one position after the other, all of which are watched."""
    async with at.stream() as stream:
        await at.ask(stream, UPGRADE)
        for _ in range(30):
            moves = "".join(at.chance.choices("1234567", k=at.chance.randrange(8)))
            await stream.send(frame({"game": "connect4", "moves": moves}))
            with contextlib.suppress(TimeoutError):
                await stream.rest(1.0)


async def unread_sockets(at: Attacker) -> None:
    """A WebSocket that asks and asks, and takes nothing of what it is sent."""
    async with at.stream(receive_buffer=4096) as stream:
        stream.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await stream.send(UPGRADE)
        while True:
            await stream.send(frame({"game": "connect4"}) + PING * 100)
            await asyncio.sleep(0.05)


async def half_open_headers(at: Attacker) -> None:
    async with at.stream() as stream:
        await stream.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        await stream.slowly(b"X: " + b"y" * 1000, 2.0)


async def huge_headers(at: Attacker) -> None:
    async with at.stream() as stream:
        await stream.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        for _ in range(2_400):  # 150 MB
            await stream.send((b"X: " + b"y" * 1019 + b"\r\n") * 64)


async def unfinished_bodies(at: Attacker) -> None:
    head = b"POST /api/best-move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    sized, chunked = b"Content-Length: 60000\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\nea60\r\n"
    async with at.stream() as stream:
        await stream.send(head + at.chance.choice((sized, chunked)) + b"{" * at.chance.randrange(60_000))
        await stream.slowly(b" " * 1000, 1.0)


async def junk_http(at: Attacker) -> None:
    """Something that was a request once."""
    body = {"game": "connect4", "moves": "44", "simulations": 10}
    right = (at.request("POST", "/api/best-move", body), at.request("GET", at.chance.choice(PATHS)))
    async with at.stream() as stream:
        await at.ask(stream, damaged(at.chance, at.chance.choice(right)), 1.0)


async def page_flood(at: Attacker) -> None:
    """The page's files, again and again through one connection."""
    async with at.stream() as stream:
        for _ in range(200):
            await at.ask(stream, at.request("GET", at.chance.choice(PATHS)))


async def password_guesses(at: Attacker) -> None:
    guess = {"name": at.target.name, "password": f"guess {at.chance.random()}"}
    async with at.stream() as stream:
        await at.ask(stream, at.request("POST", "/api/login", guess))


async def tcp_junk(at: Attacker) -> None:
    port = at.chance.choice((at.target.ai_port, at.target.data_port))
    async with at.stream(port) as stream:
        await stream.send(at.chance.randbytes(at.chance.choice((3, 20, 344, 5000))))
        await stream.answer(1.0)


async def tcp_slow_bytes(at: Attacker) -> None:
    async with at.stream(at.chance.choice((at.target.ai_port, at.target.data_port))) as stream:
        await stream.slowly(EMPTY_BOARD, 1.0)


async def tcp_searches(at: Attacker) -> None:
    """Positions for the best agent; half of the answers nobody waits for."""
    async with at.stream(at.target.ai_port) as stream:
        for _ in range(20):
            await stream.send(EMPTY_BOARD)
            await stream.answer(at.chance.choice((0.1, 5.0)))


def frame(message: object) -> bytes:
    """A message as a client's text frame."""
    text = json.dumps(message).encode()
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


def damaged(chance: random.Random, data: bytes) -> bytes:
    """The same with a few bytes more, fewer or others somewhere."""
    for _ in range(chance.choice((1, 1, 4))):
        at = chance.randrange(len(data))
        data = data[:at] + chance.randbytes(chance.randrange(9)) + data[at + chance.randrange(9) :]
    return data


# How many workers make each attempt, and seconds that each waits between two.
ATTACKS: dict[Callable[[Attacker], Awaitable[None]], tuple[int, float]] = {
    guest_searches: (64, 0.5),
    long_analyses: (32, 0.5),
    live_analyses: (12, 1.0),
    unread_sockets: (16, 1.0),
    half_open_headers: (120, 0.5),
    huge_headers: (4, 0.2),
    unfinished_bodies: (120, 0.5),
    junk_http: (16, 0.1),
    page_flood: (4, 0.1),
    password_guesses: (8, 0.5),
    tcp_junk: (16, 0.2),
    tcp_slow_bytes: (48, 0.5),
    tcp_searches: (48, 0.5),
}


async def again_and_again(
    attack: Callable[[Attacker], Awaitable[None]], at: Attacker, attempts: Counter[str], pause: float
) -> None:
    """One worker."""
    while True:
        with contextlib.suppress(*GOES_WRONG):
            await attack(at)
        attempts[attack.__name__] += 1
        await asyncio.sleep(pause * at.chance.uniform(0.5, 1.5))


async def attack_for_ever(target: Target, addresses: list[str], seed: int, reports: Reports) -> None:
    """All attacks at once, from these addresses in turn; what was done is reported now and then."""
    attempts: Counter[str] = Counter()
    attackers = [
        Attacker(target, addresses[n % len(addresses)], random.Random(seed + n)) for n in range(len(ATTACKS))
    ]
    workers = [
        asyncio.create_task(again_and_again(attack, attacker, attempts, pause))
        for attacker, (attack, (count, pause)) in zip(attackers, ATTACKS.items(), strict=True)
        for _ in range(count)
    ]
    while not any(worker.done() for worker in workers):
        await asyncio.sleep(REPORT_INTERVAL)
        statuses = sum((attacker.statuses for attacker in attackers), Counter[str]())
        reports.put({"attempts": attempts, "statuses": statuses})
    await asyncio.gather(*workers)  # says what went wrong


def run_attacks(target: Target, addresses: list[str], seed: int, reports: Reports) -> None:
    """What the attackers' process does until it is ended."""
    os.nice(NICE)
    asyncio.run(attack_for_ever(target, addresses, seed, reports))
