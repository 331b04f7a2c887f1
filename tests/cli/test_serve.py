"""nought serve, as a process."""

import json
import re
import signal
import socket
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.programs import NOUGHT, Program, run_program, started, until

MANY = 20_000  # simulations
SERVER_ONLY = ("fastapi", "uvicorn", "starlette", "sqlalchemy", "alembic", "argon2", "websockets")


@contextmanager
def served(folder: Path, *options: str) -> Iterator[tuple[Program, str]]:
    """A server and its address."""
    command = [*NOUGHT, "serve", "--port", "0", "--no-browser"]
    command += ["--database", f"sqlite:///{folder}/server.sqlite3", "--runs", str(folder), *options]
    with started(command) as program:
        found = program.until(lambda: re.search(r"http://127\.0\.0\.1:\d+(?=\D)", program.output))
        yield program, found[0]


def leave_during_a_search(address: str) -> int:
    """Ask for a long search and hang up; how many positions it had evaluated when it had ended."""
    host, port = address.removeprefix("http://").split(":")
    body = json.dumps({"game": "connect4", "simulations": MANY}).encode()
    head = f"POST /api/analyse HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
    with socket.create_connection((host, int(port))) as client:
        client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        until(lambda: _metric(address, "nought_evaluated_total") >= 100)
    until(lambda: not _metric(address, "nought_searches_under_way"))
    return _metric(address, "nought_evaluated_total")


def _metric(address: str, name: str) -> int:
    """The sum of a metric over its labels."""
    with urllib.request.urlopen(f"{address}/metrics", timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    found = [
        line
        for line in lines
        if line.startswith(name) and (len(name) == line.find(" ") or "connect4" in line)
    ]
    return int(sum(float(line.rpartition(" ")[2]) for line in found))


def test_a_server_says_where_it_is_logs_requests_and_stops_when_told(tmp_path: Path) -> None:
    with served(tmp_path, "--log-json") as (program, address):
        with urllib.request.urlopen(f"{address}/healthz", timeout=60) as answer:
            assert json.load(answer)["status"] == "ok"
        with urllib.request.urlopen(f"{address}/metrics", timeout=60) as answer:
            text = answer.read().decode()
        assert 'nought_requests_total{method="GET",route="/healthz",status="200"} 1' in text
        assert leave_during_a_search(address) < MANY
        program.process.send_signal(signal.SIGTERM)
        assert program.end() in (0, -signal.SIGTERM)  # having finished its work, it dies of the signal
        lines = [json.loads(line) for line in program.errors.splitlines()]
        assert [line["path"] for line in lines if "path" in line][:2] == ["/healthz", "/metrics"]


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = run_program([*NOUGHT, "serve", "--port", port, "--no-browser"], cwd=tmp_path)
    assert ended.returncode == 2 and "choose another --port" in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "option", [("--game", "nothing.py"), ("--device", "abacus"), ("--database", "nonsense://x")]
)
def test_what_cannot_be_meant_is_one_line(tmp_path: Path, option: tuple[str, str]) -> None:
    ended = run_program([*NOUGHT, "serve", "--port", "0", "--no-browser", *option], cwd=tmp_path)
    assert ended.returncode == 2 and "Traceback" not in ended.stderr


def test_nothing_but_the_server_needs_the_servers_packages(tmp_path: Path) -> None:
    blocked = f"""
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {SERVER_ONLY!r}:
            raise ImportError(f"{{name}} is not installed", name=name)
sys.meta_path.insert(0, Refuse())
from nought.cli import main
sys.argv = ["nought", *sys.argv[1:]]
main()
"""
    few = ["--set", "run.iterations=1", "--set", "selfplay.positions=50", "--set", "exam.games=0"]
    train = ["train", "tictactoe", "--run", "small", *few]
    for arguments in (["games"], train, ["runs"]):
        ended = run_program([sys.executable, "-c", blocked, *arguments], cwd=tmp_path)
        assert ended.returncode == 0, (arguments, ended.stderr[-500:])
    ended = run_program([sys.executable, "-c", blocked, "serve"], cwd=tmp_path)
    assert ended.returncode == 2 and "Traceback" not in ended.stderr
    assert re.search(r"the package \w+ is missing", ended.stderr)
