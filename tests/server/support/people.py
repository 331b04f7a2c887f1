"""A server of accounts and games whose agents play at random, on SQLite and, where it is installed, PostgreSQL."""

from __future__ import annotations

import asyncio
import random
from contextlib import asynccontextmanager
from types import SimpleNamespace

import httpx
import pytest
from argon2 import PasswordHasher
from fastapi import FastAPI
from sqlalchemy import create_engine, select, text

from nought.games import load
from nought.server.dependencies import People
from nought.server.http.errors import NotFound, add_handlers
from nought.server.http.rate_limit import Buckets
from nought.server.people.ratings import finish
from nought.server.people.store import Database, GameRow
from nought.server.routes import accounts, data, play
from nought.server.settings import ServerLimits
from nought.server.thinking.jobs import ChosenMove
from nought.wire.games import OfferedAgent
from tests.support.postgres import postgres_binary, postgres_cluster
from tests.support.skips import POSTGRESQL

NO_LIMITS = ServerLimits(rate=0)
FAST = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
GAMES = {name: load(name) for name in ("connect4", "tictactoe", "dots-and-boxes:2x2", "othello")}


class RandomAgents:
    """Agents of Connect 4 and tic-tac-toe with ratings, and one of each other game without."""

    def __init__(self, seed: int = 0) -> None:
        self.chance = random.Random(seed)
        self.asked: list[tuple[str, int | None, str]] = []
        self.gate: asyncio.Event | None = None  # agents think until it opens

    def game(self, name):
        if name not in GAMES:
            raise NotFound(f"there is no game {name!r} here")
        return GAMES[name]

    def agents(self, game):
        if game.name not in ("connect4", "tictactoe"):
            return [OfferedAgent(name="agents/new", title="New", game=game.name, simulations=10)]
        return [
            OfferedAgent(
                name=f"agents/level-{level}",
                title=f"Level {level}",
                game=game.name,
                simulations=10,
                rating=100 + 200 * level,
                interval=(50 + 200 * level, 150 + 200 * level),
            )
            for level in range(5)
        ]

    def agent(self, game, name, simulations=None):
        if name == "search:run@3":
            return OfferedAgent(name=name, title=name, game=game.name, simulations=10)
        for agent in self.agents(game):
            if agent.name == name:
                return agent
        raise NotFound(f"there is no agent {name!r}")

    async def choose(self, position, agent, simulations=None, *, client, account=None, varied=False):
        self.asked.append((agent, simulations, client))
        if self.gate is not None:
            await self.gate.wait()
        await asyncio.sleep(0)
        return ChosenMove(self.chance.choice(position.legal), 0.25)


def make_people(url: str, agents, limits: ServerLimits = NO_LIMITS) -> People:
    database = Database(url)
    database.migrate()
    return People.of(database, agents, Buckets(limits), FAST)


def make_app(people: People) -> FastAPI:
    app = FastAPI()
    app.state.people = people
    app.state.services = SimpleNamespace(buckets=people.accounts.buckets)
    for routes in (accounts, play, data):
        app.include_router(routes.router)
    add_handlers(app)
    return app


class Person:
    """A client with a token."""

    def __init__(self, http: httpx.AsyncClient, token: str, name: str, id: int) -> None:
        self.http, self.token, self.name, self.id = http, token, name, id

    async def __call__(self, method: str, path: str, expect: int = 200, **options):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        answer = await self.http.request(method, f"/api{path}", headers=headers, **options)
        assert answer.status_code == expect, answer.text
        if expect >= 400:
            assert list(answer.json()) == ["error"] and "\n" not in answer.json()["error"]
            return answer.json()["error"]
        return answer.json()

    async def begin(self, expect: int = 200, **wish):
        return await self("POST", "/play", expect, json={"game": "connect4", "side": "first", **wish})

    async def move(self, game, action: int | None = None, expect: int = 200):
        if action is None:
            action = game["position"]["legal"][0]["action"]
        return await self("POST", f"/play/{game['id']}/move", expect, json={"action": action})

    async def play_out(self, game, seed: int = 0):
        chance = random.Random(seed)
        while game["status"] == "playing":
            game = await self.move(game, chance.choice(game["position"]["legal"])["action"])
        return game


def win(session, id: str, result: int = 1) -> None:
    finish(session, session.scalar(select(GameRow).where(GameRow.id == id)), "played", result)


class Site:
    """A server in this process, and people on it."""

    def __init__(self, people: People, agents: RandomAgents, http: httpx.AsyncClient) -> None:
        self.people, self.agents, self.http = people, agents, http

    async def guest(self) -> Person:
        entered = (await self.http.post("/api/accounts")).json()
        return Person(self.http, entered["token"], entered["account"]["name"], entered["account"]["id"])

    async def won(self, person: Person, name: str = "connect4"):
        """A rated game that the person has won."""
        game = await person.begin(game=name, rated=True, side="first")
        await self.people.database.write(lambda session: win(session, game["id"]))
        return await person("GET", f"/play/{game['id']}")

    async def get(self, path: str, expect: int = 200, **options):
        answer = await self.http.get(f"/api{path}", **options)
        assert answer.status_code == expect, answer.text
        return answer.json()


@asynccontextmanager
async def site(url: str, agents: RandomAgents | None = None, limits: ServerLimits = NO_LIMITS):
    agents = agents or RandomAgents()
    people = make_people(url, agents, limits)
    try:
        transport = httpx.ASGITransport(make_app(people))
        async with httpx.AsyncClient(transport=transport, base_url="http://nought") as http:
            yield Site(people, agents, http)
    finally:
        people.database.close()


def run(url: str, test, agents: RandomAgents | None = None, limits: ServerLimits = NO_LIMITS) -> None:
    """Run an asynchronous test on a fresh site."""

    async def whole() -> None:
        async with site(url, agents, limits) as there:
            await test(there)

    asyncio.run(whole())


# ---- PostgreSQL ---------------------------------------------------------------------------------------------
@pytest.fixture(scope="session")
def postgres():
    """The URL of a database in a temporary cluster."""
    if not postgres_binary("initdb") or not postgres_binary("postgres"):
        pytest.skip(POSTGRESQL)
    pytest.importorskip("psycopg", reason="the PostgreSQL driver is not installed")
    with postgres_cluster() as url:
        yield url


def emptied(url: str) -> str:
    """The database without any tables: faster than a new one for every test."""
    engine = create_engine(url.replace("://", "+psycopg://"))
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def url(request, tmp_path) -> str:
    if request.param == "postgres":
        return emptied(request.getfixturevalue("postgres"))
    return f"sqlite:///{tmp_path}/nought.db"
