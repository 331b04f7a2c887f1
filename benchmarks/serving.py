"""Many people play at once against one server: errors, lost games, answer times, throughput.

Either nobody thinks, and there are as many moves at once as games; or people are as they are and think 2 to 8 seconds
between moves, however long the server took. Then what batching is worth, by the same server evaluating positions one
by one; or, with --workers, what several processes are worth. These need PostgreSQL, of which a cluster is made for the
time being unless --database says where one is.

    python benchmarks/serving.py                      # 200 games at once for 2 minutes, then the comparison
    python benchmarks/serving.py --seconds 20 --compare 0
    python benchmarks/serving.py --people 300         # 300 people who think
    python benchmarks/serving.py --people             # as many of them as are answered within 300 ms, 95 in 100 times
    python benchmarks/serving.py --json               # the last line is an object
    python benchmarks/serving.py --workers 2          # at a server of two processes, then beside one of one
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np

AGENT = "agents/connect4-small"
THINKING = (2.0, 8.0)  # seconds of a person between two moves
SOON = 0.3  #            seconds, within which 95 in 100 answers are there for people who do not notice that they wait
FIRST_PEOPLE, MOST_PEOPLE = 50, 1000  # tried first; that one address may have connected
CLOSE_ENOUGH = 0.05  #   share of the number of people up to which it is found
STEP_SECONDS = 20.0  #   of each try
Json = dict[str, Any]


@dataclass(frozen=True)
class Load:
    """How many play, and how."""

    games: int
    seconds: float
    simulations: int
    thinking: bool = False
    to_the_end: bool = False  # a game that has begun is finished in any case


@dataclass
class Tally:
    """What happened while the clients played."""

    load: Load
    times: list[float] = field(default_factory=list)  # seconds from a person's move to the agent's answer
    errors: list[str] = field(default_factory=list)
    games: dict[str, Json] = field(default_factory=dict)  # as they were last seen, by id
    seconds: float = 0.0  # that it took
    missing: list[str] = field(default_factory=list)  # games that the server remembers otherwise

    @property
    def finished(self) -> int:
        return sum(game["status"] == "finished" for game in self.games.values())

    def figures(self) -> Json:
        """What there is to say, in numbers."""
        times = self.times or [math.inf]  # nobody was answered
        return {
            "people" if self.load.thinking else "games": self.load.games,
            "mean_s": float(np.mean(times)),
            "p50_s": percentile(times, 0.5),
            "p95_s": percentile(times, 0.95),
            "longest_s": max(times),
            "answers": len(self.times),
            "answers_per_s": len(self.times) / self.seconds if self.seconds else 0.0,
            "finished": self.finished,
            "errors": len(self.errors),
            "lost": len(self.missing),
        }

    def __str__(self) -> str:
        found = self.figures()
        who = "people who think 2 to 8 s" if self.load.thinking else "games at once"
        return (
            f"{self.load.games} {who}: {found['answers']:,} answers in {self.seconds:.0f} s, "
            f"{found['answers_per_s']:.0f} a second; mean {1000 * found['mean_s']:.0f} ms, "
            f"p50 {1000 * found['p50_s']:.0f} ms, p95 {1000 * found['p95_s']:.0f} ms, "
            f"longest {1000 * found['longest_s']:.0f} ms; {self.finished} of {len(self.games)} games finished, "
            f"{found['lost']} lost, {found['errors']} errors"
        )


def percentile(times: list[float], share: float) -> float:
    """The time within which this share of the answers was there."""
    ordered = sorted(times)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


@dataclass(frozen=True)
class Server:
    port: int
    process: int

    def cpu_seconds(self) -> float:
        """That it has used so far, its workers included: on a machine with other work, a fairer measure than the clock.
        0 where unknown."""
        return sum(_cpu_seconds(process) for process in family(self.process))


def family(process: int) -> list[int]:
    """A process and those that it has started, and they."""
    found = [process]
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            found += family(int(child))
    return found


def _cpu_seconds(process: int) -> float:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


class Connection:
    """One kept-alive HTTP connection: as light as a client can be, to leave the cores to the server."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.port, self.address = port, address  # the server's, and where we are
        self.token = ""

    async def open(self) -> None:
        """Connect, for the first time or anew; whoever has no account gets one."""
        here = (self.address, 0)
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=here)
        if not self.token:
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

    def close(self) -> None:
        if self.token:
            self.writer.close()


class Person:
    """Who plays anything, game after game."""

    def __init__(self, connection: Connection, tally: Tally, seed: int) -> None:
        self.connection, self.tally, self.load = connection, tally, tally.load
        self.chance = random.Random(seed)

    async def play(self, begin: float) -> None:
        """Play from this moment on, until time is up."""
        end = begin + self.load.seconds
        self.due = begin
        if self.load.thinking:  # not all at the same moment, and measured when all are there
            self.due -= self.chance.uniform(0, THINKING[1])
            await asyncio.sleep(self.due - time.perf_counter())
        try:
            while time.perf_counter() < end:
                wish = {"game": "connect4", "side": "random", "opponent": AGENT, "rated": False}
                game = await self.ask("", {**wish, "simulations": self.load.simulations})
                while game["status"] == "playing":
                    self.due = self.next_move()
                    if self.due > end and not self.load.to_the_end:
                        return
                    await asyncio.sleep(self.due - time.perf_counter())
                    action = self.chance.choice(game["position"]["legal"])["action"]
                    game = await self.ask(f"/{game['id']}/move", {"action": action})
                    if self.due >= begin:
                        self.tally.times.append(time.perf_counter() - self.due)
        except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
            self.tally.errors.append(str(error))

    def next_move(self) -> float:
        """When the next move is due. Who thinks does not wait longer because the answer took longer, unless it is not
        there yet: a slow server is not asked less."""
        now = time.perf_counter()
        return max(self.due + self.chance.uniform(*THINKING), now) if self.load.thinking else now

    async def ask(self, path: str, body: Json) -> Json:
        game = await self.connection.ask("POST", f"/api/play{path}", body)
        self.tally.games[game["id"]] = game
        return game


async def play(port: int, load: Load) -> Tally:
    """Play with so many clients for so long; what happened."""
    connections = [Connection(port) for _ in range(load.games)]
    tally = Tally(load)
    try:
        for connection in connections:
            await connection.open()
        begin = time.perf_counter() + (THINKING[1] if load.thinking else 0)
        people = [Person(connection, tally, seed) for seed, connection in enumerate(connections)]
        await asyncio.gather(*(person.play(begin) for person in people))
        tally.seconds = time.perf_counter() - begin
        tally.missing = await missing(connections[0], tally)
    except RuntimeError as error:
        tally.errors.append(str(error))
    finally:
        for connection in connections:
            connection.close()
    return tally


async def missing(connection: Connection, tally: Tally) -> list[str]:
    """Games that the server does not remember as they were last seen."""

    def kept(game: Json) -> Json:
        return {what: game[what] for what in ("status", "result", "position")}

    found = [await connection.ask("GET", f"/api/play/{id}") for id in tally.games]
    return [game["id"] for game in found if kept(game) != kept(tally.games[game["id"]])]


async def ready(at: Server) -> None:
    """Wait until the server has compiled its games and loaded the network."""
    connection = Connection(at.port)
    await connection.open()
    while not (await connection.ask("GET", "/healthz"))["warm"]:
        await asyncio.sleep(1)
    connection.close()
    await play(at.port, Load(games=4, seconds=2, simulations=2))


@contextlib.contextmanager
def server(*options: str, log: IO[str] | None = None, database: str | None = None) -> Iterator[Server]:
    """A server process of its own, with an empty database or this one; what it logs goes to a file, if one is given."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "nought", "serve", "--port", "0", "--no-browser", "--rate", "0"]
        command += [
            "--database",
            database or f"sqlite:///{folder}/server.sqlite3",
            "--runs",
            folder,
            *options,
        ]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
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


async def measure(at: Server, load: Load) -> Tally:
    """Play, and say what happened."""
    cpu = at.cpu_seconds()
    tally = await play(at.port, load)
    cpu = at.cpu_seconds() - cpu
    if tally.times:
        print(f"{tally}; the server used {1000 * cpu / len(tally.times):.1f} ms of CPU an answer", flush=True)
    for error in tally.errors[:3]:
        print("  ", error, flush=True)
    return tally


async def raised(at: Server, simulations: int) -> Tally:
    """More and more people, until 95 in 100 answers are no longer there soon; then between, until the number is known
    closely enough."""
    enough, too_many, best = 0, MOST_PEOPLE + 1, None
    people = FIRST_PEOPLE
    while enough < people < too_many:
        tally = await measure(at, Load(people, STEP_SECONDS, simulations, thinking=True))
        if tally.figures()["p95_s"] <= SOON and not tally.errors:
            enough, best = people, tally
        else:
            too_many, best = people, best or tally
        if too_many > MOST_PEOPLE:
            people = min(2 * people, MOST_PEOPLE)
        elif too_many - enough > CLOSE_ENOUGH * too_many:
            people = (enough + too_many) // 2
        else:
            break
    assert best is not None
    print(f"{enough} people who think 2 to 8 s are answered within {1000 * SOON:.0f} ms, 95 in 100 times")
    return best


async def compare(options: argparse.Namespace, at: Server, database: str | None) -> None:
    """The same clients in turns at the server and at one that evaluates one by one or, if it has several processes, at
    one that has not."""
    several = options.workers > 1
    names = (f"{options.workers} workers", "one") if several else ("batched", "one by one")
    with server(*(() if several else ("--batch", "1")), database=database) as other:
        await ready(other)
        rates: dict[Server, list[tuple[float, float]]] = {at: [], other: []}
        for _ in range(options.rounds):
            for one, found in rates.items():
                cpu = one.cpu_seconds()
                tally = await play(one.port, Load(options.games, options.compare, options.simulations))
                answers = len(tally.times)
                found.append((answers / tally.seconds, answers / (one.cpu_seconds() - cpu or 1)))
        first, second = (np.mean(found, axis=0) for found in rates.values())
        print(
            f"{names[0]} {first[0]:.0f} answers a second, {names[1]} {second[0]:.0f}: {first[0] / second[0]:.2f} times as "
            f"many; by seconds of CPU {first[1]:.0f} and {second[1]:.0f}: {first[1] / second[1]:.2f} times"
        )


@contextlib.contextmanager
def postgresql(options: argparse.Namespace) -> Iterator[str | None]:
    """The URL of the database to use; none: an SQLite file."""
    if options.database or options.workers == 1:
        yield options.database
        return
    sys.path.insert(0, str(Path(__file__).parents[1]))  # for the tests' cluster
    from tests.support.postgres import postgres_cluster

    with postgres_cluster() as url:
        yield url


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200, help="at once, of people who do not think")
    parser.add_argument(
        "--people",
        type=int,
        nargs="?",
        const=0,
        help="so many people who think; without a number: as many as are answered soon",
    )
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument(
        "--compare", type=float, default=15, help="seconds of each turn of the comparison; 0: none"
    )
    parser.add_argument("--rounds", type=int, default=2, help="turns of the comparison")
    parser.add_argument("--workers", type=int, default=1, help="processes of the server")
    parser.add_argument("--database", help="URL of a PostgreSQL database to use")
    parser.add_argument("--json", action="store_true", help="the figures as an object in the last line")
    options = parser.parse_args()
    with postgresql(options) as url, server("--workers", str(options.workers), database=url) as at:
        await ready(at)
        if options.people is None:
            load = Load(options.games, options.seconds, options.simulations, to_the_end=True)
            tally = await measure(at, load)
            if options.compare:
                await compare(options, at, url)
        elif options.people:
            tally = await measure(
                at, Load(options.people, options.seconds, options.simulations, thinking=True)
            )
        else:
            tally = await raised(at, options.simulations)
    if options.json:
        found = {what: None if figure == math.inf else figure for what, figure in tally.figures().items()}
        print(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(main())
