"""Seeds and numbers that are too large are refused in a line, or work."""

import re

import pytest
from typer.testing import CliRunner

from nought.cli import app
from nought.config import LARGEST_SEED
from tests.support.command_line import refused
from tests.support.tiny_run import tiny_run

SEEDED = [
    ("match", "random", "rollout:2", "--game", "tictactoe", "--games", "2"),
    ("evaluate", "rollout:2", "--game", "tictactoe", "--against-oracle", "1"),
    ("play", "tictactoe", "--agent", "rollout:2"),
    ("rate", "tiny", "--games", "2", "--simulations", "0", "--versions", "1"),
]


@pytest.mark.parametrize("verb", SEEDED, ids=lambda verb: verb[0])
@pytest.mark.parametrize("seed", [str(2**63), str(2**64), "9" * 5000, "-1", "x", "1.5", "²"])
def test_a_seed_beyond_64_bits_is_one_line(verb, seed, monkeypatch, capsys):
    assert "a seed is a whole number from 0 to" in refused(monkeypatch, capsys, *verb, f"--seed={seed}")


@pytest.mark.parametrize("verb", SEEDED, ids=lambda verb: verb[0])
def test_the_largest_seed_works(verb, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if verb[0] == "rate":
        tiny_run(tmp_path)
    result = CliRunner().invoke(app, [*verb, "--seed", str(LARGEST_SEED)], input="q\n")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("option", "limit"),
    [(("--openings", "100000000"), "10000"), (("--games", "99999999999999"), "1000000")],
)
def test_more_games_or_openings_than_anybody_waits_for(option, limit, monkeypatch, capsys):
    error = refused(monkeypatch, capsys, "match", "random", "random", *option)
    assert re.search(rf"'{option[0]}'.*\b{limit}\b", error)


def test_more_openings_than_the_match_has_pairs_are_not_looked_for():
    words = ["match", "random", "random", "--game", "tictactoe", "--games", "4", "--openings", "10000"]
    assert "4 games from 2 openings" in CliRunner().invoke(app, words).stdout


def test_a_game_with_few_openings_says_how_many():
    words = ["match", "random", "random", "--game", "tictactoe", "--games", "2000", "--opening-moves", "7"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert "tictactoe has hardly more than" in result.stderr and "different openings" in result.stderr
