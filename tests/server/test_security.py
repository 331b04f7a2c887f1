"""What a server refuses, and how."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse

from nought.server.http.errors import TooMany
from nought.server.http.rate_limit import FILES, Buckets
from nought.server.settings import ServerLimits
from tests.server.support.serving import serving

ASK = {"game": "connect4", "agent": "random"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("security")) as client:
        yield client


@pytest.mark.parametrize(
    "path",
    ["/", "/play", "/api/games", "/api/nothing", "/css/nothing.css", "/healthz", "/docs", "/openapi.json"],
)
def test_every_answer_has_the_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; " in policy
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
    assert headers["x-content-type-options"] == "nosniff" and "referrer-policy" in headers


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://testserver.evil.example", "//", "http://["]
)
def test_other_sites_cannot_write_or_open_sockets(client: TestClient, origin: str) -> None:
    answer = client.post("/api/best-move", json=ASK, headers={"Origin": origin})
    assert answer.status_code == 403 and "another site" in answer.json()["error"]
    with (
        pytest.raises(WebSocketDenialResponse) as refused,
        client.websocket_connect("/api/analyse/live", headers={"Origin": origin}),
    ):
        pass
    assert refused.value.status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8000", "x" * 300])
def test_other_names_are_not_ours(client: TestClient, host: str) -> None:
    """A page whose own name is led here (DNS rebinding) would otherwise be of the same origin, and read everything."""
    for path in ("/api/games", "/", "/healthz"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 421 and "not called" in answer.json()["error"]
    with (
        pytest.raises(WebSocketDenialResponse) as refused,
        client.websocket_connect("/api/analyse/live", headers={"Host": host}),
    ):
        pass
    assert refused.value.status_code == 421


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:8000", "localhost.", "127.0.0.1:8000", "[::1]:8000", "[::1]", "192.168.0.7", "a.localhost",
     "testserver:80"],
)  # fmt: skip
def test_names_and_addresses_of_ours(client: TestClient, host: str) -> None:
    assert client.get("/healthz", headers={"Host": host}).status_code == 200


def test_our_own_page_can(client: TestClient) -> None:
    answer = client.post("/api/best-move", json=ASK, headers={"Origin": "http://testserver"})
    assert answer.status_code == 200


def test_a_body_is_bounded_whether_it_says_its_length_or_not(client: TestClient) -> None:
    large = b'{"game": "' + b"x" * 70_000 + b'"}'
    json = {"Content-Type": "application/json"}
    assert client.post("/api/best-move", content=large, headers=json).status_code == 413
    assert client.post("/api/best-move", headers=json | {"Content-Length": "9" * 5000}).status_code == 413
    pieces = (large[i : i + 1000] for i in range(0, len(large), 1000))
    answer = client.post("/api/best-move", content=pieces, headers=json)
    assert answer.status_code == 413 and "bytes at most" in answer.json()["error"]


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b'"x"', b"{", b"\xff\xfe", b'{"game": 1}', b'{"game": {"$gt": ""}}',
             b"[" * 5000, b'{"game": "connect4", "simulations": 1e999}', b'{"game": "\\ud800"}'],
)  # fmt: skip
def test_wrong_types_are_refused(client: TestClient, body: bytes) -> None:
    for path in ("/api/best-move", "/api/analyse", "/api/mistakes", "/api/inside"):
        answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert 400 <= answer.status_code < 500 and answer.json()["error"]


@pytest.mark.parametrize(
    "path",
    ["/..%2f..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/css/..%2f..%2fapp.py", "//etc/passwd", "/app.py",
     "/css/../../app.py", "/static/../app.py", "/..%5c..%5capp.py", "/api/runs/..%2f..%2fpyproject.toml", "/%00.css",
     "/api/runs/../x", "/api/runs/%2e%2e"],
)  # fmt: skip
def test_paths_lead_nowhere_else(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (400, 404) or answer.text.startswith("<!doctype html>")
    assert "root:" not in answer.text and "create_app" not in answer.text and "[project]" not in answer.text


def test_unknown_calls_are_errors_not_pages(client: TestClient) -> None:
    assert client.get("/api/nothing").status_code == 404 and "error" in client.get("/api/nothing").json()
    assert client.put("/api/games").status_code in (404, 405)
    page = client.get("/analyse?game=connect4&moves=44")
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")


# ---- how often ----------------------------------------------------------------------------------------------
def test_a_bucket_empties_and_fills_again() -> None:
    now = 0.0
    buckets = Buckets(ServerLimits(rate=2, burst=3), clock=lambda: now)
    for _ in range(3):
        buckets.take("a")
    with pytest.raises(TooMany) as refused:
        buckets.take("a")
    assert refused.value.headers == {"Retry-After": "1"}
    buckets.take("b")  # another client's is another bucket
    now = 0.5
    buckets.take("a")
    with pytest.raises(TooMany):
        buckets.take("a")
    now = 100.0
    for _ in range(3):
        buckets.take("a")  # full again, but no fuller than full
    with pytest.raises(TooMany):
        buckets.take("a")


def test_a_long_search_costs_more() -> None:
    buckets = Buckets(ServerLimits(rate=1, burst=10), clock=lambda: 0.0)
    buckets.take_for("a", 1600)
    buckets.take("a", 2)
    with pytest.raises(TooMany):
        buckets.take("a")


def test_a_client_that_asks_too_often_is_told_to_wait(tmp_path: Path) -> None:
    with serving(tmp_path, limits=ServerLimits(rate=0.001, burst=3)) as client:
        answers = [client.get("/api/position", params={"game": "connect4"}) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        assert int(answers[-1].headers["Retry-After"]) > 0 and "error" in answers[-1].json()
        assert client.get("/healthz").status_code == 200  # the page and the health check are counted apart
        answers = [client.get("/healthz") for _ in range(FILES * 3)]
        assert answers[-2].status_code == 200 and answers[-1].status_code == 429
