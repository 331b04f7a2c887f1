"""`nought runs`, and `nought train --resume` of runs that are finished, on the command line."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import nought.games.tictactoe as rules
from nought.learning.run import Run
from tests.support.command_line import refused
from tests.support.programs import NOUGHT, run_program
from tests.support.tiny_run import tiny_run

SMALL = [f"--set={setting}" for setting in (
    "network.filters=8", "network.blocks=1", "network.value_hidden=8", "search.simulations=4", "search.cache=1024",
    "selfplay.games=8", "selfplay.threads=1", "selfplay.positions=40", "learning.batch=32", "exam.games=0",
    "run.precision=float32",
)]  # fmt: skip
WITHOUT_TORCH = "import sys; sys.modules['torch'] = None; from nought.cli import main; main()"


def nought(folder: Path, *arguments: str, code: str = "", columns: int = 80) -> CompletedProcess[str]:
    """The command, in a process of its own; with `code` that Python runs instead."""
    command = [sys.executable, "-c", code] if code else NOUGHT
    return run_program([*command, *arguments], cwd=folder, env={**os.environ, "COLUMNS": str(columns)})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one whole run and many that are damaged, each in its own way."""
    folder = tmp_path_factory.mktemp("runs")
    whole = tiny_run(folder, "whole", **{"exam.games": 0})
    runs = folder / "runs"
    for name in ("no-config", "no-state", "cut-progress", "cut-memory", "bad-config", "no-game"):
        shutil.copytree(whole.folder, runs / name)
    (runs / "no-config" / "config.toml").unlink()
    (runs / "bad-config" / "config.toml").write_text("[")
    (runs / "no-game" / "game.json").unlink()
    shutil.rmtree(runs / "no-state" / "state")
    for path in (
        runs / "cut-progress" / "state" / "000002" / "progress.json",
        runs / "cut-memory" / "memory" / "000002.npz",
    ):
        path.write_bytes(path.read_bytes()[:20])
    return folder


def minutes(folder: Path) -> str:
    """What the whole run took, as it is listed."""
    return f"{Run(folder / 'runs' / 'whole').progress().minutes:.1f}"


def test_one_damaged_run_is_one_line_and_the_others_are_listed(folder: Path) -> None:
    listed = nought(folder, "runs", columns=200)
    assert listed.returncode == 0 and "Traceback" not in listed.stderr
    lines = listed.stdout.splitlines()
    rows = {line.split()[0]: line for line in lines if line.split()[1] == "tictactoe"}
    assert rows["whole"].split() == ["whole", "tictactoe", "2", "2", minutes(folder)]
    assert rows["cut-progress"].split()[2] == "1"  # it falls back
    said = {line.partition(":")[0]: line for line in lines if ":" in line}
    assert said.keys() == {"no-config", "no-state", "cut-progress", "cut-memory", "bad-config", "no-game"}
    for name, words in {
        "no-config": "config.toml is missing",
        "bad-config": "config.toml is damaged",
        "no-game": "game.json is missing",
        "no-state": "no whole state left",
        "cut-progress": "progress.json is damaged: --resume goes on from the state before",
        "cut-memory": "000002.npz is damaged: --resume goes on without its positions",
    }.items():
        assert words in said[name]
    assert len(lines) == 1 + len(rows) + len(said)


@pytest.mark.parametrize("columns", [40, 80])
def test_numbers_are_whole_in_a_narrow_terminal(folder: Path, columns: int) -> None:
    listed = nought(folder, "runs", columns=columns).stdout
    row = next(line for line in listed.splitlines() if line.startswith("whole"))
    assert row.split()[-3:] == ["2", "2", minutes(folder)] and "…" not in listed
    assert len(row) <= columns


def test_listing_and_a_finished_run_do_without_torch(folder: Path) -> None:
    assert nought(folder, "runs", code=WITHOUT_TORCH).returncode == 0
    finished = nought(folder, "train", "--resume", "whole", code=WITHOUT_TORCH)
    assert finished.returncode == 0, finished.stderr
    assert "whole is finished: 2 iterations" in finished.stdout
    assert "nought train --resume whole --minutes 10" in finished.stdout


def test_a_finished_run_learns_further_and_says_so(folder: Path) -> None:
    shutil.copytree(folder / "runs" / "whole", folder / "runs" / "further")
    went_on = nought(folder, "train", "--resume", "further", "--iterations", "1")
    assert went_on.returncode == 0, went_on.stderr
    said = " ".join(went_on.stdout.split())
    assert "further has learned for 2 iterations" in said and "it goes on for 1 iterations more" in said
    run = Run(folder / "runs" / "further")
    assert run.progress().iteration == 3
    assert (run.parameters.run.iterations, run.parameters.run.minutes, run.parameters.run.games) == (3, 0, 0)


def test_a_run_may_be_limited_by_games(folder: Path) -> None:
    made = nought(folder, "train", "tictactoe", "--run", "by-games", "--games", "10", *SMALL)
    assert made.returncode == 0, made.stderr
    run = Run(folder / "runs" / "by-games")
    assert run.progress().games >= 10 and run.parameters.run.minutes == 0
    assert "by-games is finished" in nought(folder, "train", "--resume", "by-games").stdout


def test_a_users_game_is_named_by_its_file_and_commands_can_be_pasted(folder: Path) -> None:
    (folder / "my games").mkdir()
    shutil.copyfile(rules.__file__, folder / "my games" / "noughts.py")
    made = nought(
        folder, "train", "my games/noughts.py", "--run", "mine", "--iterations", "1", *SMALL, columns=40
    )
    assert made.returncode == 0, made.stderr
    assert "play against it: nought play mine\n" in made.stdout  # which knows its game
    (folder / "runs" / "mine").rename(folder / "my games" / "mine")
    further = nought(folder, "train", "--resume", "my games/mine", columns=120)
    assert "nought train --resume 'my games/mine' --minutes 10" in further.stdout
    (folder / "my games" / "mine").rename(folder / "runs" / "mine")
    row = next(line for line in nought(folder, "runs", columns=120).stdout.splitlines() if "mine" in line)
    assert "my games/noughts.py" in row


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--resume", "whole", "--set", "search.simulations=9"], "a run keeps its parameters"),
        (["--resume", "whole", "--from", "agents/tictactoe"], "a run keeps its parameters"),
        (
            ["tictactoe", "--run", "whole"],
            "there is a run whole already: go on with `nought train --resume whole`",
        ),
        (["tictactoe", "--set", f"run.seed={2**63}"], "run.seed must be 9223372036854775807 or less"),
        (
            ["tictactoe", "--set", "network.filters=100000000"],
            "720 P weights at least and needs 17.3 EB to learn",
        ),
        (["tictactoe", "--set", "selfplay.threads=100000"], "selfplay.threads must be"),
        (["--resume", "no-state"], "no whole state left"),
        (["--resume", "no-config"], "config.toml is missing"),
    ],
)
def test_what_cannot_be_is_one_line(
    folder: Path,
    arguments: list[str],
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    assert says in refused(monkeypatch, capsys, "train", *arguments)
