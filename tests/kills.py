"""kill -9 at random moments, many times: what a run has accepted and what a server has answered is there afterwards.

    python -m tests.kills --training 100
    python -m tests.kills --serving 50 --database sqlite
    python -m tests.kills --serving 50 --database postgresql
    python -m tests.kills --workers 50

Training: runs are killed and resumed until they are done; their weights are those of a run that nobody disturbed, to the
last bit. Serving: people play rated games and keep data on one database; after every kill the server is started again, and
every move, result, rating and value that was answered must be there. Workers: the same of a server of two processes, of
which one is killed each time while the other goes on. A few of each are among the tests.
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from nought.learning.run import Run
from tests.learning.test_loop import VARIED, new_run, same, train, training, weights
from tests.server.support.people import Person, site
from tests.server.test_kill import server
from tests.server.test_rated_games import check_ratings
from tests.server.test_workers import real_workers, worker_pids
from tests.support.postgres import postgres_cluster

ITERATIONS = 12  #     of a run
LONGEST_START = 5.0  # seconds after which a run is killed that starts
PEOPLE = 20  #         who play at once
AT_THE_START = 0.25  # share of the kills of a run while it starts; the others come soon after it has finished an iteration
MOST_MOVES = 200  #    that a server answers before its end
SAY_EVERY = 10  #      kills


class Lost(Exception):
    """Something that was accepted is not there."""


def check(true: object, what: str) -> None:
    if not true:
        raise Lost(what)


# ---- training -------------------------------------------------------------------------------------------------
def kill_training(kills: int, seed: int, folder: Path) -> str:
    """Kill runs until there were so many kills; what there is to say of it."""
    chance, done, runs = random.Random(seed), 0, 0
    parameters = VARIED | {"run.iterations": ITERATIONS, "selfplay.positions": 300, "learning.window": 900}
    whole = new_run(folder / "runs", "whole", **parameters)
    check(train(folder, "--resume", "whole").returncode == 0, "the undisturbed run has failed")
    first, *_, last = whole.reports()
    seconds = 60 * (last.minutes - first.minutes) / (ITERATIONS - 1)
    while done < kills:
        runs += 1
        killed = new_run(folder / "runs", f"killed-{runs}", **parameters)
        done += kill_one_run(killed, folder, kills - done, seconds, chance)
        check(same(weights(whole), weights(killed)), f"run {runs} has other weights")
        check(len(killed.reports()) == ITERATIONS, f"run {runs} has other reports")
        check(not list(killed.folder.rglob(".tmp-*")), f"run {runs} has half-written files")
        print(f"training: {done} kills, {runs} runs", flush=True)
    return (
        f"training: {done} kills in {runs} runs of {ITERATIONS} iterations: no accepted version lost, and all weights "
        "equal those of the run that nobody disturbed, to the last bit"
    )


def kill_one_run(run: Run, folder: Path, most: int, seconds: float, chance: random.Random) -> int:
    """Kill and resume until the run is done, each time within about an iteration, which takes so long; how often it was
    killed."""
    kills = accepted = 0
    while True:
        before = run.progress().iteration
        with training(folder, "--resume", run.name) as program:
            if kills < most:
                if chance.random() < AT_THE_START:
                    time.sleep(chance.uniform(0, LONGEST_START))
                else:
                    program.until(lambda before=before: over(run, before) or program.code is not None)
                    time.sleep(chance.uniform(0, seconds))
                program.process.send_signal(signal.SIGKILL)
            code, said = program.end(), program.errors
        check(code in (0, -signal.SIGKILL), f"{run.name} ends with {code}: {said}")
        kills += code == -signal.SIGKILL
        now = run.progress()
        check(now.iteration >= before and now.version >= accepted, f"{run.name} has lost an iteration")
        accepted = now.version
        for version in range(accepted + 1) if now.iteration else ():
            run.network(version)  # every accepted version can be read
        if code == 0:
            return kills


def over(run: Run, iteration: int) -> bool:
    return run.progress().iteration > iteration


# ---- serving --------------------------------------------------------------------------------------------------
@dataclass
class Player:
    """Somebody who plays, and knows what was answered."""

    person: Person
    chance: random.Random
    game: dict | None = None  # as last answered
    finished: list[dict] = field(default_factory=list)
    kept: int = 0  # the value that was kept last
    moves: int = 0
    checked: int = 0  # games
    wish: dict = field(default_factory=lambda: {"rated": True, "give_up": True})

    async def play(self) -> None:
        """Play until the server is dead."""
        with suppress(httpx.TransportError):
            while True:
                if self.game is None:
                    self.game = await self.person.begin(game="tictactoe", **self.wish)
                while self.game["status"] == "playing":
                    legal = self.game["position"]["legal"]
                    self.game = await self.person.move(self.game, self.chance.choice(legal)["action"])
                    self.moves += 1
                self.finished.append(self.game)
                self.game = None
                await self.person("PUT", "/me/data/kills/finished", json=len(self.finished))
                self.kept = len(self.finished)

    async def check(self, first: int = 0) -> None:
        """All that was answered is there, from this game on; of the last request, nobody knows."""
        for game in self.finished[first:]:
            found = await self.person("GET", f"/play/{game['id']}")
            check(found == game, f"game {game['id']} was {game} and is {found}")
        if self.game is not None:
            found = await self.person("GET", f"/play/{self.game['id']}")
            known, there = self.game["position"]["moves"], found["position"]["moves"]
            check(there.startswith(known), f"game {found['id']} had the moves {known} and has {there}")
            self.game = found if found["status"] == "playing" else None
        if self.kept:
            value = await self.person("GET", "/me/data/kills/finished")
            check(value in (self.kept, self.kept + 1), f"{self.kept} was kept, and {value} is there")
            self.kept = value  # what was sent last may have arrived, though nobody was told


async def kill_serving(kills: int, seed: int, url: str, folder: Path) -> str:
    """Start, play, kill, and start again on the same database; what there is to say of it."""
    chance = random.Random(seed)
    players: list[Player] = []
    for kill in range(1, kills + 1):
        async with server(url, folder) as (program, http):
            if not players:
                players = [Player(await guest(http), random.Random(seed + n)) for n in range(PEOPLE)]
            for player in players:
                player.person.http = http
                await player.check(player.checked)
                player.checked = len(player.finished)
            playing = [asyncio.create_task(player.play()) for player in players]
            enough = chance.randrange(MOST_MOVES) + sum(player.moves for player in players)
            while sum(player.moves for player in players) < enough and not any(
                task.done() for task in playing
            ):
                await asyncio.sleep(chance.uniform(0, 0.02))
            program.process.send_signal(signal.SIGKILL)
            await asyncio.gather(*playing)
        if kill % SAY_EVERY == 0:
            print(f"serving: {kill} kills, {sum(player.moves for player in players):,} moves", flush=True)
    async with site(url) as again:
        for player in players:
            player.person.http = again.http
            await player.check()
        rated = await check_ratings(again)  # which asserts that every rating follows from its games
    finished = [game for player in players for game in player.finished]
    known = sum(game["rating_change"] is not None for game in finished)  # of which repeated ones have none
    check(rated >= known, f"{known} rated games were answered, and {rated} are there")
    return (
        f"serving: {kills} kills: {sum(player.moves for player in players):,} moves, {len(finished):,} finished games, {known:,} "
        f"ratings and {sum(player.kept for player in players):,} values were answered; none is lost, and every rating follows "
        "from its games"
    )


async def kill_workers(kills: int, seed: int, url: str, folder: Path) -> str:
    """Kill one of two workers, again and again, while people play at both; what there is to say of it."""
    chance = random.Random(seed)
    players: list[Player] = []
    with real_workers(url, folder, burst=10**9) as (program, port):
        address, limits = f"http://127.0.0.1:{port}", httpx.Limits(max_connections=PEOPLE)
        for _ in range(kills):
            async with httpx.AsyncClient(base_url=address, limits=limits, timeout=60) as http:
                if not players:
                    wish = {"rated": False, "opponent": "random"}
                    chances = [random.Random(seed + n) for n in range(PEOPLE)]
                    players = [Player(await guest(http), chance, wish=wish) for chance in chances]
                for player in players:
                    player.person.http = http
                    await player.check(player.checked)
                    player.checked = len(player.finished)
                playing = [asyncio.create_task(player.play()) for player in players]
                enough = 20 + chance.randrange(MOST_MOVES) + sum(player.moves for player in players)
                while sum(player.moves for player in players) < enough and not all(
                    task.done() for task in playing
                ):
                    await asyncio.sleep(chance.uniform(0, 0.02))
                killed = chance.choice(worker_pids(program))
                os.kill(killed, signal.SIGKILL)
                program.until(
                    lambda killed=killed: f"(process {killed}) was ended by signal 9" in program.errors
                )
                for task in playing:
                    task.cancel()
                ends = await asyncio.gather(*playing, return_exceptions=True)
                check(all(end is None or isinstance(end, asyncio.CancelledError) for end in ends), f"{ends}")
                program.until(lambda: len(worker_pids(program)) == 2)
        async with httpx.AsyncClient(base_url=address, timeout=60) as http:
            for player in players:
                player.person.http = http
                await player.check()
    return (
        f"workers: {kills} kills: {sum(player.moves for player in players):,} moves, "
        f"{sum(len(player.finished) for player in players):,} finished games and "
        f"{sum(player.kept for player in players):,} values were answered; none is lost"
    )


async def guest(http: httpx.AsyncClient) -> Person:
    entered = (await http.post("/api/accounts")).json()
    return Person(http, entered["token"], entered["account"]["name"], entered["account"]["id"])


def database(kind: str, folder: str) -> AbstractContextManager[str]:
    @contextmanager
    def sqlite():
        yield f"sqlite:///{folder}/nought.db"

    return postgres_cluster() if kind == "postgresql" else sqlite()


def main() -> int:
    parser = argparse.ArgumentParser(
        "tests.kills", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--training", type=int, default=0, metavar="KILLS")
    parser.add_argument("--serving", type=int, default=0, metavar="KILLS")
    parser.add_argument("--workers", type=int, default=0, metavar="KILLS")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nought-kills-") as folder:
        os.environ["NOUGHT_CONFIG"] = f"{folder}/config"
        try:
            if given.training:
                print(kill_training(given.training, given.seed, Path(folder)))
            if given.serving:
                with database(given.database, folder) as url:
                    said = asyncio.run(kill_serving(given.serving, given.seed, url, Path(folder)))
                    print(f"{given.database}, {said}")
            if given.workers:
                with postgres_cluster() as url:
                    print(asyncio.run(kill_workers(given.workers, given.seed, url, Path(folder))))
        except Lost as loss:
            print(f"lost: {loss}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
