"""Rules that came from elsewhere do not run before they are confirmed."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

import nought.games.tictactoe as rules
from nought.agents import learned_game
from nought.errors import NoughtError, Untrusted
from nought.games import load
from nought.games.registry import load_found
from nought.games.trust import known, remember
from nought.learning.run import Run
from nought.network.checkpoint import save_network
from nought.network.resnet import build_network
from nought.presets import override, preset
from nought.selfplay.record import read_games
from nought.server.runs import TrainingRuns
from tests.support.programs import NOUGHT, run_program
from tests.support.skips import slow
from tests.support.tiny_run import TINY

PARAMETERS = override(preset("best", "tictactoe"), TINY | {"exam.games": 0})


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration of somebody who has never run anything."""
    folder = tmp_path / "config"
    monkeypatch.setenv("NOUGHT_CONFIG", str(folder))
    return folder


def evil(tmp_path: Path, name: str = "evil.py") -> tuple[Path, Path]:
    """Rules that leave a trace when they run, and where that is."""
    trace, path = tmp_path / "trace", tmp_path / name
    source = Path(rules.__file__).read_text(encoding="utf-8")
    path.write_text(f"{source}\nopen({str(trace)!r}, 'a').close()\n", encoding="utf-8")
    return path, trace


def strangers_run(tmp_path: Path) -> tuple[Path, Path]:
    """A run whose rules were never seen here, and the trace that they leave when they run."""
    path, trace = evil(tmp_path)
    run = Run.create(tmp_path / "runs" / "theirs", "tictactoe", PARAMETERS)
    shutil.copyfile(path, run.folder / "game.py")
    path.unlink()
    facts = {"name": str(path), "file": True, "size": ""}
    (run.folder / "game.json").write_text(json.dumps(facts), encoding="utf-8")
    return run.folder, trace


def test_listing_runs_nothing(tmp_path: Path) -> None:
    folder, trace = strangers_run(tmp_path)
    Run(folder).progress()
    Run(folder).damage()
    assert [run.name for run in TrainingRuns(folder.parent).summaries()] == ["theirs"]
    listed = run_program([*NOUGHT, "runs"], cwd=tmp_path)
    shown = run_program([*NOUGHT, "runs", "theirs"], cwd=tmp_path)
    assert listed.returncode == shown.returncode == 0, shown.stderr
    assert "theirs" in listed.stdout and "theirs" in shown.stdout
    assert not trace.exists()


def test_rules_that_came_from_elsewhere_do_not_run_before_they_are_confirmed(tmp_path: Path) -> None:
    folder, trace = strangers_run(tmp_path)
    for wanted in (
        lambda: Run(folder).game,
        lambda: Run(folder).__enter__(),
        lambda: load_found(str(folder / "game.py")),
    ):
        with pytest.raises(Untrusted, match="came from elsewhere"):
            wanted()
    assert not trace.exists() and not (folder / "lock").exists()
    text = (folder / "game.py").read_text(encoding="utf-8")
    remember(folder / "game.py", text)
    assert known(text) and Run(folder).game.actions == 9 and trace.exists()
    (folder / "game.py").write_text(text + "\n# another\n", encoding="utf-8")
    with pytest.raises(Untrusted):  # what was confirmed is this text and no other
        Run(folder).game  # noqa: B018


def test_a_run_of_ones_own_asks_nothing(tmp_path: Path) -> None:
    path, trace = evil(tmp_path)
    run = Run.create(tmp_path / "runs" / "mine", str(path), PARAMETERS)
    path.unlink()
    assert trace.exists() and Run(run.folder).game.actions == 9


def test_a_game_json_with_a_path_is_damaged(tmp_path: Path) -> None:
    path, trace = evil(tmp_path)
    run = Run.create(tmp_path / "runs" / "theirs", "tictactoe", PARAMETERS)
    for name in (str(path), os.path.relpath(path), f"{path}:3x3"):
        facts = {"name": name, "file": False, "size": ""}
        (run.folder / "game.json").write_text(json.dumps(facts), encoding="utf-8")
        with pytest.raises(NoughtError, match="is a file, not the name of a game"):
            Run(run.folder)
    assert not trace.exists()


@pytest.mark.parametrize("size", ["/../../evil.py", ":3x3/../x.py", ":x", "\n"])
def test_a_size_is_a_size(tmp_path: Path, size: str) -> None:
    run = Run.create(tmp_path / "runs" / "theirs", "tictactoe", PARAMETERS)
    facts = {"name": "mygame.py", "file": True, "size": size}
    (run.folder / "game.json").write_text(json.dumps(facts), encoding="utf-8")
    with pytest.raises(NoughtError, match="is no size"):
        Run(run.folder)


def test_the_name_in_a_networks_file_or_a_games_file_runs_nothing(tmp_path: Path) -> None:
    path, trace = evil(tmp_path)
    game = load("tictactoe")
    game.name = str(path)
    weights = tmp_path / "weights.safetensors"
    save_network(weights, build_network(game, PARAMETERS.network), game, 0, {})
    (tmp_path / "games.jsonl").write_text(json.dumps({"game": str(path), "moves": [4]}), encoding="utf-8")
    for wanted in (lambda: learned_game(str(weights)), lambda: read_games(tmp_path / "games.jsonl")):
        with pytest.raises(Untrusted):
            wanted()
    assert not trace.exists()


@slow
def test_on_the_command_line_trust_is_a_word_before_the_verb(tmp_path: Path) -> None:
    _, trace = strangers_run(tmp_path)
    resume = ("train", "--resume", "theirs", "--json")
    refused = run_program([*NOUGHT, *resume], cwd=tmp_path)
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1
    assert "came from elsewhere" in refused.stderr and "--trust" in refused.stderr and not trace.exists()
    assert run_program([*NOUGHT, "--trust", *resume], cwd=tmp_path).returncode == 0
    assert trace.exists()
    assert run_program([*NOUGHT, *resume], cwd=tmp_path).returncode == 0  # from now on
