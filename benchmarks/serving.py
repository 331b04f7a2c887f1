"""Many people play at once against one server: errors, lost games, answer times, throughput; and what batching is
worth, by the same server evaluating positions one by one.

    python benchmarks/serving.py                      # 200 games at once for 2 minutes, then the comparison
    python benchmarks/serving.py --seconds 20 --compare 0
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
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
from typing import Any

AGENT = "agents/connect4"
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
    connection: Connection, tally: Tally, simulations: int, end: float, chance: random.Random
) -> None:
    """A person who plays anything, game after game; a game that has begun is played to its end."""
    try:
        await connection.open()
        while time.monotonic() < end:
            wish = {"game": "connect4", "side": "random", "opponent": AGENT, "rated": False}
            game = await connection.ask("POST", "/api/play", {**wish, "simulations": simulations})
            tally.begun += 1
            while game["status"] == "playing":
                action = chance.choice(game["position"]["legal"])["action"]
                begin = time.perf_counter()
                game = await connection.ask("POST", f"/api/play/{game['id']}/move", {"action": action})
                tally.times.append(time.perf_counter() - begin)
            tally.finished[game["id"]] = game["result"]
    except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
        tally.errors.append(str(error))


async def load(port: int, games: int, seconds: float, simulations: int) -> tuple[Tally, float]:
    """Play with so many clients for so long; what happened, and how long it took."""
    tally = Tally()
    begin = time.monotonic()
    players = [
        play(Connection(port), tally, simulations, begin + seconds, random.Random(seed))
        for seed in range(games)
    ]
    await asyncio.gather(*players)
    return tally, time.monotonic() - begin


async def lost(port: int, tally: Tally) -> list[str]:
    """Finished games that the server does not remember as they ended."""
    connection = Connection(port)
    await connection.open()
    games = [
        (id, result, await connection.ask("GET", f"/api/play/{id}")) for id, result in tally.finished.items()
    ]
    return [id for id, result, game in games if (game["status"], game["result"]) != ("finished", result)]


@contextlib.contextmanager
def server(*options: str) -> Iterator[int]:
    """A server process of its own, with an empty database; its port."""
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
            yield int(found[1])
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


async def measure(port: int, options: argparse.Namespace, seconds: float, label: str) -> Tally:
    tally, took = await load(port, options.games, seconds, options.simulations)
    missing = await lost(port, tally)
    print(
        f"{label}: {len(tally.times):,} answers in {took:.0f} s, {len(tally.times) / took:.0f} a second; "
        f"p50 {1000 * tally.percentile(0.5):.0f} ms, p95 {1000 * tally.percentile(0.95):.0f} ms, "
        f"longest {1000 * max(tally.times):.0f} ms; {len(tally.finished)} of {tally.begun} games finished, "
        f"{len(missing)} lost, {len(tally.errors)} errors"
    )
    for error in tally.errors[:3]:
        print("  ", error)
    return tally


async def compare(options: argparse.Namespace, port: int) -> None:
    """The same clients in turns at the server and at one that evaluates one by one."""
    with server("--batch", "1") as one_by_one:
        await load(one_by_one, 4, 2, options.simulations)  # its network is loaded now
        rates: dict[str, list[float]] = {"batched": [], "one by one": []}
        for _ in range(options.rounds):
            for label, at in (("batched", port), ("one by one", one_by_one)):
                tally, took = await load(at, options.games, options.compare, options.simulations)
                rates[label].append(len(tally.times) / took)
        batched, single = (sum(found) / len(found) for found in rates.values())
        print(
            f"batched {batched:.0f} answers a second, one by one {single:.0f}: {batched / single:.1f} times as many"
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
    options = parser.parse_args()
    with server() as port:
        await load(port, 4, 2, options.simulations)  # the network is loaded now
        await measure(port, options, options.seconds, f"{options.games} games at once")
        if options.compare:
            await compare(options, port)


if __name__ == "__main__":
    asyncio.run(main())
