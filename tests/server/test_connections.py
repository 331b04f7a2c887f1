"""Connections that hold on: unfinished requests, endless headers and bodies, answers that nobody takes."""

import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from http.client import HTTPResponse
from pathlib import Path

import pytest

from nought.server.http.protocol import Places
from nought.server.settings import ServerLimits
from tests.server.support.listening import connect, everything, listening
from tests.support.programs import until

LIMITS = ServerLimits(rate=0, connections=40, connections_of_one=8, header_bytes=4096, request_seconds=0.5)
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with listening(tmp_path_factory.mktemp("connections"), LIMITS) as port:
        yield port


def healthy(port: int, address: str = "127.0.0.3") -> bool:
    with connect(port, address) as client:
        client.sendall(GET + b"Connection: close\r\n\r\n")
        return everything(client).startswith(b"HTTP/1.1 200")


def status_of(client: socket.socket) -> int:
    """Read one whole answer, which may come in several pieces, of a connection that stays."""
    answer = HTTPResponse(client)
    answer.begin()
    answer.read()
    return answer.status


def test_an_address_has_so_many_connections_and_others_have_theirs(port: int) -> None:
    with ExitStack() as held:
        for _ in range(8):
            held.enter_context(connect(port, "127.0.0.2")).sendall(b"GET /")
        assert b"429" in everything(held.enter_context(connect(port, "127.0.0.2")))
        assert healthy(port)
    until(lambda: healthy(port, "127.0.0.2"))


@pytest.mark.parametrize(
    "unfinished",
    [
        b"GET / ",
        GET,
        GET + b"X: " + b"y" * 100,
        b"POST /api/best-move HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{",
        b"POST /api/best-move HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
        b"POST /api/best-move HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y",
        b"",
        b"\r\n\r\n",
    ],
)
def test_a_request_must_arrive_in_time(port: int, unfinished: bytes) -> None:
    with connect(port) as client:
        client.sendall(unfinished)
        said = everything(client)  # which ends: the server closes the connection
        assert b"200" not in said
        assert b"408" in said or not unfinished.startswith(b"GET")


def test_a_connection_that_is_kept_must_bring_a_request_too(port: int) -> None:
    """An empty line between two requests begins none, and must not stop the clock."""
    with connect(port) as client:
        client.sendall(GET + b"\r\n")
        assert status_of(client) == 200
        client.sendall(b"\r\n")
        everything(client)


def test_many_requests_on_one_connection(port: int) -> None:
    with connect(port) as client:
        for _ in range(5):
            client.sendall(GET + b"\r\n")
            assert status_of(client) == 200
        client.sendall((GET + b"\r\n") * 3 + GET + b"Connection: close\r\n\r\n")
        assert everything(client).count(b"HTTP/1.1 200") == 4


@pytest.mark.parametrize("line", [b"X: " + b"y" * 1000 + b"\r\n", b"y" * 1000])
def test_headers_have_a_size(port: int, line: bytes) -> None:
    with connect(port) as client:
        client.sendall(GET + (b"" if line.endswith(b"\n") else b"X: "))
        sent = 0
        with suppress(OSError):
            while sent < 64 * 2**20:
                sent += client.send(line)
        assert sent < 16 * 2**20  # what the system keeps of it on the way
    with connect(port) as client:
        client.sendall(GET + b"X: " + b"y" * 5000 + b"\r\n\r\n")
        assert everything(client).startswith(b"HTTP/1.1 431")
    assert healthy(port)


@pytest.mark.parametrize("endless", [b"X: y\r\n", b"1" + b";x=y" * 20 + b"\r\n{\r\n"])
def test_what_follows_the_headers_has_a_size(port: int, endless: bytes) -> None:
    """Trailers and extensions of chunks are no body, and reach no route."""
    post = b"POST /api/best-move HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connect(port) as client:
        client.sendall(post + (b"0\r\n" if endless.startswith(b"X") else b""))
        sent = 0
        with suppress(OSError):
            while sent < 64 * 2**20:
                sent += client.send(endless * 100)
        assert sent < 32 * 2**20
    assert healthy(port)


def test_an_answer_must_be_taken(port: int) -> None:
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(60)
        client.connect(("127.0.0.1", port))
        asking = (GET.replace(b"/healthz", b"/openapi.json") + b"\r\n") * 10
        with suppress(OSError):  # the connection ends while we go on asking; a test has 300 seconds
            while True:
                client.sendall(asking)
    assert healthy(port)


UPGRADE = (
    b"GET /api/analyse/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
NO_REQUEST, PING = b"\x81\x81\0\0\0\0x", b"\x89\xfd\0\0\0\0" + b"x" * 125  # as a client's frames
CLOSE, PONG = b"\x88\x80\0\0\0\0", b"\x8a\x7d" + b"x" * 125  # … and a server's


@pytest.mark.parametrize("frame", [NO_REQUEST, PING])
def test_what_a_socket_is_sent_must_be_taken(port: int, frame: bytes) -> None:
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(60)
        client.connect(("127.0.0.1", port))
        client.sendall(UPGRADE)
        assert client.recv(12) == b"HTTP/1.1 101"
        sent = 0
        with suppress(ConnectionError):  # which ends while we go on; a test has 300 seconds
            while True:
                client.sendall(frame * 1000)  # whole ones: half of one would be no frame
                sent += len(frame) * 1000
        assert sent < 64 * 2**20  # what the system keeps of it, and not the server
    assert healthy(port)


def test_a_flood_through_sockets_is_cut_off(tmp_path: Path) -> None:
    """Pings reach no route, and an address cannot send more of them by connecting anew."""
    limits = replace(LIMITS, rate=0.001, burst=100, socket_bytes=1000)

    def said_to(address: str, pings: int) -> bytes:
        with connect(port, address) as client:
            client.sendall(UPGRADE)
            if not client.recv(4096):
                return b""
            with suppress(ConnectionError):
                client.sendall(pings * PING + CLOSE)
            return everything(client)

    with listening(tmp_path, limits) as port:
        assert said_to("127.0.0.5", 20).count(PONG) == 20
        assert sum(said_to("127.0.0.5", 2000).count(PONG) for _ in range(5)) < 200
        assert said_to("127.0.0.6", 1).count(PONG) == 1
        assert healthy(port)


def test_a_socket_that_is_refused_is_no_failure(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with listening(tmp_path, replace(LIMITS, rate=0.001, burst=1)) as port:
        for status in (b"HTTP/1.1 101", b"HTTP/1.1 429"):
            with connect(port) as client:
                client.sendall(UPGRADE)
                assert client.recv(12) == status
        assert healthy(port)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_sockets_are_connections_of_their_address(port: int) -> None:
    with ExitStack() as held:
        for _ in range(8):
            client = held.enter_context(connect(port, "127.0.0.4"))
            client.sendall(UPGRADE)
            assert client.recv(12) == b"HTTP/1.1 101"
        assert b"429" in everything(held.enter_context(connect(port, "127.0.0.4")))
        assert healthy(port)
    until(lambda: healthy(port, "127.0.0.4"))


def test_whoever_takes_all_places_leaves_one() -> None:
    places = Places(100, 100)
    for client in "abc":
        while places.enter(client):
            pass
    assert places.enter("d")
    assert places.taken["a"] == 50
    for _ in range(50):
        places.leave("a")
    assert "a" not in places.taken
