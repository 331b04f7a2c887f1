"""Several processes of one server: what holds in one holds in all, and one that dies is replaced."""

import http.client
import json
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest

from nought.errors import NoughtError
from nought.server import workers
from nought.server.http.board import Board, summed
from nought.server.http.common import Common, Line
from nought.server.http.errors import Busy, TooMany
from nought.server.run import check_workers
from nought.server.settings import ServerLimits, Settings
from nought.server.thinking.searches import Searches
from nought.server.workers import WorkerProcess, Workers
from tests.server.support.people import emptied
from tests.support.programs import LIMIT, Program, started, until

SERVER = Path(__file__).parent / "support" / "several_workers.py"
BURST = 400  # requests of an address; no more come
LANE = ("connect4", "rollout")


# ---- what they have in common -------------------------------------------------------------------------------
class NoProcess:
    """In the place of a worker's process, which is over."""

    pid, exitcode = 1, -9

    def join(self, timeout: float | None = None) -> None: ...

    def kill(self) -> None:
        self.killed = True


class TwoWorkers:
    """Two workers' views of what a process keeps that answers in a thread; without the workers."""

    def __init__(self, limits: ServerLimits) -> None:
        settings = Settings(workers=2, limits=limits)
        self.kept = Common.alone(settings)
        self.workers = Workers(2, None, self.kept, lambda: None)  # type: ignore[arg-type]
        self.ends, self.common = [], []
        for number in (0, 1):
            ours, theirs = Pipe()
            self.workers._listen_to(WorkerProcess(number, NoProcess(), ours))  # type: ignore[arg-type]
            self.ends.append(theirs)
            self.common.append(Common.asked(settings, number, Line(theirs)))

    def die(self, number: int) -> None:
        self.ends[number].close()
        until(lambda: number not in self.workers._alive)

    def attend(self, over: threading.Event) -> None:
        while not over.is_set():
            self.workers._attend()


@contextmanager
def two_workers(**limits: Any) -> Iterator[TwoWorkers]:
    two, over = TwoWorkers(ServerLimits(**limits)), threading.Event()
    thread = threading.Thread(target=two.attend, args=(over,), daemon=True)
    thread.start()
    try:
        yield two
    finally:
        over.set()
        thread.join(LIMIT)


def test_a_bucket_emptied_in_one_worker_is_empty_in_the_other() -> None:
    with two_workers(rate=1e-6, burst=3) as two:
        here, there = (common.buckets for common in two.common)
        here.take("a", 2)
        there.take("a")
        for buckets in (here, there):
            with pytest.raises(TooMany, match="too many requests") as refused:
                buckets.take("a")
            assert refused.value.retry_after == pytest.approx(1e6, rel=1e-3)
        there.take("b")
        here.give_back_for("a", 200)
        here.take("c")  # is answered after what was said before it is done
        there.take("a")


def test_places_are_those_of_all_workers_and_come_back_from_one_that_dies() -> None:
    limits = {"searches": 2, "connections": 4, "connections_of_one": 2, "sockets_of_one": 1}
    with two_workers(**limits) as two:
        here, there = (common.buckets for common in two.common)
        assert here.connections.enter("a") and there.connections.enter("a")
        assert not here.connections.enter("a") and not there.connections.enter("a")
        assert here.games.enter("1 game") and not there.games.enter("1 game")
        with here.socket("a"), pytest.raises(TooMany), there.socket("a"):
            pass
        here.searches.enter("a", LANE)
        here.searches.enter("b", LANE)
        with pytest.raises(Busy):
            there.searches.enter("c", LANE)
        assert (here.searches.taken.total(), there.searches.taken.total()) == (2, 0)  # what each has itself
        two.die(0)
        assert there.connections.enter("a") and there.games.enter("1 game")
        there.searches.enter("c", LANE)
        assert two.kept.buckets.connections.taken == {"a": 2}
        there.games.leave("1 game")
        until(lambda: not two.kept.buckets.games.taken)


def test_a_worker_that_says_nothing_for_long_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    with two_workers() as two:
        for common in two.common:
            common.board.serves(common.worker)
        until(lambda: two.kept.board.count() == 2)
        one, other = (two.workers._alive[number].process for number in (0, 1))
        monkeypatch.setattr(workers, "SILENCE", 1000.0)
        two.workers._alive[0].heard -= 1001.0
        two.workers._end_the_silent()
        assert hasattr(one, "killed") and not hasattr(other, "killed")


def test_who_asks_a_server_that_is_gone_is_told_that_it_stops() -> None:
    ours, theirs = Pipe()
    common = Common.asked(Settings(workers=2), 0, Line(theirs))
    ours.close()
    with pytest.raises(Busy, match="about to stop"):
        common.buckets.take("a")
    common.buckets.give_back_for("a", 1)  # nobody waits for that


def test_metrics_are_those_of_all_workers_together() -> None:
    board = Board(2)
    counted = "# TYPE done counter", 'done{what="a"} 2', "# TYPE seconds histogram", "seconds_sum 0.250000"
    now = "# TYPE open gauge", "open 3"
    board.note(0, [*counted, *now], warm=True)
    board.note(1, [*counted, 'done{what="b"} 1', *now], warm=False)
    assert not board.is_warm() and board.is_warm(0)
    total = [*counted[:1], 'done{what="a"} 4', "# TYPE seconds histogram", "seconds_sum 0.500000"]
    assert summed([board.lines()])[2:6] == total and "open 6" in board.lines()
    board.forget(0)  # what it has done stays done
    assert 'done{what="a"} 4' in board.lines() and "open 3" in board.lines() and not board.is_warm(0)
    board.note(0, [*counted, *now], warm=True)
    assert 'done{what="a"} 6' in board.lines()


@pytest.mark.parametrize("workers", [1, 2, 4, 8])
def test_workers_share_the_cores(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    searches = Searches(ServerLimits(), "cpu", workers=workers)
    assert 8 // workers // 2 < searches.threads * searches.evaluator_threads <= 8 // workers


@pytest.mark.parametrize(
    ("workers", "database", "why"),
    [(2, "games.db", "PostgreSQL"), (2, "sqlite:///x", "PostgreSQL"), (999, "postgresql://x", "cores")],
)
def test_more_workers_than_there_can_be_are_one_line(workers: int, database: str, why: str) -> None:
    with pytest.raises(NoughtError, match=why):
        check_workers(Settings(workers=workers, database=database))
    check_workers(Settings(database=database))


# ---- real processes -----------------------------------------------------------------------------------------
class Client:
    """A connection to one worker, which stays at it."""

    def __init__(self, port: int, token: str = "") -> None:
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
        self.token = token

    def send(self, method: str, path: str, body: Any = None) -> None:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        self.http.request(method, path, json.dumps(body) if body is not None else None, headers)

    def receive(self) -> tuple[int, Any]:
        answer = self.http.getresponse()
        return answer.status, json.loads(answer.read())

    def __call__(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        self.send(method, path, body)
        return self.receive()


@contextmanager
def real_workers(url: str, folder: Path, burst: int = BURST) -> Iterator[tuple[Program, int]]:
    """A server of two processes, and its port."""
    with started([sys.executable, str(SERVER), url, str(folder), str(burst)]) as program:
        found = program.until(lambda: re.search(r"http://127\.0\.0\.1:(\d+)\D", program.output))
        yield program, int(found[1])


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def worker_pids(program: Program) -> list[int]:
    """The processes that the server's fork server has started."""
    return [pid for child in children(program.process.pid) for pid in children(child)]


def client_of(pid: int, others: list[int], port: int, token: str = "") -> Client:
    """A connection to this worker: while it is made, the others stand still."""
    for other in others:
        os.kill(other, signal.SIGSTOP)
    try:
        client = Client(port, token)
        assert client("GET", "/healthz")[0] == 200
        return client
    finally:
        for other in others:
            os.kill(other, signal.SIGCONT)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")
def test_what_one_worker_thinks_about_the_other_leaves_alone_and_goes_on_with(
    postgres: str, tmp_path: Path
) -> None:
    """A game that is thought about in one process is busy in the other, until the first is killed; another takes its
    place, and a bucket that was emptied through all of them is empty in all."""
    with real_workers(emptied(postgres), tmp_path) as (program, port):
        one, two = worker_pids(program)
        token = Client(port)("POST", "/api/accounts", {})[1]["token"]
        here, there = client_of(one, [two], port, token), client_of(two, [one], port, token)
        wanted = {"game": "connect4", "side": "first", "opponent": "rollout:10000", "simulations": 20_000}
        _, game = here("POST", "/api/play", wanted)
        path = f"/api/play/{game['id']}"
        here.send("POST", f"{path}/move", {"action": 3})
        # Taking back is refused, too, while an agent thinks; before that there is nothing to take back.
        until(lambda: "agent is thinking" in there("POST", f"{path}/undo")[1].get("error", ""))
        os.kill(one, signal.SIGKILL)
        until(lambda: there("POST", f"{path}/undo")[1]["error"] == "there is nothing to take back")
        status, moved = there("POST", f"{path}/move", {"action": 3})
        assert status == 200 and len(moved["position"]["actions"]) == 2
        until(lambda: there("GET", "/healthz")[1]["workers"] == 2)
        assert (
            f"worker 0 (process {one}) was ended by signal 9 (Killed); another takes its place"
            in program.errors
        )
        (new,) = set(worker_pids(program)) - {two}
        here = client_of(new, [two], port, token)
        assert here("GET", path)[1] == moved
        until(lambda: here("GET", path)[0] == 429)
        assert there("GET", path)[0] == 429
        program.process.send_signal(signal.SIGTERM)
        assert program.end() == -signal.SIGTERM
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in (two, new)))
