"""nought evaluate, from the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nought.cli import app
from nought.config import NetworkParameters, Parameters
from nought.errors import NoughtError
from nought.games import load
from nought.learning.run import Run
from nought.network import build_network, save_network
from tests.support.skips import slow


def evaluate(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["evaluate", *arguments, "--device", "cpu"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_perfect_player_is_perfect_and_random_is_not() -> None:
    perfect, random = (
        json.loads(evaluate(name, "--game", "tictactoe", "--against-oracle", "5", "--json"))
        for name in ("oracle", "random")
    )
    for measured in (perfect, random):
        assert measured["positions"] == 200 and measured["game"] == "tictactoe"
        (result,) = measured["results"]
        assert result["simulations"] is None and result["value_error"] is None
        assert result["outcome_interval"][0] <= result["outcome"] <= result["outcome_interval"][1]
        assert sum(part["positions"] for part in result["categories"].values()) == 200
        for part in result["categories"].values():
            assert 0 <= part["exact"] <= part["outcome"] <= 1
        for side in ("first", "second"):
            games = result["against_oracle"][side]
            assert games["wins"] == 0 and games["wins"] + games["draws"] + games["losses"] == 5
            assert 1 <= games["distinct_games"] <= 5
    assert (perfect["results"][0]["outcome"], perfect["results"][0]["exact"]) == (1, 1)
    assert perfect["results"][0]["against_oracle"]["first"]["draws"] == 5
    assert random["results"][0]["outcome"] < 0.7


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of tic-tac-toe with an untrained network; its file."""
    monkeypatch.chdir(tmp_path)
    game = load("tictactoe")
    made = Run.create(tmp_path / "runs" / "first", "tictactoe", Parameters())
    network = build_network(game, NetworkParameters(blocks=1, filters=4), seed=1)
    save_network(made.version_path(0), network, game, 0, {})
    return made.version_path(0)


def test_a_run_is_measured_with_several_numbers_of_simulations(run: Path) -> None:
    measured = json.loads(evaluate("first@0", "--simulations", "0,400", "--json"))
    assert measured["game"] == "tictactoe"
    none, many = measured["results"]
    assert (none["simulations"], many["simulations"]) == (0, 400)
    assert none["outcome"] < 0.9 < many["outcome"]  # 400 simulations and proofs see to the end
    assert many["value_error"] < none["value_error"]


@pytest.mark.parametrize(
    ("name", "simulations"),
    [("net:first@0", [0]), ("search:first@0:3", [3]), ("first@0", [0, 64, 800])],
)
def test_without_simulations_the_name_says_how_many(run: Path, name: str, simulations: list[int]) -> None:
    found = json.loads(evaluate(name, "--json"))["results"]
    assert [result["simulations"] for result in found] == simulations


@slow
def test_a_games_name_with_its_size_is_its_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = evaluate("dots-and-boxes:2x2", "--simulations", "0")
    assert "agents/dots-and-boxes-2x2 on " in shown
    assert "(nought/oracle/positions/dots-and-boxes-2x2.csv)" in " ".join(shown.split())


def test_a_table_for_people_and_a_file_of_positions(run: Path, tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_text(
        "category,moves,scores\nlate,a1 b2 c3,b1:-3 c1:0 a2:0 c2:-1 a3:0 b3:-5\n"
    )
    shown = evaluate(str(run), "--positions", "some.csv", "--simulations", "5", "--against-oracle", "1")
    for text in (
        "on 1 positions of tictactoe",
        "5 simulations",
        "late",
        "as second player",
        "1 distinct games",
    ):
        assert text in shown


def test_your_own_game_is_measured_on_positions_made_on_the_spot(tmp_path: Path) -> None:
    import nought.games.tictactoe as tictactoe

    mine = tmp_path / "mine.py"
    mine.write_text(Path(str(tictactoe.__file__)).read_text())
    measured = json.loads(evaluate("oracle", "--game", str(mine), "--json"))
    assert measured["positions"] == 500
    assert measured["results"][0]["exact"] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nobody"], "there is no player 'nobody'"),
        (["random", "--game", "conect4"], "there is no game called 'conect4'"),
        (["random", "--positions", "none.csv"], "there is no file none.csv"),
        (["random", "--simulations", "5"], "random has no search"),
        (["rollout:5", "--simulations", "5,x"], "--simulations takes numbers"),
        (["rollout:5", "--simulations", "-1"], "--simulations takes numbers"),
        (["random", "--game", "othello", "--against-oracle", "1"], "not known from the start"),
        (["random", "--game", "connect4:8x8:5"], "has no test set"),
        (["first", "--game", "connect4"], "is a network for tictactoe"),
    ],
)
def test_bad_input_is_one_clear_line(run: Path, arguments: list[str], says: str) -> None:
    with pytest.raises(NoughtError, match=says) as caught:
        evaluate(*arguments)
    assert "\n" not in str(caught.value)


def test_a_file_of_another_game_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_text("moves,scores\n4,1:0\n")
    with pytest.raises(NoughtError, match="line 2: tictactoe: '4' is not a square"):
        evaluate("random", "--game", "tictactoe", "--positions", str(tmp_path / "some.csv"))


def test_connect4_is_measured_without_the_solver_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bitbully", None)
    assert json.loads(evaluate("random", "--json"))["positions"] == 1020
    with pytest.raises(NoughtError, match="pip install"):
        evaluate("random", "--against-oracle", "1")


def test_help_has_an_example() -> None:
    shown = CliRunner().invoke(app, ["evaluate", "--help"]).stdout
    assert "Example" in shown and "nought evaluate" in shown
