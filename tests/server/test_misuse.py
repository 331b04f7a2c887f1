"""What ended in a failure of the server's, and is an answer now."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from nought.errors import NoughtError
from nought.games import tictactoe
from nought.server.http.errors import NotFound, printable, public_message
from nought.server.people.store import database
from nought.server.thinking.games import Catalogue
from tests.server.support.serving import serving_guest


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with serving_guest(tmp_path) as client:
        yield client


def test_perfect_play_can_be_an_opponent(client: TestClient) -> None:
    wish = {"game": "tictactoe", "opponent": "oracle", "side": "second"}
    game = client.post("/api/play", json=wish)
    assert game.status_code == 200, game.text
    assert len(game.json()["position"]["movers"]) == 1


def test_bytes_through_a_socket_are_no_request(client: TestClient) -> None:
    with client.websocket_connect("/api/analyse/live") as socket:
        socket.send_bytes(b"\xff\x00")
        assert "send JSON" in socket.receive_json()["error"]
        socket.send_json({"game": "nothing"})
        assert "no game" in socket.receive_json()["error"]  # and goes on


def test_a_path_cannot_write_lines_into_the_log(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "nought.server.requests"):
        client.get("/api/x%0a12:00:00 INFO all is well%1b[2J%E2%80%AEevil")
    (line,) = [record.getMessage() for record in caplog.records if "/api/x" in record.getMessage()]
    assert line.isprintable() and r"\n12:00:00" in line and r"\x1b[2J\u202e" in line
    assert printable("/api/players/Zoë") == "/api/players/Zoë"


@pytest.mark.parametrize(
    ("message", "public"),
    [
        ("/home/ann/runs/a/weights.safetensors is damaged", "weights.safetensors is damaged"),
        ("cannot read '/srv/x/y.json': no such file", "cannot read 'y.json': no such file"),
        (r"C:\Users\ann\runs\a\b.npz is damaged", "b.npz is damaged"),
        ("moves are separated by / or spaces", "moves are separated by / or spaces"),
        ("give simulations and/or seconds", "give simulations and/or seconds"),
        ("there is no agent 'agents/nobody'", "there is no agent 'agents/nobody'"),
    ],
)
def test_messages_do_not_say_where_files_are(message: str, public: str) -> None:
    assert public_message(NoughtError(message)) == public


def test_what_is_meant_for_clients_stays_as_it_is() -> None:
    assert public_message(NotFound("see /api/games/all")) == "see /api/games/all"


def test_a_database_that_is_full_or_away_is_said(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "TRIES", 1)
    engine = client.app.state.people.database.engine  # type: ignore[attr-defined]
    away = "everything"

    def fail(connection, cursor, statement, *rest) -> None:  # type: ignore[no-untyped-def]
        if away == "everything" or (away == "writing" and statement.split()[0] in ("INSERT", "UPDATE")):
            raise OperationalError(statement, {}, Exception("database or disk is full"))

    event.listen(engine, "before_cursor_execute", fail)
    for wrong in ("everything", "writing"):
        away = wrong
        answer = client.post("/api/accounts")
        assert answer.status_code == 503 and int(answer.headers["Retry-After"]) >= 1
        assert "cannot keep anything" in answer.json()["error"]
        health = client.get("/healthz")
        assert health.status_code == 503 and health.json()["status"] == "no database"
    assert client.get("/api/me").status_code == 200  # what is there can be read
    assert client.get("/api/position", params={"game": "connect4"}).status_code == 200
    away = ""
    assert client.get("/healthz").json()["status"] == "ok"  # by itself, without anybody's request
    assert client.post("/api/accounts").status_code == 200


def test_a_game_s_name_fits_the_database(tmp_path: Path) -> None:
    file = tmp_path / f"{'x' * 120}.py"
    file.write_text(Path(tictactoe.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(NoughtError, match="too long a name"):
        Catalogue([str(file)])
