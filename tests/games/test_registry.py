"""Games by name, from files, from installed packages; and one clear line for what cannot be loaded."""

import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from nought.errors import NoughtError
from nought.games import builtin_games, load, registry
from tests.games.broken import TICTACTOE


def test_builtin_games() -> None:
    assert builtin_games()[:4] == ["connect4", "dots-and-boxes", "othello", "tictactoe"]
    for name in builtin_games():
        assert load(name).description.endswith(".")


def test_sizes() -> None:
    assert load("connect4:8x8").size == (8, 8, 4)
    assert load("connect4:5x5:4").size == (5, 5, 4)
    assert load("connect4:8").size == (8, 7, 4)
    assert {load(name).base for name in ("connect4", "connect4:8x8", "connect4:5x5:4")} == {"connect4"}
    assert load("tictactoe").size == ()
    assert load("dots-and-boxes:2x3").actions == 17
    assert load("connect4") == load("connect4")
    assert load("connect4") != load("connect4:6x8")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("chess", "there is no game called 'chess'; there are connect4, dots-and-boxes, othello, tictactoe"),
        ("", "is not the name of a game"),
        ("nosuch.py", "there is no game file nosuch.py"),
        ("folder/nosuch.py:3x3", "there is no game file folder/nosuch.py"),
        ("tictactoe:4x4", "this game has no sizes to choose"),
        ("connect4:1x2:3:4", "the game takes at most 3 numbers"),
        ("connect4:0x7", "sizes are whole numbers from 1 to 999"),
        ("connect4:1000x1", "sizes are whole numbers from 1 to 999"),
        ("connect4:axb", "there is no game called 'connect4:axb'"),
        ("othello:7x7", "rows and columns are even and 4 or more"),
        (f"connect4:{'9' * 5000}", "there is no game called"),
        (f"{'x' * 5000}.py", "there is no game file"),
        ("~nobody-of-this-name/mygame.py", "there is no game file"),
    ],
)
def test_wrong_names(name: str, says: str) -> None:
    with pytest.raises(NoughtError) as caught:
        load(name)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mygame.py"
    path.write_text(TICTACTOE.replace("ACTIONS = 9", "SIZE = (3, 3)\nACTIONS = 9"), encoding="utf-8")
    game = load(str(path))
    assert game.position([0, 3, 1, 4, 2]).result == 1
    assert load(f"{path}:4x4").rules.SIZE == (4, 4)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def player(state:\n", "line 1 of"),
        ("import nosuchmodule\n", "the game file cannot be run: ModuleNotFoundError"),
        ("x = 1\n", "the game does not define STATE, ACTIONS, PLANES, LONGEST, player, legal_moves"),
        ("assert False, 'boards are round'\n", "boards are round"),
        (TICTACTOE + "\nresult = 3\n", "result must be a function"),
        (TICTACTOE + "\nSTATE = 3\n", "STATE is (kind, count)"),
        (TICTACTOE + "\nSTATE = (np.float32, 3)\n", "STATE must be whole numbers"),
        (TICTACTOE + "\nACTIONS = 0\n", "must be 1 or more"),
        (TICTACTOE + "\nfrom textwrap import dedent\n", "dedent comes from another file (textwrap)"),
    ],
)
def test_files_that_are_no_games(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "mygame.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NoughtError) as caught:
        load(str(path))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "picture.py").write_bytes(b"\x89PNG\xff")
    with pytest.raises(NoughtError, match="cannot read the game file"):
        load(str(tmp_path / "picture.py"))
    with pytest.raises(NoughtError, match="there is no game file"):
        load(f"{tmp_path}/")


def test_a_game_from_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "board_games").mkdir()
    (tmp_path / "board_games" / "__init__.py").touch()
    (tmp_path / "board_games" / "noughts.py").write_text(TICTACTOE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [
        EntryPoint("noughts", "board_games.noughts", "nought.games"),
        EntryPoint("lost", "board_games.lost", "nought.games"),
        EntryPoint("gone", "no_such_package.game", "nought.games"),
    ]
    monkeypatch.setattr(registry, "installed", lambda: EntryPoints(points))
    assert builtin_games()[4:] == ["gone", "lost", "noughts"]
    assert load("noughts").position([0, 3, 1, 4, 2]).result == 1
    assert "board_games.noughts" not in sys.modules  # read, not imported
    for name in ("lost", "gone"):
        with pytest.raises(NoughtError, match=f"{name}: the installed game should be the module"):
            load(name)
