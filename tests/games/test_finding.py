"""Games in a folder: which files are taken for games, and that none of them is run to find out."""

from pathlib import Path

import nought.games
from nought.games.examples import FOLDER, examples
from nought.games.finding import find_games

TICTACTOE = Path(nought.games.__file__).with_name("tictactoe.py").read_text(encoding="utf-8")


def test_the_examples_are_found() -> None:
    found = find_games(FOLDER)
    assert [game.path.stem for game in found] == examples()
    assert not any(game.problem for game in found)


def test_only_games_are_found_and_nothing_is_run(tmp_path: Path) -> None:
    trap = "import pathlib\n\npathlib.Path('ran').touch()\nraise SystemExit('run')\n"
    (tmp_path / "script.py").write_text(trap)
    (tmp_path / "game.py").write_text(TICTACTOE + trap)
    (tmp_path / "_hidden.py").write_text(TICTACTOE)
    (tmp_path / "notes.txt").write_text(TICTACTOE)
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "other.py").write_text(TICTACTOE)
    (tmp_path / "large.py").write_text(TICTACTOE + "#" * 300_000)
    (tmp_path / "strange.py").write_bytes(b"\xff\xfe\x00")
    assert [game.path.name for game in find_games(tmp_path)] == ["game.py"]
    assert not Path("ran").exists()


def test_what_is_nearly_a_game_says_why_it_is_none(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(TICTACTOE.replace("def player(state):", "def player(state)"))
    (tmp_path / "partly.py").write_text(
        TICTACTOE.replace("def planes(", "def boards(").replace("ACTIONS", "MOVES")
    )
    broken, partly = find_games(tmp_path)
    assert broken.problem == "line 29 is not Python: expected ':'"
    assert partly.problem == "it does not define ACTIONS, planes"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert find_games(tmp_path / "nowhere") == []
