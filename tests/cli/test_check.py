"""nought games and nought check, as they are typed."""

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import nought.games
from nought.cli import app, main
from tests.support.programs import NOUGHT, run_program

TICTACTOE = Path(nought.games.__file__).with_name("tictactoe.py").read_text(encoding="utf-8")


def test_games_lists_the_games() -> None:
    result = CliRunner().invoke(app, ["games"])
    assert result.exit_code == 0
    for name in ("connect4", "dots-and-boxes", "othello", "tictactoe"):
        assert name in result.output


def test_a_right_game(tmp_path: Path) -> None:
    (tmp_path / "mygame.py").write_text(TICTACTOE, encoding="utf-8")
    result = CliRunner().invoke(app, ["check", str(tmp_path / "mygame.py"), "--games", "20"])
    assert result.exit_code == 0, result.output
    assert "mygame.py passes every check" in result.output
    assert "20, the longest of 9 moves" in result.output
    assert "8, all fit the rules" in result.output


def test_othello_has_symmetries_that_its_start_has_not() -> None:
    result = CliRunner().invoke(app, ["check", "othello:4x4", "--games", "3"])
    assert "8; the 4 that the starting position has fit the rules" in result.output


def test_a_broken_game(tmp_path: Path) -> None:
    source = TICTACTOE.replace("LONGEST = 9", "LONGEST = 6").replace("return 1.0", "return 2.0")
    (tmp_path / "mygame.py").write_text(source, encoding="utf-8")
    result = CliRunner().invoke(app, ["check", str(tmp_path / "mygame.py")])
    assert result.exit_code == 1
    assert "mygame.py fails 2 checks" in result.output
    assert "✗ the game goes on after LONGEST = 6 moves\n    after the moves " in result.output
    assert "✗ result is 2, not between -1 and 1\n    after the moves " in result.output


def test_a_warning_does_not_fail(tmp_path: Path) -> None:
    source = TICTACTOE.replace("STATE = (np.int8, 10)", "STATE = (np.int8, 11)")
    source = source.replace("    state[action] =", "    state[10] = action\n    state[action] =")
    (tmp_path / "mygame.py").write_text(source, encoding="utf-8")
    result = CliRunner().invoke(app, ["check", str(tmp_path / "mygame.py"), "--games", "20"])
    assert result.exit_code == 0
    assert "! the board looks as it does after " in result.output


@pytest.mark.parametrize("name", ["nosuch", "nosuch.py", "othello:3x3", "openspiel:nosuch", "tictactoe:9"])
def test_bad_input_is_one_line(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["nought", "check", name])
    with pytest.raises(SystemExit) as exit:
        main()
    assert exit.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("nought: ")
    assert err.count("\n") == 1


def test_the_command_itself() -> None:
    done = run_program([*NOUGHT, "check", "no such game"])
    assert done.returncode == 2
    assert done.stderr.startswith("nought: there is no game called 'no such game'; there are connect4")
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1
