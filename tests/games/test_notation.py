import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nought.errors import NoughtError
from nought.games import Position, load
from nought.games.notation import column_letters, format_move, format_moves, parse_move, parse_moves
from nought.games.registry import game_from_source

NAMES = ["tictactoe", "connect4", "connect4:4x12:4", "dots-and-boxes:3x3", "othello", "othello:4x16"]


@pytest.mark.parametrize(
    ("name", "text", "moves"),
    [
        ("connect4", "44325", [3, 3, 2, 1, 4]),
        ("connect4", "4 4, 3 25\n", [3, 3, 2, 1, 4]),
        ("connect4:4x12:4", "10 2,12", [9, 1, 11]),
        ("othello", "f5d6c3", [37, 43, 18]),
        ("othello", " F5 d6,C3 ", [37, 43, 18]),
        ("othello:4x16", "p4a1", [63, 0]),
        ("dots-and-boxes", "0 7,23", [0, 7, 23]),
        ("tictactoe", "b2a1", [4, 0]),
        ("connect4", "", []),
    ],
)
def test_reading(name: str, text: str, moves: list[int]) -> None:
    assert parse_moves(load(name), text) == moves


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("connect4", "448", "connect4: move 3, at character 3: '8' is not a column (1 to 7)"),
        ("connect4", "x", "connect4: 'x' is not a column (1 to 7)"),
        ("connect4", "4 -1", "move 2, at character 3: '-1' is not a column"),
        ("connect4:4x12:4", "10121", "'10121' is not a column (1 to 12)"),
        ("othello", "f5z9", "move 2, at character 3: 'z9' is not a square (a1 to h8)"),
        ("othello", "f5 hello world", "move 2, at character 4: 'hello' is not a square"),
        ("othello", "e٥", "is not a square"),
        ("othello", "İ5", "is not a square"),
        ("dots-and-boxes", "0 24", "'24' is not a number (0 to 23)"),
        ("dots-and-boxes", "9" * 5000, "'99999999999999999999…' is not a number"),
    ],
)
def test_garbage(name: str, text: str, says: str) -> None:
    with pytest.raises(NoughtError) as caught:
        parse_moves(load(name), text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_what_is_written_can_be_read(name: str, data: st.DataObject) -> None:
    game = load(name)
    moves = data.draw(st.lists(st.integers(0, game.actions - 1)))
    assert parse_moves(game, format_moves(game, moves)) == moves
    assert parse_moves(game, " , ".join(format_move(game.start(), move) for move in moves)) == moves


@settings(max_examples=300, deadline=None)
@given(name=st.sampled_from(NAMES), text=st.text())
def test_any_text_is_moves_or_a_clear_error(name: str, text: str) -> None:
    game = load(name)
    try:
        moves = parse_moves(game, text)
    except NoughtError:
        return
    assert all(0 <= move < game.actions for move in moves)


def test_one_move() -> None:
    game = load("othello")
    assert parse_move(game.start(), " f5 ") == 37
    for text in ("", "f5d6"):
        with pytest.raises(NoughtError, match=r"one move is expected, not [02]; for example d3"):
            parse_move(game.start(), text)
    with pytest.raises(NoughtError, match=r"'z9' is not a square \(a1 to h8\); for example d3"):
        parse_move(game.start(), "z9")
    with pytest.raises(NoughtError, match="there is no move 64"):
        format_move(game.start(), 64)


def test_a_position_is_reached_by_numbers_or_by_text() -> None:
    game = load("connect4")
    assert game.position("44 5").moves == game.position([3, 3, 4]).moves == (3, 3, 4)
    assert game.position("") == game.start()
    with pytest.raises(NoughtError, match="'x' is not a column"):
        game.position("4x")


def test_letters_of_wide_boards() -> None:
    assert [column_letters(column) for column in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        "a", "z", "aa", "ab", "az", "ba", "zz", "aaa",
    ]  # fmt: skip


def test_squares_need_a_cell_for_each_action() -> None:
    from tests.games.broken import TICTACTOE

    game = game_from_source("twice.py", TICTACTOE + '\nCELL_OF_ACTION = [0] * 9\nNOTATION = "squares"\n')
    with pytest.raises(NoughtError, match="needs a CELL_OF_ACTION"):
        format_move(Position(game, game.zero_state()), 0)
    game = game_from_source("strange.py", TICTACTOE + '\nNOTATION = "chess"\n')
    with pytest.raises(NoughtError, match="NOTATION is squares, moves, columns, numbers, not 'chess'"):
        format_move(game.start(), 0)
