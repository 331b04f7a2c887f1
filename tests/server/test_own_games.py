"""Games and runs of the owner's: found in folders, offered with their rules, played by their runs."""

import asyncio
import dataclasses
import json
import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import nought.games
from nought.config import NetworkParameters, Parameters
from nought.errors import NoughtError
from nought.games.examples import example_path
from nought.learning.run import Progress, Run
from nought.network import build_network, save_network
from nought.server.settings import ServerLimits
from nought.server.thinking import games
from nought.server.thinking.agents import Roster
from nought.server.thinking.engine import ThinkingEngine
from nought.server.thinking.games import Catalogue
from nought.server.thinking.own_runs import OwnRuns
from nought.server.thinking.warm_up import compile_all, warm_up
from tests.server.support.serving import serving
from tests.support.programs import until
from tests.support.skips import slow

TICTACTOE = Path(nought.games.__file__).with_name("tictactoe.py").read_text(encoding="utf-8")
MINE = TICTACTOE.replace("Tic-tac-toe: three in a row wins.", "Mine: three in a row loses.").replace(
    "return 1.0\n    return -1.0 if", "return -1.0\n    return 1.0 if"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE)
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    with serving(folder, folders=(Path(),)) as client:
        yield client


def train(name: str = "mine-1", game: str = "mine.py") -> Run:
    """A run as it is after two iterations: networks, and how far it is."""
    run = Run.create(Path("runs") / name, game, Parameters())
    for version in range(3):
        network = build_network(run.game, NetworkParameters(blocks=1, filters=4), seed=version)
        save_network(run.version_path(version), network, run.game, version, {})
    (run.folder / "state" / "000002").mkdir()
    progress = dataclasses.asdict(Progress(iteration=2, version=2))
    (run.folder / "state" / "000002" / "progress.json").write_text(json.dumps(progress))
    return run


def game_of(client: TestClient, name: str) -> dict:
    return {game["name"]: game for game in client.get("/api/games").json()}[name]


def agents(client: TestClient, name: str = "mine.py") -> list[str]:
    return [agent["name"] for agent in game_of(client, name)["agents"]]


def test_a_game_in_the_folder_is_offered_with_its_rules(client: TestClient) -> None:
    found = game_of(client, "mine.py")
    assert found["title"] == "Mine"
    assert found["rules"].startswith("Mine: three in a row loses.\n\nThe simplest game file")
    assert (found["rows"], found["columns"], found["actions"], found["oracle"]) == (3, 3, 9, True)
    assert agents(client) == ["random", "rollout:10", "rollout:100", "rollout:1000"]
    assert game_of(client, "connect4")["rules"].startswith("Connect 4: drop stones")


def test_a_file_with_a_loop_that_never_ends_does_not_keep_the_server_from_starting(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("endless.py").write_text(MINE + "\nwhile True:\n    pass\n")
    monkeypatch.setattr(games, "FILE_TIMEOUT", 0.5)
    with caplog.at_level(logging.WARNING):
        offered = Catalogue(folders=[Path()]).games
    assert "mine.py" in offered and "endless.py" not in offered
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("endless.py is not offered: running the file has not ended after 0.5 seconds")
    with pytest.raises(NoughtError, match="a loop without an end"):  # where it was asked for by name
        Catalogue(["endless.py"])
    until(lambda: not any(thread.name.startswith("reading") for thread in threading.enumerate()))


def test_what_is_broken_is_a_line_in_the_log(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    Path("unfinished.py").write_text(MINE.replace("def planes(", "def boards("))
    Path("typo.py").write_text(MINE.replace("def player(state):", "def player(state)"))
    Path("fails.py").write_text(MINE + "\n1 / 0\n")
    Path("leaves.py").write_text(MINE + "\nraise SystemExit(3)\n")
    Path("script.py").write_text("from pathlib import Path\n\nPath('was run').touch()\n")
    with caplog.at_level(logging.INFO, "nought.server"):
        offered = Catalogue(folders=[Path()])
    assert "mine.py" in offered.games
    assert [name for name in offered.games if name.endswith(".py")] == ["mine.py"]
    lines = [record.getMessage() for record in caplog.records]
    assert "unfinished.py is not offered: it does not define planes" in lines
    assert "typo.py is not offered: line 29 is not Python: expected ':'" in lines
    assert (
        "fails.py is not offered: the game file cannot be run: ZeroDivisionError: division by zero" in lines
    )
    assert "leaves.py is not offered: 3" in lines
    assert len(lines) == 5
    assert not Path("was run").exists()


def test_a_game_that_is_named_is_not_found_again(folder: Path) -> None:
    assert "mine.py" in Catalogue(files=["mine.py"], folders=[Path()]).games
    assert "mine.py" not in Catalogue().games


def test_a_run_is_an_opponent_as_soon_as_it_has_learned(client: TestClient) -> None:
    assert "mine-1" not in agents(client)
    train()
    assert agents(client)[-1] == "mine-1"
    found = game_of(client, "mine.py")["agents"][-1]
    assert (found["title"], found["rating"]) == ("mine-1, version 2, 200 simulations", None)
    answer = client.post("/api/best-move", json={"game": "mine.py", "moves": "a1"}).json()
    assert (answer["agent"], answer["note"]) == ("mine-1", None)
    Path("mine.py").write_text(
        MINE + "\n\ndef text(state):\n    return 'X'\n"
    )  # another look, the same rules
    train("mine-2")
    assert agents(client)[-2:] == ["mine-1", "mine-2"]


def test_ratings_are_there_once_they_are_measured(client: TestClient) -> None:
    run = train()
    assert not game_of(client, "mine.py")["agents"][0]["rating"]
    ratings = [
        {"player": "rollout:100", "elo": 700.0, "low": 600.0, "high": 800.0},
        {"player": "search:mine-1@2:64", "elo": 400.0, "low": 300.0, "high": 500.0},
        {"player": "search:mine-1@9:64", "elo": 900.0, "low": 300.0, "high": 500.0},
        {"player": "oracle", "elo": 1100.0, "low": 1000.0, "high": 1200.0},
    ]
    (run.folder / "ratings.json").write_text(json.dumps({"ratings": ratings}))
    found = game_of(client, "mine.py")["agents"]
    assert [(agent["name"], agent["rating"], agent["title"]) for agent in found] == [
        ("search:mine-1@2:64", 400.0, "mine-1, version 2, 64 simulations"),
        ("rollout:100", 700.0, "Imagines 100 games"),
        ("oracle", 1100.0, "Plays perfectly"),
        ("mine-1", None, "mine-1, version 2, 200 simulations"),
    ]
    assert found[0]["interval"] == [300.0, 500.0]


def test_a_run_whose_file_has_moved_is_offered_with_its_own_copy(folder: Path) -> None:
    train()
    Path("mine.py").unlink()
    with serving(folder, folders=(Path(),)) as client:
        assert agents(client)[-1] == "mine-1"


def test_a_run_whose_file_has_other_rules_is_a_game_of_its_own(folder: Path) -> None:
    train()
    Path("mine.py").write_text(MINE.replace("(2, 4, 6)]", "(0, 4, 8)]"))
    with serving(folder, folders=(Path(),)) as client:
        assert "mine-1" not in agents(client, "mine.py")
        assert agents(client, "mine.py (mine-1)")[-1] == "mine-1"


def test_a_run_of_a_game_that_comes_with_an_agent(folder: Path) -> None:
    train("mine-1", "tictactoe")
    with serving(folder) as client:
        found = game_of(client, "tictactoe")
        assert found["agents"][-1]["name"] == "mine-1"
        assert client.post("/api/best-move", json={"game": "tictactoe"}).json()["agent"] == "agents/tictactoe"


def test_a_damaged_run_is_said_once(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    run = train()
    (run.folder / "config.toml").write_text("nonsense")
    own = OwnRuns(Path("runs"))
    assert own.all() == []
    (run.folder / "ratings.json").write_text("{}")
    assert own.all() == []
    assert len([r for r in caplog.records if "the run mine-1 is not offered: " in r.getMessage()]) == 1


@slow
def test_games_are_compiled_in_the_background(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One that cannot be compiled does not keep the others waiting, and small ones are known as a whole."""
    Path("nim.py").write_text(example_path("nim").read_text())
    Path("slow.py").write_text(
        MINE.replace("    return state[MOVER]\n", "    return {0: 0, 1: 1}[int(str(state[9]))]\n")
    )
    catalogue = Catalogue(folders=[Path()])
    for name in [name for name in catalogue.games if not name.endswith(".py")]:
        del catalogue.games[name]
    engine = ThinkingEngine(ServerLimits(), "cpu")
    assert not catalogue.compiled
    assert not engine.has_oracle(catalogue.games["nim.py"])

    async def start() -> None:
        await compile_all(catalogue)
        await warm_up(catalogue, Roster(OwnRuns(Path("runs"))), engine)
        await engine.close()

    with caplog.at_level(logging.INFO, "nought.server"):
        asyncio.run(start())
    assert catalogue.compiled == {"mine.py", "nim.py", "slow.py"}
    assert engine.has_oracle(catalogue.games["nim.py"])
    lines = [record.getMessage() for record in caplog.records]
    assert "compiling 3 games in the background" in lines
    (problem,) = [line for line in lines if "cannot be searched" in line]
    assert problem.startswith("slow.py cannot be searched: ") and "\n" not in problem
