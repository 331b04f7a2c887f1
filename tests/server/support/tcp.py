"""The papers' wire protocol from the other end of the wire: a client written from its description alone."""

import asyncio
import json
import socket
import threading
from contextlib import contextmanager

from nought.server.tcp.ports import start_tcp
from tests.server.support.people import RandomAgents, make_people


class Wire:
    """A server of both ports on a loop of its own."""

    def __init__(self, url: str) -> None:
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.agents = RandomAgents()
        self.people = make_people(url, self.agents)
        self.ports = self.do(start_tcp(self.people, "127.0.0.1", 0, 0))
        self.ai, self.data = (port.number for port in self.ports)

    def do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    def guest(self):
        return self.do(self.people.accounts.new_guest())

    def close(self) -> None:
        async def shut() -> None:
            for port in self.ports:
                port.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            await asyncio.wait(others, timeout=5) if others else None

        self.do(shut())
        self.people.database.close()
        self.loop.call_soon_threadsafe(self.loop.stop)


@contextmanager
def wire_on(url):
    there = Wire(url)
    try:
        yield there
    finally:
        there.close()


# ---- the client: 000, sections 3.2 and 3.3, and nothing else --------------------------------------------------
def connect(port):
    client = socket.create_connection(("127.0.0.1", port))
    client.settimeout(20)
    return client


def receive(client, size):
    got = b""
    while len(got) < size:
        more = client.recv(size - len(got))
        if not more:
            raise ConnectionError("closed")
        got += more
    return got


def number(value):
    return value.to_bytes(4, "little", signed=True)


def ask(port, *numbers):
    """Send numbers, get one."""
    with connect(port) as client:
        client.sendall(b"".join(number(n) for n in numbers))
        return int.from_bytes(receive(client, 4), "little", signed=True)


def closed(client) -> bool:
    """Whether the server has closed the connection, once it says something."""
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True


LINES = [
    [(r + i * dr) * 7 + c + i * dc for i in range(4)]
    for r in range(6)
    for c in range(7)
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1))
    if 0 <= r + 3 * dr < 6 and 0 <= c + 3 * dc < 7
]


class Board:
    """Connect 4 as the papers' client has it: 42 cells from top left, 1 for who starts and -1 for the other."""

    def __init__(self):
        self.cells, self.player = [0] * 42, 1

    def allowed(self):
        return [i for i in range(42) if not self.cells[i] and (i >= 35 or self.cells[i + 7])]

    def put(self, cell):
        assert cell in self.allowed()
        self.cells[cell] = self.player
        self.player = -self.player

    def winner(self):
        return next(
            (self.cells[a] for a, b, c, d in LINES
             if self.cells[a] and self.cells[a] == self.cells[b] == self.cells[c] == self.cells[d]), 0
        )  # fmt: skip

    def done(self):
        return self.winner() != 0 or 0 not in self.cells

    def state(self):
        return [*(int(c == 1) for c in self.cells), *(int(c == -1) for c in self.cells), self.player]


class Session:
    """A connection to the data port."""

    def __init__(self, port, token=None):
        self.client = connect(port)
        if token is not None:
            self.client.sendall(number(-3) + number(len(token)) + token.encode())
            self.account = int.from_bytes(receive(self.client, 4), "little", signed=True)

    def send(self, *request):
        return self.send_bytes(json.dumps(request).encode())

    def send_bytes(self, text):
        self.client.sendall(number(-2) + number(len(text)) + text)
        size = int.from_bytes(receive(self.client, 4), "little", signed=True)
        return json.loads(receive(self.client, size))
