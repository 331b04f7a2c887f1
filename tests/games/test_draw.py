import io
from pathlib import Path
from textwrap import dedent

import pytest
from rich.console import Console

from nought.errors import NoughtError
from nought.games import Position, load
from nought.games.draw import STYLES, draw, status
from nought.games.notation import parse_moves
from nought.games.registry import game_from_source
from tests.games.broken import TICTACTOE
from tests.games.samples import example, race
from tests.support.programs import NOUGHT, run_program


def position(name: str, text: str) -> Position:
    game = load(name)
    return game.position(parse_moves(game, text))


def board(text: str) -> str:
    return dedent(text).strip("\n")


DRAWINGS = {
    ("tictactoe", "b3a1c1a2"): """
          a b c
        1 O · X
        2(O)· ·
        3 · X ·
        X to move
        """,
    ("connect4:4x5:4", "3344"): """
         │ · · · · · │
         │ · · · · · │
         │ · · O(O)· │
         │ · · X X · │
         └───────────┘
           1 2 3 4 5
        X to move
        """,
    ("connect4:2x10:4", "10 1"): """
         │  ·  ·  ·  ·  ·  ·  ·  ·  ·  · │
         │ (O) ·  ·  ·  ·  ·  ·  ·  ·  X │
         └───────────────────────────────┘
            1  2  3  4  5  6  7  8  9 10
        X to move
        """,
    ("othello:4x4", "b1"): """
          a b c d
        1 +(X)+ ·
        2 · X X ·
        3 + X O ·
        4 · · · ·
        O to move · X leads by 3
        """,
    ("dots-and-boxes:1x2", "0 2 5 3"): """
         •───• 1 •
         │ O ┃   4
         •───• 6 •
        O to move · O leads by 1
        """,
    ("dots-and-boxes:2x2", "0 1 2 3 4"): """
         •────•────•
         │    │    ┃
         • 5  • 6  •
         7    8    9
         • 10 • 11 •
        O to move
        """,
    ("connect4", "1212121"): """
         │ · · · · · · · │
         │ · · · · · · · │
         │(X)· · · · · · │
         │ X O · · · · · │
         │ X O · · · · · │
         │ X O · · · · · │
         └───────────────┘
           1 2 3 4 5 6 7
        X won
        """,
}


EXAMPLES = {
    ("breakthrough:6x5", "b2-b3 a5-b4 b3-c4 b6-a5"): """
          a b c d e
        6 O ∘ O O O
        5(O)O O O O
        4 · O X · ·
        3 · · · · ·
        2 X · X X X
        1 X X X X X
        X: top · O: bottom
        X to move
        """,
    ("hex:4", "b2c2a4b1"): """
          a b c d
        1 ·(O)· ·
         2 · X O ·
          3 · · · ·
           4 X · · ·
        X: top and bottom · O: left and right
        X to move
        """,
    ("kalah:4:12", "d1e3"): """
            a   b   c   d   e   f
        3      15  15  15  (1)
        2   2                   2
        1      15  14   2  15
        X to move
        """,
    ("race", "a1-a2 b4-b3 a2-a3 pass a3-a4=N"): """
          a b
        4(Q)·
        3 ∘ p
        2 · ·
        1 · ·
        X won
        """,
}


@pytest.mark.parametrize(("name", "moves"), EXAMPLES)
def test_drawings_of_other_boards(name: str, moves: str) -> None:
    game = race() if name == "race" else example(name)
    shown = game.position(moves)
    lines = f"{draw(shown)}\n{status(shown)}"
    assert board(lines) == board(EXAMPLES[name, moves])
    assert all(line == line.rstrip() for line in lines.splitlines())


@pytest.mark.parametrize(("name", "moves"), DRAWINGS)
def test_drawings(name: str, moves: str) -> None:
    shown = position(name, moves)
    lines = f"{draw(shown)}\n{status(shown)}"
    assert board(lines) == board(DRAWINGS[name, moves])
    assert all(line == line.rstrip() or "│" in line for line in lines.splitlines())


def test_players_keep_their_stones_and_colours() -> None:
    for moves in ("a1", "a1b2"):
        drawing = draw(position("tictactoe", moves))
        assert drawing.plain.splitlines()[1].strip(" 1()")[0] == "X"
        x = drawing.plain.index("X")
        assert [span.style for span in drawing.spans if span.start <= x < span.end] == [STYLES[0]]


def test_colour_in_a_terminal_and_plain_text_in_a_pipe() -> None:
    drawing = draw(position("othello", "f5d6"))
    for terminal in (True, False):
        out = io.StringIO()
        Console(file=out, force_terminal=terminal, color_system="truecolor" if terminal else "auto").print(
            drawing
        )
        assert ("\x1b[" in out.getvalue()) == terminal


def test_without_hints() -> None:
    assert "+" not in draw(position("othello", "f5"), hints=False).plain
    assert "4" not in draw(position("dots-and-boxes:1x2", "0"), hints=False).plain


def test_a_finished_game_with_points() -> None:
    assert status(position("othello", "f5d6c5f4e7f6g5e6e3")).plain == "X won by 13"
    assert status(position("tictactoe", "a1b1c1b2a2c2b3a3c3")).plain == "drawn"


def test_boxes_have_owners_only_when_the_moves_are_known() -> None:
    known = position("dots-and-boxes:1x1", "0 1 2 3")
    assert "O" in draw(known).plain
    unknown = draw(Position(known.game, known.state)).plain
    assert "■" in unknown
    assert "O" not in unknown


def test_wide_boards_of_dots_are_drawn_narrower() -> None:
    for name in ("dots-and-boxes:9x9", "dots-and-boxes:20x20"):
        assert max(map(len, draw(load(name).start()).plain.splitlines())) <= 83


def test_a_game_with_moves_by_number() -> None:
    game = game_from_source("numbered.py", TICTACTOE + '\nNOTATION = "numbers"\n')
    assert board(draw(game.position([4, 0])).plain) == board("""
        (O)1 2
         3 X 5
         6 7 8
        """)


def test_a_game_that_draws_itself() -> None:
    source = TICTACTOE + '\n\ndef text(state):\n    return "stones: " + str(np.count_nonzero(state[:9]))\n'
    assert draw(game_from_source("own.py", source).position([4, 0])).plain == "stones: 2"


def test_a_game_without_cells_or_second_plane() -> None:
    source = TICTACTOE.replace("PLANES = (2, 3, 3)", "PLANES = (1, 1, 4)").replace('"square"', '"none"')
    source = source[: source.index("def planes")] + "def planes(state, out):\n    out[0, 0, 1] = 1.0\n"
    position = game_from_source("bare.py", source).position([4])
    assert draw(position).plain == " · O · ·"


BAD_TEXT = "\n\ndef text(state):\n    return {0: 'X'}[int(state[0]) - 1]\n"


def test_a_drawing_that_fails_is_one_line_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "mygame.py"
    source = TICTACTOE + BAD_TEXT
    path.write_text(source, encoding="utf-8")
    says = f"{path}: text raises KeyError: -1 in line {len(source.splitlines())} of {path}"
    with pytest.raises(NoughtError) as caught:
        draw(load(str(path)).start())
    assert str(caught.value) == says
    played = run_program([*NOUGHT, "play", str(path), "--agent", "random"], input="a1\n")
    assert (played.returncode, played.stderr) == (2, f"nought: {says}\n")
    checked = run_program([*NOUGHT, "check", str(path), "--games", "1"])
    assert checked.returncode == 1
    assert f"text raises KeyError: -1 (line {len(source.splitlines())})" in checked.stdout


def test_a_rule_that_fails_is_one_line_with_its_place() -> None:
    source = TICTACTOE.replace("def finished(state):\n", "def finished(state):\n    return state[99]\n")
    game = game_from_source("mygame.py", source, path="mygame.py")
    with pytest.raises(
        NoughtError, match=r"mygame\.py: finished raises IndexError: .* in line \d+ of mygame\.py"
    ):
        _ = game.start().finished
