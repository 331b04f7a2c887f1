"""nought match, as it is typed."""

import json
import sys

import pytest
from typer.testing import CliRunner

from nought.cli import app, main


def run(*arguments):
    result = CliRunner().invoke(app, ["match", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_json_has_the_promised_fields_and_they_agree():
    facts = json.loads(run("rollout:30", "random", "--game", "tictactoe", "--games", "20", "--json"))
    wins, draws, losses = (facts[key] for key in ("wins", "draws", "losses"))
    assert wins + draws + losses == facts["distinct_games"] <= facts["games"] == 20
    assert facts["score"] == pytest.approx((wins + draws / 2) / facts["distinct_games"])
    assert facts["elo_low"] < facts["elo"] < facts["elo_high"]
    assert facts["scale"] == "standard scale, base 10"
    assert (facts["a"], facts["b"]) == ("rollout:30", "random")
    for key, count in (("wins", wins), ("draws", draws), ("losses", losses)):
        assert facts["as_first"][key] + facts["as_second"][key] == count


def test_a_seed_repeats_the_match():
    arguments = ("rollout:5", "random", "--game", "tictactoe", "--games", "12", "--json")
    assert run(*arguments, "--seed", "3") == run(*arguments, "--seed", "3") != run(*arguments, "--seed", "4")


def test_from_the_start_position_only(tmp_path):
    path = tmp_path / "games.jsonl"
    arguments = (
        "random",
        "random",
        "--game",
        "tictactoe",
        "--games",
        "10",
        "--openings",
        "0",
        "--save",
        str(path),
    )
    assert "from 1 opening" in run(*arguments)
    games = [json.loads(line) for line in path.read_text().splitlines()]
    assert len({game["moves"][0] for game in games}) > 1
    shown = CliRunner().invoke(app, ["replay", str(path), "--game", "2"])
    assert shown.exit_code == 0
    assert "move 5" in shown.stdout


def test_the_table_and_the_default_game():
    text = run("rollout:20", "random", "--games", "8")
    assert "rollout:20 against random, connect4" in text
    assert "moving second" in text
    assert "standard scale, base 10" in text
    assert "8 games from 4 openings, all different" in text


def test_stopping_early_says_so():
    text = run("rollout:60", "random", "--games", "500", "--stop-early", "--elo1", "200")
    assert "stopped early: rollout:60 is stronger" in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nobody", "random"], "there is no player 'nobody'"),
        (["random", "rollout:0"], "1 to 1000000"),
        (["random", "random", "--game", "conect4"], "there is no game called 'conect4'"),
        (["random", "random", "--games", "1"], "--games"),
        (
            ["random", "random", "--stop-early", "--elo0", "9", "--elo1", "9"],
            "--elo0 must be less than --elo1",
        ),
        (
            ["random", "random", "--game", "tictactoe", "--games", "2", "--save", "missing/x.jsonl"],
            "missing/x.jsonl cannot be written: there is no folder missing",
        ),
    ],
)
def test_bad_input_is_one_line(arguments, says, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["nought", "match", *arguments])
    with pytest.raises(SystemExit) as exit:
        main()
    assert exit.value.code == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
