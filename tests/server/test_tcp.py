"""The papers' wire protocol, from the other end of the wire: a client written from its description alone."""

import asyncio
import json
import pickle
import random
import socket
import struct
import threading
import time
from contextlib import contextmanager, suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from server.people_support import RandomAgents, make_people, win
from server.serving_support import serving

from nought.errors import NoughtError
from nought.games import load
from nought.server import tcp
from nought.server.playing import Wish
from nought.server.tcp import position_of, start_tcp

CONNECT4 = load("connect4")


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


@pytest.fixture
def wire(tmp_path):
    with wire_on(f"{tmp_path}/nought.db") as there:
        yield there


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


@pytest.mark.parametrize("mine", [1, -1])
def test_a_whole_game_over_the_wire(wire, mine):
    chance, board = random.Random(mine), Board()
    while not board.done():
        if board.player == mine:
            board.put(chance.choice(board.allowed()))
        else:
            board.put(ask(wire.ai, *board.state(), 3))
    assert len(wire.agents.asked) >= 3
    assert {agent for agent, _, _ in wire.agents.asked} == {"agents/level-2"}  # version 3


def test_a_whole_game_against_the_trained_agent(tmp_path):
    """With the application as `nought serve --tcp` runs it. Who drops stones at random loses to it."""
    with serving(tmp_path, tcp=True, ai_port=0, data_port=0) as client:
        ai, data = (port.number for port in client.app.state.tcp)
        chance, board = random.Random(0), Board()
        while not board.done():
            board.put(chance.choice(board.allowed()) if board.player == 1 else ask(ai, *board.state(), -1))
        assert board.winner() == -1
        agents = client.get("/api/games").json()[0]["agents"]
        for version, agent in enumerate(agents, 1):
            rating = ask(data, 1, version)
            assert agent["rating"] is None or rating == round(agent["rating"])


def test_the_papers_example_position(wire):
    first = [10, 23, 30, 31, 37, 40]
    second = [16, 17, 24, 32, 38, 39]
    state = [0] * 85
    for cell in first:
        state[cell] = 1
    for cell in second:
        state[42 + cell] = 1
    state[84] = 1
    with connect(wire.ai) as client:
        client.sendall(struct.pack("<86i", *state, 1))
        assert struct.unpack("<i", receive(client, 4))[0] in {3, 9, 25, 33, 35, 36, 41}


@pytest.mark.parametrize("version", [-1, 0, 6, 2**31 - 1, -(2**31)])
def test_a_version_that_is_not_there_means_the_best(wire, version):
    assert 0 <= ask(wire.ai, *Board().state(), version) < 42
    assert wire.agents.asked[-1][0] == "agents/level-4"


def test_the_other_player_is_minus_one_or_nought(wire):
    board = Board()
    board.put(38)
    for turn in (-1, 0):
        assert ask(wire.ai, *board.state()[:84], turn, 1) in board.allowed()


def test_positions_that_cannot_be(wire):
    floating, crowded, turn, over, two = Board(), Board(), Board(), Board(), Board()
    floating.cells[0] = 1
    floating.player = -1
    crowded.cells[35:38] = [1, 1, -1]
    turn.player = -1
    for cell in (35, 36, 28, 37, 21, 38, 14):
        over.put(cell)
    two.put(38)
    double = two.state()
    double[42 + 38] = 1
    for state in (floating.state(), crowded.state(), turn.state(), over.state(), double, [2] * 85, [-1] * 85):
        assert ask(wire.ai, *state, 1) == -1
    assert wire.agents.asked == []


def test_several_requests_on_one_connection(wire):
    with connect(wire.ai) as client:
        client.sendall(struct.pack("<86i", *Board().state(), 1) * 3)
        assert all(0 <= cell < 42 for cell in struct.unpack("<3i", receive(client, 12)))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([0, 0, 0, 1, -1, 2]), min_size=85, max_size=85))
def test_any_numbers_are_a_position_or_a_clear_error(numbers):
    with suppress(NoughtError):
        assert not position_of(CONNECT4, numbers).finished


def test_positions_of_games():
    chance = random.Random(0)
    for _ in range(50):
        board, position = Board(), CONNECT4.start()
        while not position.finished:
            assert position_of(CONNECT4, board.state()) == position
            move = chance.choice(position.legal)
            board.put(max(cell for cell in range(42) if cell % 7 == move and not board.cells[cell]))
            position = position.play(move)
        assert board.done() and board.winner() == position.result
        with pytest.raises(NoughtError):
            position_of(CONNECT4, board.state())


# ---- ratings ------------------------------------------------------------------------------------------------
def test_ratings_and_the_closest_agent(url):
    with wire_on(url) as wire:
        assert [ask(wire.data, 1, agent) for agent in (1, 2, 5)] == [100, 300, 900]
        assert ask(wire.data, 1, 77) == ask(wire.data, 1, -77) == 100  # whoever is not rated yet
        assert [ask(wire.data, -1, rating) for rating in (-500, 100, 101, 700, 900, 2**31 - 1)] == [
            1,
            1,
            2,
            4,
            5,
            5,
        ]
        ann = wire.guest().account
        game = wire.do(wire.people.playing.begin(ann, Wish("connect4", "first", rated=True)))
        wire.do(wire.people.database.write(lambda session: win(session, game.id)))
        game = wire.do(wire.people.playing.find(game.id))
        assert ask(wire.data, 1, -ann.id) == round(game.rating_after) > 300


def test_nobody_sets_a_rating(wire):
    ann, token = wire.guest()
    with connect(wire.data) as client:
        client.sendall(number(-3) + number(len(token)) + token.encode())
        assert int.from_bytes(receive(client, 4), "little", signed=True) == -ann.id
        for who in (-ann.id, 1, 5):
            client.sendall(number(2) + number(who) + number(2800))
            assert receive(client, 4) == number(0)
    assert [ask(wire.data, 1, who) for who in (-ann.id, 1, 5)] == [100, 100, 900]


# ---- custom data --------------------------------------------------------------------------------------------
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


def test_custom_data(url):
    with wire_on(url) as wire:
        ann, bob = Session(wire.data, wire.guest().token), Session(wire.data, wire.guest().token)
        person = {"firstName": "John", "address": {"city": "New York"}, "spouse": None}
        assert ann.send("example", ["john"]) is None
        assert ann.send("example", ["john"], person) is True
        assert ann.send("example", ["john", "address", "city"]) == "New York"
        assert ann.send("example", ["john", "address", "city", "further"]) is None
        assert ann.send("example", ["john", "address", "city"], "Bern") is True
        assert ann.send("example", ["john", "new", "deep"], [1]) is True
        person["address"]["city"], person["new"] = "Bern", {"deep": [1]}
        assert ann.send("example", ["john"]) == person
        assert bob.send("example", ["john"]) is None
        assert bob.account != ann.account < 0


def test_data_needs_a_token(wire):
    token = wire.guest().token
    for session in (Session(wire.data), Session(wire.data, "forged"), Session(wire.data, token + "x")):
        assert "token" in session.send("a", ["b"], 1)["error"]
        assert "token" in session.send("a", ["b"])["error"]
    assert session.account == 0
    assert Session(wire.data, token).send("a", ["b"]) is None


class Bomb:
    def __reduce__(self):
        return (setattr, (Board, "exploded", True))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_is_refused(wire, protocol):
    session = Session(wire.data, wire.guest().token)
    for thing in (("a", ["b"], 1), Bomb()):
        assert set(session.send_bytes(pickle.dumps(thing, protocol))) == {"error"}
    assert not hasattr(Board, "exploded")
    assert session.send("a", ["b"]) is None


@pytest.mark.parametrize(
    "text",
    [b"", b"{}", b"[]", b'["a"]', b'["a", []]', b'["a", "b"]', b'["a", [1]]', b'["a", ["b"], 1, 2]', b"[" * 9000,
     b'["../../etc/passwd", ["b"]]', b'["a", ["b\\u0000"]]', b'["a", ["b"], NaN]', b'["a", ["b"], 1e999]', b"\xff",
     json.dumps(["a", ["b"] * 40]).encode(), json.dumps(["a'; DROP TABLE accounts; --", ["b"], 1]).encode()],
)  # fmt: skip
def test_data_requests_that_are_none(wire, text):
    session = Session(wire.data, wire.guest().token)
    assert set(session.send_bytes(text)) == {"error"}
    assert session.send("a", ["b"], "fine") is True


# ---- clients that are up to no good -----------------------------------------------------------------------------
def wait_until(true):
    for _ in range(3000):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to pass")


def still_works(wire):
    assert 0 <= ask(wire.ai, *Board().state(), 1) < 42
    assert ask(wire.data, 1, 1) == 100


@pytest.mark.parametrize("size", [-1, -(2**31), 2**31 - 1, 16 * 1024 + 1])
def test_sizes_that_are_too_much(wire, size):
    for action in (-2, -3):
        with connect(wire.data) as client:
            client.sendall(number(action) + number(size) + b"x" * 100)
            assert closed(client)
    still_works(wire)


def test_actions_that_are_none(wire):
    for action in (0, 3, -4, 2**31 - 1):
        with connect(wire.data) as client:
            client.sendall(number(action) + number(1))
            assert closed(client)
    still_works(wire)


def test_slow_and_silent_clients_are_sent_away(wire, monkeypatch):
    monkeypatch.setattr(tcp, "PATIENCE", 0.2)
    begun = [connect(port) for port in (wire.ai, wire.data) for _ in range(5)]
    for client, part in zip(begun, [b"", b"\1", b"\0" * 343, b"\0\0", b"\0"] * 2, strict=True):
        client.sendall(part)
    assert all(closed(client) for client in begun)
    still_works(wire)


def test_a_client_that_sends_for_ever_and_reads_nothing(wire, monkeypatch):
    monkeypatch.setattr(tcp, "PATIENCE", 0.2)
    session = Session(wire.data, wire.guest().token)
    session.send("a", ["b"], "x" * 16_000)
    text = b'["a", ["b"]]'
    flood = (number(-2) + number(len(text)) + text) * 100_000
    with suppress(OSError):
        session.client.sendall(flood)
    wait_until(lambda: wire.ports[1].inside.total() == 0)  # the server has hung up
    still_works(wire)


def test_no_more_connections_than_there_is_room_for(wire, monkeypatch):
    monkeypatch.setattr(tcp, "OF_ONE_ADDRESS", 5)
    inside = [connect(wire.data) for _ in range(5)]
    for client in inside:
        client.sendall(number(1) + number(1))
        assert receive(client, 4) == number(100)
    with connect(wire.data) as sixth:
        assert closed(sixth)
    for client in inside:
        client.close()
    wait_until(lambda: wire.ports[1].inside.total() == 0)
    still_works(wire)


def test_garbage(wire, monkeypatch, caplog):
    monkeypatch.setattr(tcp, "PATIENCE", 0.3)
    chance = random.Random(0)
    starts = [
        b"",
        number(1),
        number(2),
        number(-1),
        number(-2),
        number(-3),
        number(-2) + number(50),
        b"GET / HTTP/1.1\r\n",
    ]
    for n in range(150):
        with connect(chance.choice((wire.ai, wire.data))) as client:
            garbage = chance.choice(starts) + chance.randbytes(chance.choice((1, 5, 300, 5000)))
            try:
                client.sendall(garbage)
                if n % 3:
                    client.shutdown(socket.SHUT_WR)
                    while client.recv(4096):
                        pass
            except OSError:
                pass
    still_works(wire)
    assert not caplog.records  # nothing that the server had not thought of
