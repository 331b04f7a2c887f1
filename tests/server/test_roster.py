"""Agents by name on the server: the rule of the command line, and nothing that reads or runs what a name says."""

from pathlib import Path

import pytest

from nought.config import NetworkParameters, Parameters
from nought.errors import NoughtError
from nought.games import load
from nought.learning.run import Run
from nought.network import build_network, save_network
from nought.server.thinking.agents import Roster
from nought.server.thinking.own_runs import OwnRuns

DOTS, TICTACTOE = load("dots-and-boxes"), load("tictactoe")


@pytest.mark.parametrize(
    ("name", "simulations"),
    [
        ("dots-and-boxes", 200),
        ("dots-and-boxes:3x3", 200),
        ("dots-and-boxes:3x3:7", 7),
        ("agents/dots-and-boxes:3x3", 200),
        ("agents/dots-and-boxes-3x3:0", 0),
        ("dots-and-boxes-3x3:9", 9),
    ],
)
def test_a_games_name_is_its_agent(name: str, simulations: int, tmp_path: Path) -> None:
    found, note = Roster(OwnRuns(tmp_path)).find(name, DOTS)
    assert note is None and found.weights is not None
    assert (found.name, found.simulations, found.weights.parent.name) == (
        name,
        simulations,
        "dots-and-boxes-3x3",
    )


@pytest.mark.parametrize(
    "name", ["dots-and-boxes:2x2", "dots-and-boxes:9x9", "connect4", "./x.py", "x.py:3x3"]
)
def test_another_games_agent_is_none_of_this_one(name: str, tmp_path: Path) -> None:
    found, note = Roster(OwnRuns(tmp_path)).find(name, DOTS)
    assert found.name == "agents/dots-and-boxes-3x3" and note is not None and "there is no agent" in note


def test_a_run_comes_before_an_agent_of_the_same_name(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "tictactoe", "tictactoe", Parameters())
    network = build_network(TICTACTOE, NetworkParameters(blocks=1, filters=4), seed=1)
    save_network(run.version_path(0), network, TICTACTOE, 0, {})
    roster = Roster(OwnRuns(tmp_path))
    assert roster.find("tictactoe", TICTACTOE)[0].weights == run.version_path(0)
    assert roster.find("agents/tictactoe", TICTACTOE)[0].weights != run.version_path(0)


def test_a_file_with_rules_is_not_run_because_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("raise SystemExit('it was run')")
    with pytest.raises(NoughtError, match="there is no agent"):
        Roster(OwnRuns(tmp_path))._named("mine.py", DOTS)
