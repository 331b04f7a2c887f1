import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nought.errors import NoughtError
from nought.games import Position, load
from nought.games.ground import column_letters
from nought.games.notation import (
    format_line,
    format_move,
    format_moves,
    how_written,
    move_names,
    parse_line,
    parse_move,
    parse_moves,
)
from nought.games.registry import game_from_source
from tests.games.samples import example, race, with_pass

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


ALL = {
    **{name: lambda name=name: load(name) for name in NAMES},
    **{
        name: lambda name=name: example(name)
        for name in ("breakthrough", "breakthrough:5x3", "hex", "kalah", "kalah:4:3")
    },
    "promotions": race,
}


@pytest.mark.parametrize("name", ALL)
def test_random_games_are_read_as_they_are_written(name: str) -> None:
    game, chance = ALL[name](), random.Random(name)
    for _ in range(5):
        position = game.start()
        while not position.finished:
            move = chance.choice(position.legal)
            written = format_move(position, move)
            assert parse_move(position, written) == parse_move(position, f" {written.upper()} ") == move
            position = position.play(move)
        text = format_moves(game, position.moves)
        assert tuple(parse_moves(game, text)) == position.moves
        assert tuple(parse_moves(game, ", ".join(move_names(game.start(), position.moves)))) == position.moves
        half = game.position(position.moves[: len(position.moves) // 2])
        rest = position.moves[len(half.moves) :]
        assert tuple(parse_line(half, format_line(half, rest))) == rest


def test_moves_from_square_to_square_are_those_of_the_board_whoever_moves() -> None:
    game = example("breakthrough:6x5")
    first = game.start()
    assert format_move(first, first.legal[0]) == "a2-a3"
    assert how_written(first) == "like a2-a3; a1 is at the bottom left"
    second = first.play(parse_move(first, "b2-c3"))
    assert {format_move(second, move)[:2] for move in second.legal} == {"a5", "b5", "c5", "d5", "e5"}
    assert parse_move(second, "a5b4") == parse_move(second, "a5xB4") == parse_move(second, "A5-B4")
    assert game.position("b2-c3 a5-b4").moves == game.position("b2c3,a5b4").moves


def test_a_move_that_is_not_legal_is_said_with_those_that_are() -> None:
    game = example("breakthrough:6x5")
    with pytest.raises(NoughtError, match="'a2-a4' is not a legal move here; legal: a2-a3 a2-b3 b2-a3"):
        parse_move(game.start(), "a2-a4")
    with pytest.raises(NoughtError, match="move 2, at character 7: 'b2-b3' is not a legal move here"):
        parse_moves(game, "a2-a3 b2-b3 c2-c3")
    with pytest.raises(NoughtError, match="one move is expected, not 2; for example a2-a3"):
        parse_move(game.start(), "a2-a3 b2-b3")
    won = race().position("a1-a2 b4-b3 a2-a3 b3-b2 a3-a4=n")
    with pytest.raises(NoughtError, match="'b2-b1=q' is not a legal move here; the game is over"):
        parse_move(won, "b2-b1=q")


def test_squares_of_a_board_that_is_turned_need_no_spaces() -> None:
    game = example("kalah")
    assert format_moves(game, [2, 0, 1]) == "d1b1f3"
    assert parse_moves(game, "d1b1f3") == parse_moves(game, "D1, b1 f3") == [2, 0, 1]


def test_a_move_without_a_cell_is_a_pass() -> None:
    game = with_pass()
    assert parse_moves(game, "b2passPASS a1") == [4, 9, 9, 0]
    assert format_moves(game, [4, 9]) == "b2pass"
    with pytest.raises(NoughtError, match=r"'past' is not a square \(a1 to c3, or pass\)"):
        parse_moves(game, "past")


def test_names_of_a_games_own_are_texts() -> None:
    from tests.games.broken import TICTACTOE

    game = game_from_source("own.py", TICTACTOE + "\n\ndef move_text(state, move):\n    return move\n")
    with pytest.raises(NoughtError, match="move_text returns 0, not a text"):
        format_move(game.start(), 0)
