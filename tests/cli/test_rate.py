"""nought rate, as it is typed."""

import json
import re
import sys

import pytest
from typer.testing import CliRunner

from nought.agents import ladder
from nought.cli import app, main
from tests.support.tiny_run import tiny_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rate")
    tiny_run(folder)
    return folder


@pytest.fixture(autouse=True)
def here(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setattr(ladder, "KNOWN", ("random", "rollout:10"))
    monkeypatch.setattr(ladder, "MOST_VERSIONS", 2)


def run(*arguments):
    result = CliRunner().invoke(app, ["rate", "tiny", "--games", "4", "--simulations", "4", *arguments])
    assert result.exit_code == 0, result.output
    return result


def test_the_ladder_the_file_and_the_picture(folder):
    result = run("--versions", "all")
    for name in ("search:tiny@0:4", "search:tiny@1:4", "search:tiny@2:4", "random", "rollout:10", "oracle"):
        assert name in result.stdout
    assert "given" in result.stdout
    assert "standard scale, base 10" in result.stdout
    assert (folder / "runs/tiny/ratings.json").is_file()
    assert (folder / "runs/tiny/ratings.png").is_file()
    shown = CliRunner().invoke(app, ["replay", str(folder / "runs/tiny/tournament/ratings.jsonl")])
    assert shown.exit_code == 0 and re.search(r"expected \d+ %; visits: \S+ \d+ \(", shown.stdout)


def test_json_and_another_picture(tmp_path):
    facts = json.loads(run("--json", "--output", str(tmp_path / "elo.svg"), "--versions", "1,2").stdout)
    assert {entry["player"] for entry in facts["ratings"]} >= {"search:tiny@0:4", "search:tiny@1:4", "random"}
    assert (tmp_path / "elo.svg").is_file()


def test_a_choice_among_many_versions_is_said():
    assert "2 of 3 versions, evenly spaced" in run().stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nosuch"], "there is no run in runs/nosuch"),
        (["tiny", "--versions", "0,x"], "--versions takes all or numbers"),
        (["tiny", "--versions", "0,7"], "the run tiny has no version 7; it has 0 to 2"),
        (["tiny", "--games", "1"], "--games"),
    ],
)
def test_bad_input_is_one_line(arguments, says, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["nought", "rate", *arguments])
    with pytest.raises(SystemExit) as exit:
        main()
    assert exit.value.code == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
