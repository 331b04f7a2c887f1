"""Every route of the server."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

from tests.fuzz.asgi import Answer, App
from tests.fuzz.damage import ODD_TEXTS, damaged_bytes, damaged_json, damaged_text
from tests.fuzz.runs import template_run
from tests.fuzz.surface import Surface

MOVES = {
    "connect4": ("", "44", "4433225", "12345671234567"),
    "tictactoe": ("", "b2", "a1b2c3"),
    "othello": ("", "f5d6"),
}
AGENTS = ("random", "rollout:5", "agents/tictactoe", "net:tiny", "tiny@1:4", "oracle", "nobody", "closest")
# What stands for a thing that is another on each day: an account, one made just for this, a game under way, one's own.
TOKEN, FRESH, GAME = "{token}", "{fresh}", "{game}"
PATHS = (
    "/", "/index.html", "/js/main.js", "/docs", "/openapi.json", "/metrics", "/healthz", "/api/games", "/api/runs",
    "/api/runs/tiny", "/api/runs/tiny/judge?moves=b2", "/api/ladder?game=connect4", "/api/opponent?game=tictactoe",
    "/api/play?limit=3&game=connect4&player=Ann", f"/api/play?before={GAME}", f"/api/play/{GAME}", "/api/me",
    "/api/me/data/notes", "/api/me/data/notes/a", "/api/players/Ann", "/api/position?game=othello&moves=f5",
    "/api/truth?game=tictactoe&moves=a1b2", "/api/browser/agent?game=tictactoe&agent=agents/tictactoe",
    f"/api/browser/files/{'0' * 32}.wasm",
)  # fmt: skip
DATA = ({"a": [1, 2, {"b": None}]}, "text", 3, [[[]]], {"é": "\U0001f600"})
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "get", "X")
HEADERS = ("Host", "Origin", "Content-Length", "Content-Type", "Authorization", "Range", "If-None-Match", "If-Modified-Since",
           "Accept", "Accept-Encoding", "Cookie", "X-Forwarded-For", "Expect", "Transfer-Encoding")  # fmt: skip
ODD_HEADERS = (
    "", "here", "here:80", "[::1]", "[", "1.2.3.4:99999", "http://[", "http://here", "null", "-1", "10", "9" * 5000, "٣", "²",
    "bytes=0-", "bytes=5-2", "bytes=0-0,1-1,2-2", "bytes=-1", "Bearer", "Bearer x", "Basic eA==", "application/json; charset=x",
    "text/plain", "multipart/form-data", "W/\"x\"", "Thu, 99 Foo 2020", "0", "\x80\xff", "chunked",
)  # fmt: skip


class Request(NamedTuple):
    """A request that may not be right."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: tuple[bytes, ...]


class Http(Surface):
    """A request that was right once: another method, path, query, header or body."""

    name, share = "http", 0.008

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.app = App(folder, template_run(folder).parent)
        self.app.warm_up("tictactoe", AGENTS)
        self.app.warm_up("connect4", ["nobody", "rollout:5", "oracle"])
        self.token, self.games = self._account(), []

    def close(self) -> None:
        self.app.close()

    def make(self, chance: Random) -> Request:
        method, target, token, body = _right(chance)
        headers = {
            "Host": "here",
            "Content-Type": "application/json",
            **({"Authorization": f"Bearer {token}"} if token else {}),
        }
        content = json.dumps(body).encode() if body is not None else b""
        for _ in range(chance.choice((0, 1, 1, 1, 2))):
            way = chance.random()
            if way < 0.5 and body is not None:
                content = damaged_json(chance, body)
            elif way < 0.75:
                target = _damaged_target(chance, target)
            elif way < 0.85:
                method = chance.choice(METHODS)
            elif way < 0.97:
                headers[chance.choice(HEADERS)] = chance.choice(ODD_HEADERS)
            else:
                content = damaged_bytes(chance, content * chance.choice((1, 1, 2000)))
        cut = chance.randint(0, len(content))
        pieces = (content[:cut], content[cut:]) if chance.random() < 0.2 else (content,)
        return Request(method, target, tuple(headers.items()), pieces)

    def feed(self, given: Request) -> None:
        answer = self._send(given)
        assert answer.status < 500 or answer.status == 503, answer
        assert str(self.folder).encode() not in answer.body and b"Traceback" not in answer.body, answer
        if answer.headers.get("content-type", "").startswith("application/json") and answer.body:
            said = json.loads(answer.body)
            assert answer.status < 400 or (said["error"] and "\n" not in said["error"]), answer

    def _send(self, given: Request) -> Answer:
        there = {TOKEN: self.token, GAME: self._game() if GAME in given.target else ""}
        if any(FRESH in value for _, value in given.headers):
            there[FRESH] = self._account()

        def filled(text: str) -> str:
            for sign, thing in there.items():
                text = text.replace(sign, thing)
            return text

        headers = [(name, filled(value)) for name, value in given.headers]
        return self.app.request(given.method, filled(given.target), headers, given.body)

    def _account(self) -> str:
        answer = self.app.request("POST", "/api/accounts", [("Host", "here")])
        return str(json.loads(answer.body)["token"])

    def _game(self) -> str:
        """A game under way; one that has ended is replaced."""
        headers = [
            ("Host", "here"),
            ("Content-Type", "application/json"),
            ("Authorization", f"Bearer {self.token}"),
        ]
        if self.games:
            found = json.loads(self.app.request("GET", f"/api/play/{self.games[0]}", headers).body)
            if found.get("status") == "playing":
                return str(self.games[0])
        wish = json.dumps({"game": "connect4", "opponent": "random", "side": "first"}).encode()
        self.games = [json.loads(self.app.request("POST", "/api/play", headers, [wish]).body)["id"]]
        return str(self.games[0])


def _right(chance: Random) -> tuple[str, str, str, Any]:
    """The method, the target, the token and the body of a request that is right, or nearly."""
    game = chance.choice(list(MOVES))
    moves, agent = chance.choice(MOVES[game]), chance.choice(AGENTS)
    if game == "othello":  # of which nothing is compiled here
        return "GET", f"/api/position?game=othello&moves={moves}", "", None
    asked = {"game": game, "moves": moves, "agent": agent, "simulations": 4}
    name, word = chance.choice(("Ann", "Zoë", "bob-2")), "correct horse"
    posts: tuple[tuple[str, str, str, Any], ...] = (
        ("POST", "/api/best-move", "", asked),
        ("POST", "/api/best-move", "", {"game": game, "moves": moves, "seconds": 0.01}),
        ("POST", "/api/analyse", "", asked),
        ("POST", "/api/inside", "", asked | {"c_puct": 1.5}),
        ("POST", "/api/mistakes", "", {"game": "tictactoe", "moves": "a1b2"}),
        ("POST", "/api/truths", "", {"game": "tictactoe", "moves": "a1b2"}),
        (
            "POST",
            "/api/play/record",
            TOKEN,
            {
                "id": chance.choice("abc") * 22,
                "game": game,
                "side": "first",
                "opponent": agent,
                "moves": moves,
                "resigned": True,
            },
        ),
        (
            "POST",
            "/api/play",
            TOKEN,
            {"game": game, "side": "second", "opponent": agent, "rated": False, "simulations": 2},
        ),
        ("POST", "/api/play", TOKEN, {"game": game, "opponent": "random", "start": moves, "give_up": True}),
        (
            "POST",
            f"/api/play/{GAME}/move",
            TOKEN,
            {"action": chance.randrange(7), "ply": chance.choice((None, 0, 2))},
        ),
        ("POST", f"/api/play/{GAME}/undo", TOKEN, None),
        ("POST", f"/api/play/{GAME}/resign", TOKEN, None),
        ("POST", "/api/accounts", "", None),
        ("POST", "/api/login", "", {"name": name, "password": word}),
        ("POST", "/api/logout", FRESH, None),
        ("PATCH", "/api/me", FRESH, {"name": name, "password": word, "old_password": word}),
        ("POST", "/api/me/delete", FRESH, {"password": word}),
        ("PUT", f"/api/me/data/notes/{chance.choice('abc')}", TOKEN, chance.choice(DATA)),
        ("DELETE", "/api/me/data/notes/a", TOKEN, None),
    )
    if chance.random() < 0.7:
        return chance.choice(posts)
    return "GET", chance.choice(PATHS), chance.choice(("", TOKEN)), None


def _damaged_target(chance: Random, target: str) -> str:
    """Another path or query, in ASCII as any that arrives."""
    kept = quote(
        damaged_text(chance, target, (*ODD_TEXTS, "/api/", "limit", "moves=")),
        safe="/?&={}%.:@",
        errors="replace",
    )
    return kept if kept.startswith("/") else f"/{kept}"
