"""Training runs over HTTP."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from nought.events import NodeReport
from nought.learning.run import Run
from nought.server.runs import _gauges
from tests.server.support.serving import serving
from tests.support.programs import started
from tests.support.tiny_run import tiny_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one run of two iterations, and things that are no runs."""
    folder = tmp_path_factory.mktemp("training")
    tiny_run(folder, "small-1", **{"selfplay.positions": 100, "exam.games": 0})
    (folder / "runs" / "empty").mkdir()
    (folder / "runs" / "damaged").mkdir()
    (folder / "runs" / "damaged" / "config.toml").write_text("[")
    (folder / "runs" / "a-file").write_text("")
    return folder


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    with serving(folder) as client:
        yield client


def test_runs_are_listed(client: TestClient) -> None:
    (run,) = client.get("/api/runs").json()
    assert (run["name"], run["game"], run["state"], run["iteration"]) == ("small-1", "tictactoe", "done", 2)


def test_a_run_has_its_parameters_and_reports(client: TestClient) -> None:
    run = client.get("/api/runs/small-1").json()
    assert run["config"]["network"]["filters"] == 8
    assert [report["iteration"] for report in run["metrics"]] == [1, 2]
    assert run["metrics"][0]["learning"]["policy_loss"] > 0


def test_a_run_that_is_worked_on_is_running(client: TestClient, folder: Path) -> None:
    lock = folder / "runs" / "small-1" / "lock"
    hold = f"import fcntl, time; f = open({str(lock)!r}, 'w'); fcntl.flock(f, fcntl.LOCK_EX); print(1, flush=True); time.sleep(1000)"
    with started([sys.executable, "-c", hold]) as holding:
        holding.until(lambda: holding.output)
        assert client.get("/api/runs").json()[0]["state"] == "running"
        for_prometheus = client.get("/metrics").text
        assert '# TYPE nought_run_version gauge\nnought_run_version{run="small-1"} 2\n' in for_prometheus
    assert "nought_run" not in client.get("/metrics").text  # nothing goes on
    assert client.get("/api/runs").json()[0]["state"] == "done"


def test_every_version_judges_a_position(client: TestClient) -> None:
    judged = client.get("/api/runs/small-1/judge", params={"moves": "b2"}).json()
    versions = [verdict["version"] for verdict in judged]
    assert versions == sorted(versions) and versions[0] == 0 and len(versions) >= 2
    for verdict in judged:
        assert sum(move["share"] for move in verdict["policy"]) == pytest.approx(1)
        assert len(verdict["policy"]) == 8 and -1 <= verdict["value"] <= 1
        assert verdict["best"] == max(verdict["policy"], key=lambda move: move["share"])["name"]


def test_a_version_can_be_asked_like_any_agent(client: TestClient) -> None:
    ask = {"game": "tictactoe", "moves": "b2", "agent": "search:small-1@1", "simulations": 10}
    answer = client.post("/api/best-move", json=ask).json()
    assert answer["agent"] == "search:small-1@1" and answer["note"] is None
    wrong = client.post("/api/best-move", json={**ask, "game": "connect4", "moves": ""}).json()
    assert "has learned tictactoe" in wrong["note"]
    missing = client.post("/api/best-move", json={**ask, "agent": "search:small-1@99"}).json()
    assert "no version 99" in missing["note"]


@pytest.mark.parametrize("name", ["nobody", "empty", "..", "a-file", "%2e%2e%2fruns", "small-1%00"])
def test_what_is_no_run_is_not_found(client: TestClient, name: str) -> None:
    assert client.get(f"/api/runs/{name}").status_code == 404


def test_a_damaged_run_is_a_clear_error(client: TestClient) -> None:
    answer = client.get("/api/runs/damaged")
    assert answer.status_code == 400 and "config.toml" in answer.json()["error"]


def test_a_run_limited_by_games_is_done_when_they_are_played(tmp_path: Path) -> None:
    tiny_run(tmp_path, "games", **{"run.iterations": 0, "run.games": 10, "exam.games": 0})
    with serving(tmp_path) as client:
        (run,) = client.get("/api/runs").json()
    assert (run["state"], run["share"]) == ("done", 1.0)


def test_what_machines_of_a_cluster_give_is_told(folder: Path) -> None:
    report = Run(folder / "runs" / "small-1").reports()[-1]
    nodes = (NodeReport("a", 2, 300, 3.0, 1), NodeReport("b", 1, 0, 0.0, 2, dropped=40))
    played = replace(report.selfplay, nodes=nodes)
    told = {(name, labels): number for name, labels, number in _gauges("", replace(report, selfplay=played))}
    assert told["node_positions_per_second", ',node="a"'] == 200
    assert told["node_versions_behind", ',node="a"'] == report.version - 1
    assert (
        told["node_positions_dropped", ',node="b"'] == 40
        and told["node_positions_per_second", ',node="b"'] == 0
    )
