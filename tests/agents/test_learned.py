"""A run knows its game, whatever way it is named."""

from pathlib import Path

import pytest

import nought.games
from nought.agents import agent, learned, learned_game, names_network
from nought.cli.shared import game_of
from nought.config import NetworkParameters, Parameters
from nought.errors import NoughtError
from nought.games import load
from nought.learning.run import Run
from nought.network import build_network, save_network

TICTACTOE = Path(nought.games.__file__).with_name("tictactoe.py").read_text(encoding="utf-8")
OTHER_RULES = TICTACTOE.replace("(0, 4, 8), (2, 4, 6)", "(0, 4, 8), (0, 4, 8)")


def run_in(folder: Path) -> Run:
    run = Run.create(folder, "mine.py", Parameters())
    network = build_network(run.game, NetworkParameters(blocks=1, filters=4), seed=0)
    save_network(run.version_path(0), network, run.game, 0, {})
    return run


@pytest.fixture(autouse=True)
def _a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(TICTACTOE)
    run_in(Path("runs/mine-1"))
    run_in(Path("elsewhere/mine-2"))


NAMES = [
    "mine-1",
    "runs/mine-1",
    "runs/mine-1/",
    "runs/mine-1@0:50",
    "net:runs/mine-1@best",
    "search:elsewhere/mine-2:8",
    "elsewhere/mine-2",
    "runs/mine-1/versions/0000.safetensors",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_run_is_named_by_its_folder_too(name: str) -> None:
    game = learned_game(name)
    assert game is not None and game.name == "mine.py"


@pytest.mark.parametrize("name", NAMES)
def test_what_is_played_against_and_what_is_played(name: str) -> None:
    assert names_network(name)


@pytest.mark.parametrize(
    "name", ["connect4", "othello:6x6", "mine.py", "mine.py:3x3", "nosuch", "random", "runs/x"]
)
def test_games_and_other_names_are_no_networks(name: str) -> None:
    assert not names_network(name)


def test_a_file_that_has_changed_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert game_of("rollout:400", "mine-1").name == "mine.py"
    assert capsys.readouterr().err == ""
    Path("mine.py").write_text(OTHER_RULES)
    assert game_of("mine-1").name == "runs/mine-1/game.py"
    told = capsys.readouterr().err
    assert told.startswith("the rules in mine.py have changed since mine-1 began (LINES)")
    assert told.count("\n") == 1
    assert game_of("rollout:400").name == "connect4"


def test_a_version_s_file_in_a_run_has_the_run_s_game() -> None:
    Path("mine.py").unlink()
    found = learned("runs/mine-1/versions/0000.safetensors")
    assert found is not None and found.game.source == TICTACTOE and "no game file mine.py" in found.note


def test_a_run_does_not_play_by_other_rules() -> None:
    Path("mine.py").write_text(OTHER_RULES)
    with pytest.raises(NoughtError) as caught:
        agent("mine-1", load("mine.py"))
    message = str(caught.value)
    assert (
        "the rules of mine.py have changed since runs/mine-1/versions/0000.safetensors learned them"
        in message
    )
    assert message.endswith("`nought play mine-1` plays by the rules it has learned")


def test_no_run_is_made_in_another_folder() -> None:
    with pytest.raises(NoughtError, match="there is no file nowhere/mine-1, and no run"):
        learned("nowhere/mine-1")
