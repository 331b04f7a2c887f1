"""What becomes of a run's game when its file is edited, broken or moved."""

from pathlib import Path

import pytest

import nought.games
from nought.config import Parameters
from nought.games.trust import remember
from nought.learning.run import Run

TICTACTOE = Path(nought.games.__file__).with_name("tictactoe.py").read_text(encoding="utf-8")
OTHER_RULES = TICTACTOE.replace("(0, 4, 8), (2, 4, 6)", "(0, 4, 8), (0, 4, 8)")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(TICTACTOE)
    return Run.create(Path("runs/mine-1"), "mine.py", Parameters()).folder


def edit(text: str) -> None:
    """The user edits the file, and has named it to some verb since."""
    Path("mine.py").write_text(text)
    remember(Path("mine.py"), text)


def test_a_file_that_is_as_it_was(folder: Path) -> None:
    run = Run(folder)
    assert (run.game.name, run.learned.name, run.learned.note) == ("mine.py", "mine.py", "")
    assert run.learned.copy == "runs/mine-1/game.py"
    assert run.name == "mine-1"


def test_a_new_look_is_shown(folder: Path) -> None:
    edit(TICTACTOE + "\n\ndef text(state):\n    return 'my drawing'\n")
    run = Run(folder)
    assert run.game.rules.text(None) == "my drawing"
    assert run.learned.note == ""


def test_other_rules_are_said_and_not_played(folder: Path) -> None:
    Path("mine.py").write_text(OTHER_RULES)
    run = Run(folder)
    assert run.game.source == TICTACTOE
    assert run.game.name == "runs/mine-1/game.py"
    assert run.learned.note == (
        "the rules in mine.py have changed since mine-1 began (LINES): it goes by those it has learned, "
        "runs/mine-1/game.py; `nought train mine.py --from mine-1` learns the new ones"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "there is no game file mine.py: the run has its own copy of it, runs/mine-1/game.py"),
        (
            TICTACTOE.replace("def player(state):", "def player(state)"),
            "line 29 of mine.py is not Python: the run has",
        ),
        (
            TICTACTOE + "\n1 / 0\n",
            "cannot be run: ZeroDivisionError: division by zero: the run has its own copy",
        ),
    ],
)
def test_a_file_that_cannot_be_used(folder: Path, text: str | None, says: str) -> None:
    Path("mine.py").unlink() if text is None else edit(text)
    run = Run(folder)
    assert says in run.learned.note
    assert run.game.source == TICTACTOE


def test_a_file_with_other_rules_is_not_run(folder: Path) -> None:
    Path("mine.py").write_text("from pathlib import Path\n\nPath('was run').touch()\n")
    assert "have changed" in Run(folder).learned.note
    assert not Path("was run").exists()


def test_a_size_belongs_to_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("four.py").write_text(Path(nought.games.__file__).with_name("connect4.py").read_text())
    folder = Run.create(Path("runs/four-1"), "four.py:5x5:3", Parameters()).folder
    assert Run(folder).game.size == (5, 5, 3)
    assert Run(folder).learned.note == ""
    Path("four.py").unlink()
    assert Run(folder).game.size == (5, 5, 3)


def test_a_game_that_comes_with_the_package_has_no_copy(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "runs" / "t", "tictactoe", Parameters())
    assert (run.learned.copy, run.learned.note, run.game.name) == ("", "", "tictactoe")
    assert run.name == str(tmp_path / "runs" / "t")
