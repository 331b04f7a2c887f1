"""nought play and nought bench, from the command line."""

import json

import pytest
from typer.testing import CliRunner

from nought.cli import app
from tests.support.programs import NOUGHT, run_program


def nought(*arguments, stdin=""):
    return run_program([*NOUGHT, *arguments], input=stdin)


def test_a_game_can_be_played_from_a_pipe():
    run = nought("play", "tictactoe", "--agent", "rollout:20", "--side", "first", stdin="b2\nq\n")
    assert run.returncode == 0, run.stderr
    assert "Left after" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "conect4"], "there is no game called 'conect4'"),
        (["play", "tictactoe", "--agent", "roll"], "there is no player 'roll'"),
        (["play", "tictactoe", "--agent", "rollout:x"], "there is no player 'rollout:x'"),
        (["play", "tictactoe", "--agent", "nobody"], "there is no player 'nobody'"),
        (["bench", "connect4:9x9"], "a board has 1 to 64 cells"),
        (["bench", "missing.py"], "there is no game file missing.py"),
        (["bench", "--precision", "int4"], "run.precision is auto, float32, bfloat16, int8, not 'int4'"),
        (["evaluate", "--precision", "int4"], "a precision is auto, float32, bfloat16, int8, not 'int4'"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_code_2(arguments, says):
    run = nought(*arguments)
    assert run.returncode == 2
    assert says in run.stderr
    assert run.stderr.count("\n") == 1
    assert "Traceback" not in run.stderr


def test_bench_prints_one_json_object_with_the_promised_fields():
    settings = ["--set", "selfplay.games=16", "--set", "learning.batch=32"]
    result = CliRunner().invoke(app, ["bench", "tictactoe", "--seconds", "0.1", "--json", *settings])
    assert result.exit_code == 0, result.output
    measured = json.loads(result.stdout)
    search = measured["search"]
    assert search["simulations_per_s_one_thread"] > 0
    assert search["simulations_per_s_all_threads"] > 0
    assert 0 < search["evaluations_saved"] < 1
    assert measured["compile"]["cold_s"] > measured["compile"]["warm_s"] > 0
    network = measured["network"]
    assert network["evaluations_per_s"] == network["by_precision"][network["precision"]] > 0
    assert set(network["by_precision"]) <= {"float32", "bfloat16", "int8"}
    assert "float32" in network["by_precision"] or network["device"] == "cuda"
    played = measured["selfplay"]
    assert min(played["simulations_per_s"], played["evaluations_per_s"], played["games_per_s"]) > 0
    assert played["games"] == 16 and measured["learning"]["batch"] == 32
    assert measured["learning"]["positions_per_s"] > 0


def test_help_has_an_example_for_every_verb():
    for verb in ("play", "check", "bench"):
        text = CliRunner().invoke(app, [verb, "--help"]).stdout
        assert f"nought {verb}" in text.replace("\n", " ")
        assert "Example" in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["plya"], "No such command 'plya'"),
        (["check"], "Missing argument"),
        (["check", "tictactoe", "--games", "0"], "--games"),
        (["play", "tictactoe", "--side", "third"], "--side"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_one_clear_line_too(arguments, says):
    run = nought(*arguments)
    assert run.returncode == 2
    assert says in run.stderr
    assert run.stderr.count("\n") == 1
