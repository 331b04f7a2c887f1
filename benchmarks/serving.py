"""Many people play at once against one server: errors, lost games, answer times, throughput; and what batching is
worth, by the same server evaluating positions one by one.

    python benchmarks/serving.py                      # 200 games at once for 2 minutes, then the comparison
    python benchmarks/serving.py --seconds 20 --compare 0
    python benchmarks/serving.py --browsers 2000      # people whose browsers think: the server keeps their games
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nought.games import load as load_game
from nought.games.notation import format_moves

AGENT = "agents/connect4-small"
CONNECTIONS = 50  # of browsers that think for themselves, all together
Json = dict[str, Any]


@dataclass
class Tally:
    """What happened while the clients played."""

    times: list[float] = field(default_factory=list)  # seconds from a person's move to the agent's answer
    errors: list[str] = field(default_factory=list)
    finished: dict[str, int] = field(default_factory=dict)  # results by the games' ids
    begun: int = 0

    def percentile(self, share: float) -> float:
        ordered = sorted(self.times)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


@dataclass(frozen=True)
class Server:
    port: int
    process: int

    def cpu_seconds(self) -> float:
        """That it has used so far: on a machine with other work, a fairer measure than the clock. 0 where unknown."""
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return 0.0


class Connection:
    """One kept-alive HTTP connection: as light as a client can be, to leave the cores to the server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.token = ""

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.token = (await self.ask("POST", "/api/accounts", {}))["token"]

    async def ask(self, method: str, path: str, body: Json | None = None) -> Json:
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n"
        )
        head += f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        self.writer.write(head.encode() + b"\r\n" + content)
        headers = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        status = int(headers.split(" ", 2)[1])
        length = re.search(r"content-length: (\d+)", headers)
        answer = await self.reader.readexactly(int(length[1]) if length else 0)
        if status != 200:
            raise RuntimeError(f"{method} {path}: {status} {answer[:200].decode()}")
        found: Json = json.loads(answer)
        return found


async def play(
    connection: Connection,
    tally: Tally,
    simulations: int,
    end: float,
    chance: random.Random,
    *,
    to_the_end: bool,
) -> None:
    """A person who plays anything, game after game; `to_the_end`: a game that has begun is finished in any case."""
    try:
        while time.monotonic() < end:
            wish = {"game": "connect4", "side": "random", "opponent": AGENT, "rated": False}
            game = await connection.ask("POST", "/api/play", {**wish, "simulations": simulations})
            tally.begun += 1
            while game["status"] == "playing" and (to_the_end or time.monotonic() < end):
                action = chance.choice(game["position"]["legal"])["action"]
                begin = time.perf_counter()
                game = await connection.ask("POST", f"/api/play/{game['id']}/move", {"action": action})
                tally.times.append(time.perf_counter() - begin)
            if game["status"] == "finished":
                tally.finished[game["id"]] = game["result"]
    except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
        tally.errors.append(str(error))


async def load(
    port: int, games: int, seconds: float, simulations: int, *, to_the_end: bool = False
) -> tuple[Tally, float]:
    """Play with so many clients for so long; what happened, and how long it took."""
    connections = [Connection(port) for _ in range(games)]
    await asyncio.gather(*(connection.open() for connection in connections))
    tally, begin = Tally(), time.monotonic()
    players = [
        play(connection, tally, simulations, begin + seconds, random.Random(seed), to_the_end=to_the_end)
        for seed, connection in enumerate(connections)
    ]
    await asyncio.gather(*players)
    return tally, time.monotonic() - begin


@dataclass(frozen=True)
class PlayedHere:
    """A game as it was played in a browser."""

    moves: str
    answers: int  # moves of the agent


def games_played_here(count: int) -> list[PlayedHere]:
    """Games of Connect 4 in which both sides play anything: the server sees only what was played."""
    game, chance, found = load_game("connect4"), random.Random(1), []
    for _ in range(count):
        position = game.start()
        while not position.finished:
            position = position.play(chance.choice(position.legal))
        found.append(PlayedHere(format_moves(game, position.moves), len(position.moves) // 2))
    return found


async def play_here(
    pool: asyncio.Queue[Connection], tally: Tally, games: list[PlayedHere], pace: float, end: float, seed: int
) -> None:
    """A person who moves every `pace` seconds, as first player, in games that the server hears of when they are over."""
    chance = random.Random(seed)
    await asyncio.sleep(chance.random() * pace * games[0].answers)
    while time.monotonic() < end:
        game = chance.choice(games)
        await asyncio.sleep(pace * game.answers)
        record = {"id": secrets.token_urlsafe(16), "game": "connect4", "side": "first", "opponent": AGENT}
        begin = time.perf_counter()
        connection = await pool.get()  # a browser that thinks holds none
        try:
            kept = await connection.ask("POST", "/api/play/record", {**record, "moves": game.moves})
            tally.times.append(time.perf_counter() - begin)
            tally.begun += game.answers
            tally.finished[kept["id"]] = kept["result"]
        except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
            tally.errors.append(str(error))
        finally:
            pool.put_nowait(connection)


async def measure_browsers(at: Server, options: argparse.Namespace) -> None:
    pool: asyncio.Queue[Connection] = asyncio.Queue()
    for _ in range(CONNECTIONS):
        connection = Connection(at.port)
        await connection.open()
        pool.put_nowait(connection)
    games, tally, cpu, begin = games_played_here(500), Tally(), at.cpu_seconds(), time.monotonic()
    end = begin + options.seconds
    people = (play_here(pool, tally, games, options.pace, end, seed) for seed in range(options.browsers))
    await asyncio.gather(*people)
    took, cpu = time.monotonic() - begin, at.cpu_seconds() - cpu
    missing = await lost(at.port, tally)
    print(
        f"{options.browsers} browsers that think, a move every {options.pace:g} s: {len(tally.times):,} games in {took:.0f} s, "
        f"{60 * tally.begun / took:,.0f} answers a minute; a game is kept after p50 {1000 * tally.percentile(0.5):.0f} ms, "
        f"p95 {1000 * tally.percentile(0.95):.0f} ms; {len(missing)} lost, {len(tally.errors)} errors; "
        f"the server used {1000 * cpu / len(tally.times):.1f} ms of CPU a game"
    )


async def ready(at: Server) -> None:
    """Wait until the server has compiled its games and loaded the network."""
    while True:
        connection = Connection(at.port)
        await connection.open()
        if (await connection.ask("GET", "/healthz"))["warm"]:
            break
        await asyncio.sleep(1)
    await load(at.port, 4, 2, 2)


async def lost(port: int, tally: Tally) -> list[str]:
    """Finished games that the server does not remember as they ended."""
    connection = Connection(port)
    await connection.open()
    games = [
        (id, result, await connection.ask("GET", f"/api/play/{id}")) for id, result in tally.finished.items()
    ]
    return [id for id, result, game in games if (game["status"], game["result"]) != ("finished", result)]


@contextlib.contextmanager
def server(*options: str) -> Iterator[Server]:
    """A server process of its own, with an empty database."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "nought", "serve", "--port", "0", "--no-browser", "--rate", "0"]
        command += ["--database", f"sqlite:///{folder}/server.sqlite3", "--runs", folder, *options]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            found = re.search(r"http://127.0.0.1:(\d+)", line)
            if found is None:
                raise RuntimeError(f"the server did not start: {line}")
            yield Server(int(found[1]), process.pid)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


async def measure(at: Server, options: argparse.Namespace) -> None:
    cpu = at.cpu_seconds()
    tally, took = await load(at.port, options.games, options.seconds, options.simulations, to_the_end=True)
    cpu = at.cpu_seconds() - cpu
    missing = await lost(at.port, tally)
    print(
        f"{options.games} games at once: {len(tally.times):,} answers in {took:.0f} s, {len(tally.times) / took:.0f} a second; "
        f"p50 {1000 * tally.percentile(0.5):.0f} ms, p95 {1000 * tally.percentile(0.95):.0f} ms, "
        f"longest {1000 * max(tally.times):.0f} ms; {len(tally.finished)} of {tally.begun} games finished, "
        f"{len(missing)} lost, {len(tally.errors)} errors; the server used {1000 * cpu / len(tally.times):.1f} ms of CPU an answer"
    )
    for error in tally.errors[:3]:
        print("  ", error)


async def compare(options: argparse.Namespace, batched: Server) -> None:
    """The same clients in turns at the server and at one that evaluates one by one."""
    with server("--batch", "1") as one_by_one:
        await ready(one_by_one)
        rates: dict[Server, list[tuple[float, float]]] = {batched: [], one_by_one: []}
        for _ in range(options.rounds):
            for at, found in rates.items():
                cpu = at.cpu_seconds()
                tally, took = await load(at.port, options.games, options.compare, options.simulations)
                found.append((len(tally.times) / took, len(tally.times) / (at.cpu_seconds() - cpu or 1)))
        many, single = (np.mean(found, axis=0) for found in rates.values())
        print(
            f"batched {many[0]:.0f} answers a second, one by one {single[0]:.0f}: {many[0] / single[0]:.1f} times as "
            f"many; by seconds of CPU {many[1]:.0f} and {single[1]:.0f}: {many[1] / single[1]:.1f} times"
        )


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200, help="at once")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument(
        "--compare", type=float, default=15, help="seconds of each turn of the comparison; 0: none"
    )
    parser.add_argument("--rounds", type=int, default=2, help="turns of the comparison")
    parser.add_argument("--browsers", type=int, default=0, help="instead: people whose browsers think")
    parser.add_argument("--pace", type=float, default=2.0, help="seconds that they take for a move")
    options = parser.parse_args()
    with server() as at:
        if options.browsers:  # no agent thinks here, so that there is nothing to wait for
            return await measure_browsers(at, options)
        await ready(at)
        await measure(at, options)
        if options.compare:
            await compare(options, at)


if __name__ == "__main__":
    asyncio.run(main())
