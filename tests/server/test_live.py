"""Live analysis over a WebSocket."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from nought.server.settings import ServerLimits
from nought.server.thinking.engine import ThinkingEngine
from tests.server.support.serving import serving

LIVE = "/api/analyse/live"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(
        tmp_path_factory.mktemp("live"), limits=ServerLimits(rate=0, live_simulations=3000)
    ) as client:
        yield client


def until_done(socket: Any) -> list[dict]:
    seen = [socket.receive_json()]
    while not seen[-1].get("done") and "error" not in seen[-1]:
        seen.append(socket.receive_json())
    return seen


def test_an_analysis_deepens_until_its_cap(client: TestClient) -> None:
    with client.websocket_connect(LIVE) as socket:
        socket.send_json({"game": "connect4", "moves": "44"})
        seen = until_done(socket)
    simulations = [message["simulations"] for message in seen]
    assert simulations == sorted(simulations) and simulations[-1] == 3000
    assert [message.get("done") for message in seen] == [None] * (len(seen) - 1) + [True]
    assert seen[-1]["position"]["moves"] == "44" and seen[-1]["agent"] == "agents/connect4"


def test_another_request_ends_the_one_before(client: TestClient) -> None:
    with client.websocket_connect(LIVE) as socket:
        socket.send_json({"game": "connect4"})
        socket.send_json({"game": "connect4", "moves": "1", "simulations": 10})
        seen = until_done(socket)
        while seen[-1].get("position", {}).get("moves") != "1":  # what was on its way already
            seen += until_done(socket)
        assert seen[-1]["done"] and seen[-1]["simulations"] == 10
        socket.send_json({"stop": True})
        socket.send_json({"game": "connect4", "simulations": 5})
        assert until_done(socket)[-1]["simulations"] == 5


@pytest.mark.parametrize(
    "text", ["", "x", "[]", "null", '{"game": 3}', '{"stop": "soon"}', "[" * 3000, '{"game": "chess"}',
             '{"game": "connect4", "moves": "9"}', '{"game": "connect4", "moves": "4141414"}'],
)  # fmt: skip
def test_errors_are_sentences_and_the_socket_goes_on(client: TestClient, text: str) -> None:
    with client.websocket_connect(LIVE) as socket:
        socket.send_text(text)
        assert socket.receive_json()["error"]
        socket.send_json({"game": "connect4", "simulations": 3})
        assert until_done(socket)[-1]["done"]


def test_leaving_ends_the_search(client: TestClient) -> None:
    searches = client.app.state.services.engine.searches  # type: ignore[attr-defined]
    with client.websocket_connect(LIVE) as socket:
        socket.send_json({"game": "connect4"})
        socket.receive_json()
    for _ in range(1000):
        if not searches.places.taken.total():
            break
        client.get("/healthz")
    assert not searches.places.taken.total()


def test_a_flood_is_cut_off(tmp_path: Path) -> None:
    def flood(client: TestClient) -> None:
        with client.websocket_connect(LIVE) as socket:
            for _ in range(50):
                socket.send_text("x")
            for _ in range(50):
                socket.receive_json()

    with serving(tmp_path, limits=ServerLimits(rate=0.001, burst=20)) as client:
        with pytest.raises(WebSocketDisconnect) as closed:
            flood(client)
        assert closed.value.code == 1008
        assert client.get("/healthz").status_code == 200


def test_one_client_has_so_many_sockets(tmp_path: Path) -> None:
    with serving(tmp_path, limits=ServerLimits(rate=0, sockets_of_one=1)) as client:
        with client.websocket_connect(LIVE) as first:
            with pytest.raises(WebSocketDisconnect), client.websocket_connect(LIVE):
                pass
            first.send_json({"game": "connect4", "simulations": 2})
            assert until_done(first)[-1]["done"]
        with client.websocket_connect(LIVE) as again:
            again.send_json({"game": "connect4", "simulations": 2})
            assert until_done(again)[-1]["done"]


@pytest.fixture
def without_oracles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for perfect play."""

    async def nothing(*args: Any) -> None:
        return None

    monkeypatch.setattr(ThinkingEngine, "truth", nothing)


@pytest.mark.usefixtures("without_oracles")
def test_an_analysis_costs_what_it_searches(tmp_path: Path) -> None:
    """A token is 200 simulations; the connection and each message cost one more."""
    with serving(tmp_path, limits=ServerLimits(rate=1e-6, burst=18)) as client:
        requests = client.app.state.services.buckets.requests  # type: ignore[attr-defined]
        with client.websocket_connect(LIVE) as socket:
            socket.send_json({"game": "connect4", "agent": "rollout:10", "simulations": 1200})
            assert until_done(socket)[-1]["simulations"] == 1200
            assert requests._level("testclient") == pytest.approx(18 - 2 - 6, abs=0.01)
            socket.send_json({"game": "connect4", "agent": "rollout:10"})
            assert (
                until_done(socket)[-1]["simulations"] < ServerLimits().live_simulations
            )  # what was left, and a few more
            assert requests._level("testclient") < 5
            socket.send_json({"game": "connect4", "agent": "rollout:10"})
            assert "too many requests" in until_done(socket)[-1]["error"]
    assert not client.app.state.services.engine.searches.places.taken  # type: ignore[attr-defined]


@pytest.mark.usefixtures("without_oracles")
def test_an_analysis_that_is_given_up_at_once_is_not_free(tmp_path: Path) -> None:
    with serving(tmp_path, limits=ServerLimits(rate=1e-6, burst=40)) as client:
        with client.websocket_connect(LIVE) as socket:
            for _ in range(5):
                socket.send_json({"game": "connect4", "agent": "rollout:10"})
            socket.send_json({"stop": True})
            socket.send_text("x")
            while "send JSON" not in socket.receive_json().get("error", ""):
                pass
        requests = client.app.state.services.buckets.requests  # type: ignore[attr-defined]
        assert requests._level("testclient") < 40 - 5 * 5
