"""kill -9 in the middle of fifty games: what was answered is there afterwards, and ratings agree with the games."""

import asyncio
import os
import random
import signal
import sys
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx

from tests.server.support.people import Person, site
from tests.server.test_rated_games import check_ratings
from tests.support.programs import LIMIT, answers, free_port, started

GAMES = 50  #       at once
FINISHED = 40  #    are answered before the server is killed


@asynccontextmanager
async def server(url: str, folder: Path):
    """A server in a process of its own, and a client of it."""
    port = free_port()
    command = [sys.executable, str(Path(__file__).parent / "support" / "rated_server.py"), url, str(port)]
    address, limits = f"http://127.0.0.1:{port}", httpx.Limits(max_connections=GAMES)
    with started(command, cwd=folder, env={**os.environ, "OMP_NUM_THREADS": "1"}) as program:
        program.until(lambda: answers(f"{address}/healthz"))
        async with httpx.AsyncClient(base_url=address, limits=limits, timeout=60) as http:
            yield program, http


async def play_until_it_is_dead(http, person: Person, seed: int, finished: list, enough: asyncio.Event):
    chance = random.Random(seed)
    with suppress(httpx.TransportError):
        while True:
            game = await person.begin(game="tictactoe", rated=True, side="random")
            while game["status"] == "playing":
                game = await person.move(game, chance.choice(game["position"]["legal"])["action"])
            finished.append((person, game))
            if len(finished) >= FINISHED:
                enough.set()


def test_kill(url, tmp_path):
    async def test():
        finished, enough = [], asyncio.Event()
        async with server(url, tmp_path) as (program, http):
            people = []
            for _ in range(GAMES):
                entered = (await http.post("/api/accounts")).json()
                account = entered["account"]
                people.append(Person(http, entered["token"], account["name"], account["id"]))
            clients = [
                asyncio.create_task(play_until_it_is_dead(http, person, n, finished, enough))
                for n, person in enumerate(people)
            ]
            waiting = asyncio.create_task(enough.wait())
            await asyncio.wait([waiting, *clients], timeout=LIMIT, return_when=asyncio.FIRST_COMPLETED)
            failed = [client.exception() for client in clients if client.done()]
            assert enough.is_set(), (failed, program.errors)
            program.process.send_signal(signal.SIGKILL)
            await asyncio.wait_for(asyncio.gather(*clients), LIMIT)
        assert len(finished) >= FINISHED

        async with site(url) as again:
            last = {}
            for person, game in finished:
                person.http = again.http
                assert await person("GET", f"/play/{game['id']}") == game
                last[person] = game
            for person, game in last.items():
                (rating,) = (await person("GET", "/me"))["ratings"]
                known = {point["game_id"]: point["rating"] for point in rating["history"]}
                assert known[game["id"]] == game["rating_change"]["after"]
            listed = await again.get("/play", params={"limit": 100})
            under_way = [game for game in listed if game["status"] == "playing"]
            assert under_way  # and goes on
            (person,) = [
                p for p in people if p.name in [player["name"] for player in under_way[0]["players"]]
            ]
            person.http = again.http
            game = await person.play_out(await person("GET", f"/play/{under_way[0]['id']}"))
            assert game["rating_change"] is not None
            assert await check_ratings(again) >= len(finished) + 1

    asyncio.run(test())
