"""The papers' wire protocol, and clients that are up to no good."""

import asyncio
import random
import socket
from contextlib import suppress

import pytest

from nought.server.http.rate_limit import Allowance
from nought.server.tcp import reading
from tests.server.support.tcp import Board, Session, ask, closed, connect, number, receive, wire_on
from tests.support.programs import until


@pytest.fixture
def wire(tmp_path):
    with wire_on(f"{tmp_path}/nought.db") as there:
        yield there


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
    for action in (0, 4, -4, 2**31 - 1):
        with connect(wire.data) as client:
            client.sendall(number(action) + number(1))
            assert closed(client)
    still_works(wire)


def test_slow_and_silent_clients_are_sent_away(wire, monkeypatch):
    monkeypatch.setattr(reading, "TIMEOUT", 0.2)
    begun = [connect(port) for port in (wire.ai, wire.data) for _ in range(5)]
    for client, part in zip(begun, [b"", b"\1", b"\0" * 343, b"\0\0", b"\0"] * 2, strict=True):
        client.sendall(part)
    assert all(closed(client) for client in begun)
    still_works(wire)


def test_a_client_that_sends_for_ever_and_reads_nothing(wire, monkeypatch):
    monkeypatch.setattr(reading, "TIMEOUT", 0.2)
    session = Session(wire.data, wire.guest().token)
    session.send("a", ["b"], "x" * 16_000)
    text = b'["a", ["b"]]'
    flood = (number(-2) + number(len(text)) + text) * 100_000
    with suppress(OSError):
        session.client.sendall(flood)
    until(lambda: wire.ports[1].inside.taken.total() == 0)  # the server has hung up
    still_works(wire)


def test_no_more_connections_than_there_is_room_for(wire):
    wire.ports[1].inside.of_one = 5
    inside = [connect(wire.data) for _ in range(5)]
    for client in inside:
        client.sendall(number(1) + number(1))
        assert receive(client, 4) == number(100)
    with connect(wire.data) as sixth:
        assert closed(sixth)
    for client in inside:
        client.close()
    until(lambda: wire.ports[1].inside.taken.total() == 0)
    still_works(wire)


def test_a_search_ends_with_the_client_that_asked(wire):
    wire.agents.gate = asyncio.Event()  # agents think for ever
    position = b"".join(number(n) for n in (*Board().state(), 1))
    with connect(wire.ai) as client:
        client.sendall(2 * position)  # and would like to know more, but does not wait
        until(lambda: wire.agents.asked)
        assert wire.ports[0].inside.taken.total() == 1
    until(lambda: wire.ports[0].inside.taken.total() == 0, limit=20)
    assert len(wire.agents.asked) == 1
    wire.agents.gate = None
    still_works(wire)


def test_who_asks_too_much_waits(wire):
    wire.ports[1].requests = Allowance(1e-6, 2, "")
    with connect(wire.data) as client:
        client.sendall(3 * (number(1) + number(1)))
        assert receive(client, 8) == 2 * number(100)
        client.settimeout(0.2)
        with pytest.raises(TimeoutError):
            client.recv(1)
    wire.ports[1].requests = Allowance(0, 0, "")
    still_works(wire)


def test_garbage(wire, monkeypatch, caplog):
    monkeypatch.setattr(reading, "TIMEOUT", 0.3)
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
