"""An hour in the life of a public server: honest people play, alone at first, then beside attackers who try everything in
benchmarks/attacks.py at once, then alone again. What the attack costs the honest, and what the server holds on to.

    python benchmarks/hostile_load.py --minutes 60 --picture hostile.png
    python benchmarks/hostile_load.py --minutes 2 --attack-from 127.0.0.2     # all attacks from one address

Everybody is on this machine, each at an address of 127.0.0.0/8 (which needs Linux), so attackers take the server's cores,
too; they have a lower priority. The server has its default limits.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import queue
import random
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
from attacks import ATTACKS, Reports, Target, run_attacks
from rich.console import Console
from rich.table import Table
from serving import AGENT, Connection, Server, ready, server

from nought.errors import NoughtError
from nought.plotting import BLUE, GREY, ORANGE, picture_format, plt, write_figure

OUT = Console(highlight=False, width=130)
BEFORE, DURING, AFTER = "before", "during the attack", "after"
SAMPLE_INTERVAL, LINE_INTERVAL = 10.0, 60.0  # seconds
ANSWER_TIMEOUT = 30.0  # seconds; an honest client calls more an error
WANTED_RATIO = 3.0
NAME, PASSWORD = "Ann", "correct horse battery staple"


@dataclass(frozen=True)
class Answered:
    """A move of somebody honest."""

    when: float  # seconds since the beginning
    seconds: float


@dataclass(frozen=True)
class Usage:
    """What the server and its children hold."""

    when: float
    megabytes: float
    files: int


@dataclass
class Hour:
    """All that was seen."""

    begin: float = field(default_factory=time.monotonic)
    phases: dict[str, tuple[float, float]] = field(default_factory=dict)
    answers: list[Answered] = field(default_factory=list)
    errors: list[tuple[float, str]] = field(default_factory=list)
    usage: list[Usage] = field(default_factory=list)
    attacks: dict[str, Counter[str]] = field(default_factory=dict)

    @property
    def now(self) -> float:
        return time.monotonic() - self.begin

    def times(self, begin: float, end: float) -> list[float]:
        return [answer.seconds for answer in self.answers if begin <= answer.when < end]

    def attempts(self) -> int:
        return self.attacks.get("attempts", Counter()).total()


# ---- the honest -----------------------------------------------------------------------------------------------
async def play_honestly(connection: Connection, hour: Hour, chance: random.Random) -> None:
    """A person who thinks for about a second before every move, and comes back after every error."""
    while True:
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                await connection.open()
            while True:
                await play_one(connection, hour, chance)
        except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
            hour.errors.append((hour.now, f"{type(error).__name__}: {error}"))
            await asyncio.sleep(1)


async def play_one(connection: Connection, hour: Hour, chance: random.Random) -> None:
    wish = {"game": "connect4", "side": "random", "opponent": AGENT, "rated": False}
    async with asyncio.timeout(ANSWER_TIMEOUT):
        game = await connection.ask("POST", "/api/play", wish)
    while game["status"] == "playing":
        await asyncio.sleep(chance.uniform(0.5, 1.5))
        move = {"action": chance.choice(game["position"]["legal"])["action"]}
        begin = hour.now
        async with asyncio.timeout(ANSWER_TIMEOUT):
            game = await connection.ask("POST", f"/api/play/{game['id']}/move", move)
        hour.answers.append(Answered(begin, hour.now - begin))


# ---- what the server holds ------------------------------------------------------------------------------------
def usage_of(process: int, when: float) -> Usage:
    """Memory and open files of a process and of all that it has started."""
    megabytes, files = 0.0, 0
    for number in family(process):
        with suppress(OSError):  # it has ended
            pages = int(Path(f"/proc/{number}/statm").read_text().split()[1])
            megabytes += pages * 4096 / 2**20
            files += len(list(Path(f"/proc/{number}/fd").iterdir()))
    return Usage(when, megabytes, files)


def family(process: int) -> list[int]:
    """A process and its children, and theirs."""
    found = [process]
    for number in found:
        with suppress(OSError):
            for children in Path(f"/proc/{number}/task").glob("*/children"):
                found += map(int, children.read_text().split())
    return found


async def watch(hour: Hour, process: int, reports: Reports) -> None:
    """Sample what the server holds, and say every minute how it goes."""
    line, said = LINE_INTERVAL, 0
    while True:
        hour.usage.append(usage_of(process, hour.now))
        with suppress(queue.Empty):
            while True:
                hour.attacks = reports.get_nowait()
        if hour.now >= line:
            say_minute(hour, line, said)
            line, said = line + LINE_INTERVAL, hour.attempts()
        await asyncio.sleep(SAMPLE_INTERVAL)


def say_minute(hour: Hour, end: float, said: int) -> None:
    begin = end - LINE_INTERVAL
    times, last = hour.times(begin, end), hour.usage[-1]
    errors = sum(begin <= when < end for when, _ in hour.errors)
    p50, p95 = percentiles(times)
    OUT.print(
        f"minute {end / 60:3.0f}: {len(times)} answers, p50 {p50:.0f} ms, p95 {p95:.0f} ms, {errors} errors; "
        f"{last.megabytes:.0f} MB, {last.files} files; {hour.attempts() - said} attempts to do harm"
    )


def percentiles(times: list[float]) -> tuple[float, float]:
    """The median and the 95th percentile, in milliseconds."""
    return (
        (1000 * float(np.quantile(times, 0.5)), 1000 * float(np.quantile(times, 0.95))) if times else (0, 0)
    )


# ---- the hour -------------------------------------------------------------------------------------------------
@contextmanager
def attacking(target: Target, addresses: list[str], seed: int, reports: Reports) -> Iterator[None]:
    """Attackers, in a process of their own."""
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=run_attacks, args=(target, addresses, seed, reports), daemon=True)
    process.start()
    try:
        yield
        if not process.is_alive():
            raise NoughtError("the attackers have given up; see above")
    finally:
        process.kill()
        process.join()


async def live_through(at: Server, target: Target, options: argparse.Namespace) -> Hour:
    """Wait until the server is ready, then all three phases."""
    await ready(at)
    await make_account(target.port)
    minutes = options.minutes
    lengths = {BEFORE: 0.1 * minutes, DURING: 0.8 * minutes, AFTER: 0.1 * minutes}
    hour = Hour()
    reports: Reports = multiprocessing.get_context("spawn").Queue()
    connections = [Connection(at.port, f"127.0.2.{n + 1}") for n in range(options.people)]
    honest = [
        asyncio.create_task(play_honestly(connection, hour, random.Random(options.seed + n)))
        for n, connection in enumerate(connections)
    ]
    tasks = [*honest, asyncio.create_task(watch(hour, at.process, reports))]
    for phase, length in lengths.items():
        begin = hour.now
        if phase == DURING:
            with attacking(target, options.attack_from, options.seed, reports):
                await asyncio.sleep(60 * length)
        else:
            await asyncio.sleep(60 * length)
        hour.phases[phase] = (begin, hour.now)
        for task in tasks:
            if task.done():
                await task  # says what went wrong
    for task in tasks:
        task.cancel()
    hour.usage.append(usage_of(at.process, hour.now))
    return hour


async def make_account(port: int) -> None:
    """Somebody whose password is worth guessing."""
    connection = Connection(port, "127.0.3.1")  # an address that has not asked for much yet
    await connection.open()
    await connection.ask("PATCH", "/api/me", {"name": NAME, "password": PASSWORD})


# ---- what came of it ------------------------------------------------------------------------------------------
def summary(hour: Hour, log: str) -> dict[str, Any]:
    """The figures, for a machine."""
    phases = {}
    for phase, (begin, end) in hour.phases.items():
        p50, p95 = percentiles(times := hour.times(begin, end))
        errors = sum(begin <= when < end for when, _ in hour.errors)
        phases[phase] = {"minutes": (end - begin) / 60, "answers": len(times), "p50_ms": p50, "p95_ms": p95}
        phases[phase] |= {"longest_ms": 1000 * max(times, default=0), "errors": errors}
    begin, end = hour.phases[DURING]
    settled = [used for used in hour.usage if (begin + end) / 2 <= used.when <= end]
    when = np.array([used.when for used in settled]) / 3600
    return {
        "phases": phases,
        "p95_ratio": phases[DURING]["p95_ms"] / phases[BEFORE]["p95_ms"],
        "megabytes": held([used.megabytes for used in hour.usage], [u.megabytes for u in settled], when),
        "files": held([used.files for used in hour.usage], [u.files for u in settled], when),
        "attempts": dict(hour.attacks.get("attempts", Counter())),
        "answers_to_attackers": dict(hour.attacks.get("statuses", Counter())),
        "failures_in_the_log": log.count("Traceback"),
    }


def held(every: list[float], settled: list[float], hours: Any) -> dict[str, float]:
    """At the beginning, in the middle of the attack (caches are full), at its end, after it; the slope of its second half."""
    slope = float(np.polyfit(hours, settled, 1)[0]) if len(settled) > 2 else 0.0
    return {
        "begin": every[0],
        "attack_middle": settled[0],
        "most": max(every),
        "attack_end": settled[-1],
        "end": every[-1],
        "slope_an_hour": slope,
    }


def show(found: dict[str, Any], hour: Hour) -> None:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in ("honest people", "minutes", "answers", "p50", "p95", "longest", "errors"):
        table.add_column(column, justify="left" if column.startswith("honest") else "right")
    for phase, row in found["phases"].items():
        times = [f"{row[key]:.0f} ms" for key in ("p50_ms", "p95_ms", "longest_ms")]
        table.add_row(phase, f"{row['minutes']:.1f}", f"{row['answers']:,}", *times, str(row["errors"]))
    OUT.print(table)
    OUT.print(
        f"p95 during the attack: {found['p95_ratio']:.1f} times that before; wanted: {WANTED_RATIO:.0f} at most\n"
    )
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in (
        "the server holds",
        "at first",
        "mid-attack",
        "most",
        "attack's end",
        "at last",
        "an hour",
    ):
        table.add_column(column, justify="left" if column.startswith("the") else "right")
    for what, label in (("megabytes", "memory, MB"), ("files", "open files")):
        row = found[what]
        table.add_row(
            label, *(f"{value:.0f}" for value in list(row.values())[:-1]), f"{row['slope_an_hour']:+.1f}"
        )
    OUT.print(table)
    OUT.print(
        f"\n{hour.attempts():,} attempts to do harm: "
        + ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in found["attempts"].items())
    )
    statuses = sorted(found["answers_to_attackers"].items())
    OUT.print("answers to them: " + ", ".join(f"{status} {count:,}" for status, count in statuses))
    OUT.print(f"failures in the server's log: {found['failures_in_the_log']}")
    for error, count in Counter(error for _, error in hour.errors).most_common(5):
        OUT.print(f"honest error, {count} times: {error[:300]}", markup=False)


def draw(hour: Hour, path: Path) -> None:
    """Answer times above; memory and open files below."""
    figure, (above, below) = plt.subplots(2, figsize=(8, 6), sharex=True, constrained_layout=True)
    ends = np.arange(LINE_INTERVAL, hour.now, LINE_INTERVAL)
    both = [percentiles(hour.times(end - LINE_INTERVAL, end)) for end in ends]
    for values, colour, label in zip(zip(*both, strict=True), (BLUE, ORANGE), ("p50", "p95"), strict=True):
        above.plot(ends / 60, values, color=colour, label=label)
    above.set(ylabel="honest answers, ms", ylim=(0, None))
    minutes = [used.when / 60 for used in hour.usage]
    below.plot(minutes, [used.megabytes for used in hour.usage], color=BLUE, label="memory, MB")
    below.plot(minutes, [used.files for used in hour.usage], color=ORANGE, label="open files")
    below.set(xlabel="minutes", ylim=(0, None))
    begin, end = hour.phases[DURING]
    for ax, place in ((above, "upper right"), (below, "center right")):
        ax.axvspan(begin / 60, end / 60, color=GREY, alpha=0.2, lw=0, label="attack")
        ax.legend(frameon=False, loc=place)
    write_figure(figure, path)


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on."""
    found = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    numbers = [one.getsockname()[1] for one in found]
    for one in found:
        one.close()
    return numbers


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--minutes", type=float, default=60, help="a tenth before the attack, a tenth after it"
    )
    parser.add_argument(
        "--people", type=int, default=16, help="who are honest, each at an address of their own"
    )
    parser.add_argument(
        "--attack-from",
        action="append",
        metavar="ADDRESS",
        help="may be given again; default: one for every attack",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="the figures for a machine, at the end")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="where the server's log is kept; default: nowhere"
    )
    options = parser.parse_args()
    options.attack_from = options.attack_from or [f"127.0.1.{n + 1}" for n in range(len(ATTACKS))]
    if options.minutes < 1:
        raise NoughtError("less than a minute is too short to see anything")
    if options.picture:
        picture_format(options.picture)
    return options


def serve_and_attack(options: argparse.Namespace, log: IO[str]) -> Hour:
    ai_port, data_port = free_ports(2)
    tcp = ("--tcp", "--ai-port", str(ai_port), "--data-port", str(data_port))
    with server("--rate", "50", "--no-find", *tcp, log=log) as at:
        return asyncio.run(live_through(at, Target(at.port, ai_port, data_port, NAME), options))


def main() -> int:
    try:
        options = read_options()
        with options.log.open("w+") if options.log else tempfile.TemporaryFile("w+") as log:
            hour = serve_and_attack(options, log)
            log.seek(0)
            found = summary(hour, log.read())
        show(found, hour)
        if options.json:
            print(json.dumps(found))
        if options.picture:
            draw(hour, options.picture)
    except NoughtError as error:
        print(error, file=sys.stderr)
        return 2
    return 0 if found["p95_ratio"] <= WANTED_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
