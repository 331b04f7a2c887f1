"""Files that say odd things: each was a traceback once, and is one line now."""

from collections.abc import Callable
from pathlib import Path

import pytest

from nought.errors import NoughtError
from nought.games import Game, load
from nought.games.board import scene
from tests.games.broken import TICTACTOE


def start(game: Game) -> None:
    scene(game.start())


@pytest.mark.parametrize(
    ("more", "ask", "says"),
    [
        ("STATE = {}", start, "STATE is (kind, count)"),
        ("LONGEST = float('inf')", start, "STATE is (kind, count)"),
        ("def player(state): return 3", lambda game: game.start().player, "player returns 3, not 0 or 1"),
        ("def player(state): return None", lambda game: game.start().player, "player returns 'None'"),
        ("def result(state): return 'won'", lambda game: game.position("a1a2b1b2c1").result, "is no number"),
        ("def legal_moves(state, moves):\n    moves[0] = 9\n    return 1", lambda game: game.start().legal, "none"),
        ("def legal_moves(state, moves): return 10", lambda game: game.start().legal, "10 moves"),
        ("def legal_moves(state, moves): return -1", lambda game: game.start().legal, "-1 moves"),
        ("BOARD_COLOURS = 3", lambda game: game.ground, "its ground cannot be read"),
        ("BOARD = np.arange(9)", lambda game: game.ground, "its ground cannot be read"),
        ("NOTATION = np.arange(9)", lambda game: game.notation, "its notation cannot be read"),
        ("def picture(state): return [np.arange(9)] * 9", start, "a thing is None, a player (0 or 1)"),
    ],
)  # fmt: skip
def test_what_a_file_says_is_checked(
    tmp_path: Path, more: str, ask: Callable[[Game], object], says: str
) -> None:
    file = tmp_path / "odd.py"
    file.write_text(f"{TICTACTOE}\n\n{more}\n", encoding="utf-8")
    with pytest.raises(NoughtError) as caught:
        ask(load(str(file)))
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_a_size_that_is_no_size(tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    file.write_text(f"SIZE = 1.5\n{TICTACTOE}", encoding="utf-8")
    with pytest.raises(NoughtError, match="SIZE is a tuple"):
        load(f"{file}:3x3")


def test_a_description_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    file.write_text(f"{TICTACTOE}\n__doc__ = (1, 2)\n", encoding="utf-8")
    assert load(str(file)).description == load(str(file)).explanation == ""
