"""How many people can one server have whose browsers think for themselves? It gives them the page and keeps their games.

    python benchmarks/serving_browsers.py                          2,000 people for a minute, a move every two seconds
    python benchmarks/serving_browsers.py --people 5000 --pace 5

Nobody thinks on the server, so that a second machine could hardly find its limit: what it prints is what these people noticed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import secrets
import time
from dataclasses import dataclass, field

from serving import AGENT, Connection, Server, server

from nought.games import load
from nought.games.notation import format_moves

CONNECTIONS = 50  # of all people together: a browser that thinks holds none
DIFFERENT_GAMES = 500


@dataclass(frozen=True)
class PlayedHere:
    """A game as it was played in a browser."""

    moves: str
    answers: int  # moves of the agent


@dataclass
class Kept:
    """What the server has kept, and how soon."""

    times: list[float] = field(default_factory=list)
    results: dict[str, float] = field(default_factory=dict)  # by the games' ids
    answers: int = 0
    errors: list[str] = field(default_factory=list)

    def percentile(self, share: float) -> float:
        """Milliseconds within which this share of games was kept."""
        ordered = sorted(self.times)
        return 1000 * ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def games_played_here() -> list[PlayedHere]:
    """Games of Connect 4 in which both sides play anything: the server sees only what was played."""
    game, chance, found = load("connect4"), random.Random(1), []
    for _ in range(DIFFERENT_GAMES):
        position = game.start()
        while not position.finished:
            position = position.play(chance.choice(position.legal))
        found.append(PlayedHere(format_moves(game, position.moves), len(position.moves) // 2))
    return found


async def play_here(
    pool: asyncio.Queue[Connection], kept: Kept, games: list[PlayedHere], pace: float, end: float, seed: int
) -> None:
    """A person who moves every `pace` seconds, as first player, in games that the server hears of when they are over."""
    chance = random.Random(seed)
    await asyncio.sleep(chance.random() * pace * games[0].answers)
    while time.monotonic() < end:
        game = chance.choice(games)
        await asyncio.sleep(pace * game.answers)
        record = {"id": secrets.token_urlsafe(16), "game": "connect4", "side": "first", "opponent": AGENT}
        begin = time.perf_counter()
        connection = await pool.get()
        try:
            answer = await connection.ask("POST", "/api/play/record", {**record, "moves": game.moves})
            kept.times.append(time.perf_counter() - begin)
            kept.answers += game.answers
            kept.results[answer["id"]] = answer["result"]
        except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
            kept.errors.append(str(error))
        finally:
            pool.put_nowait(connection)


async def measure(at: Server, people: int, seconds: float, pace: float) -> None:
    """Let so many people play for so long, and say how they were served."""
    pool: asyncio.Queue[Connection] = asyncio.Queue()
    for _ in range(CONNECTIONS):
        connection = Connection(at.port)
        await connection.open()
        pool.put_nowait(connection)
    games, kept, cpu, begin = games_played_here(), Kept(), at.cpu_seconds(), time.monotonic()
    await asyncio.gather(
        *(play_here(pool, kept, games, pace, begin + seconds, seed) for seed in range(people))
    )
    took, cpu = time.monotonic() - begin, at.cpu_seconds() - cpu
    found = {id: await connection.ask("GET", f"/api/play/{id}") for id in kept.results}
    lost = [id for id, game in found.items() if game["result"] != kept.results[id]]
    print(
        f"{people} browsers that think, a move every {pace:g} s: {len(kept.times):,} games in {took:.0f} s, "
        f"{60 * kept.answers / took:,.0f} answers a minute; a game is kept after p50 {kept.percentile(0.5):.0f} ms, "
        f"p95 {kept.percentile(0.95):.0f} ms; {len(lost)} lost, {len(kept.errors)} errors; "
        f"the server used {1000 * cpu / len(kept.times):.1f} ms of CPU a game"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds that they take for a move")
    options = parser.parse_args()
    with server() as at:
        asyncio.run(measure(at, options.people, options.seconds, options.pace))


if __name__ == "__main__":
    main()
