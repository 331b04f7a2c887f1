"""nought new, as it is typed."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from nought.cli import app
from nought.errors import NoughtError
from nought.games import load
from nought.games.conformance import check_game
from nought.games.examples import examples
from nought.games.fingerprint import same_rules


def written(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["new", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("size", ["", ":6x7:4", ":3x3"])
def test_the_game_is_right_as_it_is(size: str) -> None:
    said = written("mygame.py")
    assert "nought check mygame.py" in said
    report = check_game(load(f"mygame.py{size}"), games=20)
    assert report.passed, report.failures
    assert report.warnings == []


def test_it_is_short_and_every_rule_says_what_it_is_for() -> None:
    written("mygame.py")
    source = Path("mygame.py").read_text()
    assert len(source.splitlines()) < 100
    for rule in ("player", "legal_moves", "play", "finished", "result", "planes"):
        assert getattr(load("mygame.py").rules, rule).__doc__


@pytest.mark.parametrize("name", ["connect4", "tictactoe", *examples()])
def test_like_another_game(name: str) -> None:
    written("mine.py", "--like", name)
    like = load("mine.py")
    written("again.py", "--like", name)
    assert same_rules(like, load("again.py"))
    if name in ("connect4", "tictactoe"):
        assert same_rules(like, load(name))


def test_nothing_is_written_over() -> None:
    Path("mygame.py").write_text("mine")
    with pytest.raises(NoughtError, match="is there already"):
        written("mygame.py")
    assert Path("mygame.py").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["mygame"], "a game is a Python file: mygame.py, not mygame"),
        (["mygame.py", "--like", "chess"], "there is no game 'chess' to begin with; there are connect4, "),
        (["nowhere/mygame.py"], "nowhere"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], says: str) -> None:
    with pytest.raises(NoughtError) as caught:
        written(*arguments)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(Path().iterdir()) == []
