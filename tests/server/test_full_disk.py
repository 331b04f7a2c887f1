"""A database that is really full, or can only be read: what is there is answered, the rest is refused at once."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event, update

from nought.errors import NoughtError
from nought.server.people.store import Database, TokenRow, now
from nought.server.people.store.database import prepare
from tests.server.support.serving import serving_guest


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with serving_guest(tmp_path) as client:
        yield client


def database(client: TestClient) -> Database:
    return client.app.state.people.database  # type: ignore[attr-defined,no-any-return]


def stop_writing(client: TestClient, pragma: str) -> list[str]:
    """From now on every connection is set so; a list that grows with every transaction that writes."""
    begun: list[str] = []

    def note(connection, cursor, statement, *rest) -> None:  # type: ignore[no-untyped-def]
        if statement == "BEGIN IMMEDIATE":
            cursor.execute(f"PRAGMA {pragma}")
            begun.append(statement)

    event.listen(database(client).engine, "before_cursor_execute", note)
    return begun


@pytest.mark.parametrize("pragma", ["max_page_count = 1", "query_only = ON"])
def test_what_cannot_be_kept_is_said_at_once_and_what_is_there_is_read(
    client: TestClient, pragma: str
) -> None:
    value = "x" * 16_000  # more than is left of the last page
    assert client.put("/api/me/data/a/b", json=1).status_code == 200
    tried = stop_writing(client, pragma)
    client.put("/api/me/data/a/z", json=value)  # into what was free
    tried.clear()
    answers = [client.put(f"/api/me/data/a/{key}", json=value).status_code for key in "cde"]
    assert answers == [503] * 3 and len(tried) == 3  # nobody waits for other tries
    assert client.get("/api/me/data/a/b").json() == 1
    assert client.get("/api/position", params={"game": "connect4"}).status_code == 200


def test_an_account_is_found_though_its_use_cannot_be_noted(client: TestClient) -> None:
    aged = update(TokenRow).values(used=now() - timedelta(days=2))
    database(client).write_now(lambda session: session.execute(aged))
    tried = stop_writing(client, "query_only = ON")
    assert client.get("/api/me").status_code == 200 and tried
    assert client.get("/healthz").status_code == 503


def test_a_database_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NoughtError, match="cannot be written"):
        prepare(str(tmp_path / "file" / "server.sqlite3"))
