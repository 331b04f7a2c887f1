"""What docs/guide/your-own-game.md shows is what happens."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from nought.errors import NoughtError
from nought.games import load
from nought.games.conformance import check_game
from nought.games.draw import draw, status
from nought.games.notation import parse_moves
from nought.games.registry import game_from_source
from tests.games.samples import EXAMPLES, RACE, example

DOCUMENT = Path(__file__).parents[2] / "docs" / "guide" / "your-own-game.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
GOMOKU, BREAKTHROUGH, KALAH, SESSION = re.findall("```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture(autouse=True)
def _in_a_folder_with_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gomoku.py").write_text(GOMOKU, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_the_game_is_short() -> None:
    assert len(GOMOKU.splitlines()) < 80


@pytest.mark.parametrize("name", ["gomoku.py", "gomoku.py:6x6:4", "gomoku.py:4x8"])
def test_the_game_is_right(name: str) -> None:
    assert name in TEXT
    report = check_game(load(name), games=20)
    assert report.passed, report.failures
    assert report.warnings == []


def test_five_in_a_row_wins() -> None:
    game = load("gomoku.py")
    won = game.position(parse_moves(game, "a1a2b1b2c1c2d1d2e1"))
    assert (won.finished, won.result) == (True, 1)
    falling = game.position(parse_moves(game, "a1i5b1h6c1g7d1f8i9e9"))
    assert (falling.finished, falling.result) == (True, -1)
    assert not game.position(parse_moves(game, "a1a2b1b2c1c2d1d2f1")).finished


@pytest.mark.parametrize(
    ("name", "shown", "moves"),
    [
        ("breakthrough", BREAKTHROUGH, "c2-d3 e5-d4 f2-e3"),
        ("kalah", KALAH, "d1b1"),
        ("hex", 'BOARD = "hexagons"\n', "c3b4d2"),
    ],
)
def test_the_examples_are_as_they_are_shown(name: str, shown: str, moves: str) -> None:
    source = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    assert shown in source
    assert (
        name != "breakthrough"
        or f"[`breakthrough.py`](../../nought/games/examples/breakthrough.py), which has {len(source.splitlines())} lines"
        in TEXT
    )
    position = example(name).position(moves)
    assert f"$ nought play {name}.py\n{draw(position).plain}\n{status(position).plain}\n```" in TEXT


def test_promotions_without_names_are_answered_as_shown() -> None:
    (finding,) = check_game(game_from_source("race.py", RACE), games=5).failures
    assert f"✗ {finding.message}\n" in TEXT


def test_sizes_that_cannot_be_played() -> None:
    with pytest.raises(NoughtError) as caught:
        load("gomoku.py:3x3")
    assert f"nought: {caught.value}\n" in TEXT


def test_the_mistake_shown() -> None:
    wrong = GOMOKU.replace("(1, 1), (1, -1)", "(1, 1)")
    assert wrong != GOMOKU
    Path("gomoku.py").write_text(wrong, encoding="utf-8")
    (finding,) = check_game(load("gomoku.py"), games=30).failures
    # which of the two is finished depends on the games played
    told, _, _ = finding.message.partition("finished: ")
    assert told != finding.message
    assert f"✗ {told}finished: " in TEXT


def test_the_compiler_message_shown() -> None:
    wrong = GOMOKU.replace("    return state[MOVER]\n", "    return int(any(s == 9 for s in state))\n")
    Path("gomoku.py").write_text(wrong, encoding="utf-8")
    (finding,) = check_game(load("gomoku.py"), games=1).failures
    assert f"✗ {finding.message}\n" in TEXT


def test_the_session_in_python() -> None:
    with redirect_stdout(io.StringIO()) as out:
        exec(SESSION, {})
    assert "5 · · · · X · · · ·" in out.getvalue()
