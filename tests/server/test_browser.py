"""Agents for visitors' browsers, and the games that were played there."""

import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from nought.server.thinking import browser_files
from nought.server.thinking.browsers import Browsers
from tests.server.support.serving import serving, serving_guest
from tests.support.programs import until

KALAH = Path(__file__).parents[2] / "nought/games/examples/kalah.py"
AGENT = {"game": "tictactoe", "agent": "agents/tictactoe"}
ID = "abcdefghijklmnopqrstu-"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("browser")
    with serving(folder, browsers_think=True, games=(f"{KALAH}:3:2",)) as client:
        yield client


def asked(client: TestClient, **query: str) -> dict[str, Any]:
    return client.get("/api/browser/agent", params=query).json()


def made(client: TestClient, **query: str) -> dict[str, Any]:
    """The agent, when it is made or refused."""

    def ready() -> dict[str, Any] | None:
        found = asked(client, **query)
        if found["again"] is None:
            return found
        assert found["facts"] is None and "being made ready" in found["note"]
        return None

    return until(ready)


def test_an_agent_is_made_and_kept(client: TestClient) -> None:
    found = made(client, **AGENT)
    assert found["note"] is None and found["simulations"] == 100
    assert found["facts"]["most"] == browser_files.MOST
    code, network = (client.get(found[name]) for name in ("code", "network"))
    assert code.content.startswith(b"\0asm")
    assert zlib.crc32(network.content) == found["facts"]["checksum"]
    for answer, kind in ((code, "application/wasm"), (network, "application/octet-stream")):
        assert answer.headers["content-type"] == kind
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-encoding"] == "gzip"
    plain = client.get(found["network"], headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.content == network.content
    assert asked(client, game="tictactoe") == found  # the best agent, and nothing is made again


def test_what_cannot_be_is_said(client: TestClient) -> None:
    assert "more than a browser can hold" in asked(client, game="tictactoe", agent="oracle")["note"]
    assert "there is no agent" in asked(client, game="tictactoe", agent="agents/nobody")["note"]
    assert "its own picture, which a browser cannot run" in made(client, game="kalah.py:3:2")["note"]
    assert client.get("/api/browser/agent", params={"game": "nothing"}).status_code == 404
    for name in ("x.bin", "a" * 32 + ".bin", "a" * 32 + ".json", "..%2f..%2fsecrets"):
        assert client.get(f"/api/browser/files/{name}").status_code == 404


def test_a_server_may_think_for_everybody(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        assert asked(client, **AGENT)["note"] == "this server thinks for everybody"


def test_files_that_are_gone_or_broken_are_made_again(tmp_path: Path) -> None:
    browsers = Browsers(folder=tmp_path)
    assert browsers._read("key") is None
    (tmp_path / "key.json").write_text('{"facts": {}, "code": "a.wasm", "network": "b.bin"}')
    assert browsers._read("key") is None
    for name in ("a.wasm", "b.bin"):
        (tmp_path / name).write_bytes(gzip.compress(b""))
    assert browsers._read("key") == ({}, "a.wasm", "b.bin")
    (tmp_path / "key.json").write_text("{")
    assert browsers._read("key") is None


def test_what_was_not_asked_for_longest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_files, "MOST_KEPT", 1)
    for age, name in enumerate(("old", "new")):
        (tmp_path / f"{name}.json").write_text(f'{{"code": "same.wasm", "network": "{name}.bin"}}')
        (tmp_path / f"{name}.bin").touch()
        os.utime(tmp_path / f"{name}.json", (age, age))
    (tmp_path / "same.wasm").touch()
    browser_files._tidy(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.bin", "new.json", "same.wasm"]


def test_the_truth_alone_can_be_asked_for(client: TestClient) -> None:
    truth = client.get("/api/truth", params={"game": "tictactoe", "moves": "a1"}).json()
    assert truth["oracle"]["outcome"] == 0
    assert len(truth["moves"]) == 8
    assert [(move["action"], move["verdict"]) for move in truth["moves"] if move["keeps"]] == [(4, "draws")]
    assert client.get("/api/truth", params={"game": "kalah.py:3:2", "moves": "zz"}).status_code == 400


def record(client: TestClient, **values: Any) -> Any:
    game = {
        "id": ID,
        "game": "tictactoe",
        "side": "first",
        "opponent": "agents/tictactoe",
        "moves": "a1b1a2b2a3",
    }
    return client.post("/api/play/record", json={**game, **values})


def test_a_game_that_was_played_in_a_browser_is_kept_once(tmp_path: Path) -> None:
    with serving_guest(tmp_path) as client:
        kept = record(client).json()
        assert (kept["id"], kept["result"], kept["ended"], kept["rated"]) == (ID, 1, "played", False)
        assert record(client).json() == kept
        assert [game["id"] for game in client.get("/api/play").json()] == [ID]
        resigned = record(client, id=ID[::-1], moves="a1", side="second", resigned=True).json()
        assert (resigned["result"], resigned["ended"], resigned["you"]) == (1, "resigned", 1)
        for wrong in ({"moves": "a1"}, {"resigned": True}, {"moves": "a1a1"}, {"given": 9}):
            assert record(client, id="x" * 22, **wrong).status_code == 400
        assert record(client, id="x" * 22, opponent="nobody").status_code == 404
        assert record(client, id="short").status_code == 422
        client.headers["Authorization"] = f"Bearer {client.post('/api/accounts').json()['token']}"
        assert record(client).status_code == 403
