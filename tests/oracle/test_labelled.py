"""Labelled positions from files: those that come with the package, and files with something wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from nought.errors import NoughtError
from nought.games import load
from nought.oracle import find_oracle
from nought.oracle.labelled import Labelled, built_in_positions, read_positions
from nought.oracle.sample import sample_positions

CONNECT4 = load("connect4")
DOTS = load("dots-and-boxes:2x2")

COLUMNS = "moves,s1,s2,s3,s4,s5,s6,s7,value,outcome"
EDGES = "board,moves,net_so_far,edge_values,value,outcome"


def read(path: Path, text: str, game=CONNECT4) -> list[Labelled]:
    path = path / "positions.csv"
    path.write_text(text, encoding="utf-8")
    return read_positions(path, game)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("connect4", 1020),
        ("dots-and-boxes:2x2", 300),
        ("dots-and-boxes:3x3", 500),
        ("dots-and-boxes:4x4", 300),
        ("othello:6x6", 400),
        ("othello", 400),
        ("tictactoe", 200),
    ],
)
def test_the_built_in_sets_are_what_the_oracles_say(name: str, count: int) -> None:
    game = load(name)
    path = built_in_positions(game)
    assert path is not None and path.stat().st_size < 200_000
    labelled = read_positions(path, game)
    assert len(labelled) == count
    assert len({item.position for item in labelled}) == count
    telling = sum(len(item.truth.keeping) < len(item.position.legal) for item in labelled)
    assert telling >= 0.8 * count
    if name == "connect4":
        pytest.importorskip("bitbully")
        labelled = [item for item in labelled if item.category != "begin-hard"]  # the slow ones
    oracle = find_oracle(game)
    for item in labelled[::7]:
        assert oracle.judge(item.position) == item.truth


def test_the_built_in_positions_of_connect4_are_of_the_six_kinds_in_equal_numbers() -> None:
    path = built_in_positions(load("connect4:6x7:4"))
    assert path is not None
    labelled = read_positions(path, CONNECT4)
    for category in ("begin-easy", "begin-medium", "begin-hard", "middle-easy", "middle-medium", "end-easy"):
        assert sum(item.category == category for item in labelled) == 170


def test_games_without_a_test_set() -> None:
    assert built_in_positions(load("connect4:8x8:5")) is None
    assert built_in_positions(load("othello:4x4")) is None


def test_a_file_of_columns(tmp_path: Path) -> None:
    (item,) = read(tmp_path, f"{COLUMNS}\n4,-4,-2,-2,-1,-2,-2,-4,-1,-1\n")
    assert item.position == CONNECT4.position([3])
    assert (item.truth.best, item.truth.outcome, item.category) == ([3], -1, "begin")


def test_a_file_of_edges(tmp_path: Path) -> None:
    scores = "2:2 3:0 4:0 5:0 6:4 10:0"
    (item,) = read(tmp_path, f"{EDGES}\n2x2,9 8 0 7 1 11,0,{scores},4,1\n", DOTS)
    assert (item.truth.best, item.truth.keeping, item.category) == ([6], [2, 6], "middle")


def test_a_file_of_scores_with_a_category_and_a_byte_order_mark(tmp_path: Path) -> None:
    text = '\ufeffid,category,moves,scores\n1,mine,"a1 b2 c3",b1:-3 c1:0 a2:0 c2:-1 a3:0 b3:-5\n'
    (item,) = read(tmp_path, text, load("tictactoe"))
    assert (item.category, item.truth.keeping) == ("mine", [2, 3, 6])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: labelled positions have the columns moves"),
        ("a,b\n1,2\n", "line 1: labelled positions have the columns moves"),
        (f"{COLUMNS}\n", "has no positions"),
        (f"{COLUMNS}\n4,-4,-2,-2,-1,-2,-2,-4,-1,-1\n8,0,0,0,0,0,0,0,0,0\n", "line 3: .*'8' is not a column"),
        (f"{COLUMNS}\n1111111,0,0,0,0,0,0,0,0,0\n", "line 2: .*1 is not legal"),
        (f"{COLUMNS}\n1212121,0,0,0,0,0,0,0,0,0\n", "line 2: the game is over"),
        (f"{COLUMNS}\n111111,0,0,0,0,0,0,0,0,0\n", "line 2: it scores 7 moves, and not exactly the 6"),
        (f"{COLUMNS}\n4,x,-2,-2,-1,-2,-2,-4,-1,-1\n", "line 2: s1 is 'x', where a whole number"),
        (f"{COLUMNS}\n4,-4,-2,-2,-1,-2,-2,-4,3,-1\n", "line 2: value is 3, but .* it is -1"),
        (f"{COLUMNS}\n4,-4,-2,-2,-1,-2,-2,-4,-1,0\n", "line 2: outcome is 0, but .* it is -1"),
        (f"{COLUMNS}\n4,-4,-2\n", "line 2: it has fewer fields than line 1"),
        (f"{COLUMNS}\n4,-4,-2,-2,-1,-2,-2,-4,-1,-1,5\n", "line 2: it has more fields than line 1"),
        (f'{COLUMNS}\n"4,1,2\n', "line 2: not CSV"),
        ("moves,s1,s2\n1,0,0\n", "line 2: there is no column s3, which connect4 needs"),
        ("moves,scores\n4,1=5\n", "line 2: scores has '1=5', where MOVE:SCORE"),
        ("moves,scores,board\n4,1:5,8x8x4\n", "line 2: the board is 8x8x4, that of connect4 is 6x7x4"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(NoughtError, match=says) as caught:
        read(tmp_path, text)
    assert "\n" not in str(caught.value)


def test_boxes_so_far_must_fit_the_moves(tmp_path: Path) -> None:
    with pytest.raises(NoughtError, match=r"line 2: net_so_far is 1, but .* it is 0"):
        read(tmp_path, f"{EDGES}\n2x2,9 8 0 7 1 11,1,2:2 3:0 4:0 5:0 6:4 10:0,4,1\n", DOTS)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    for name, says in (
        ("none.csv", "there is no file"),
        (".", "cannot be read"),
        ("binary.csv", "not a text"),
    ):
        with pytest.raises(NoughtError, match=says):
            read_positions(tmp_path / name, CONNECT4)


def test_a_sample_of_a_small_game_is_true_and_has_no_position_twice() -> None:
    game = load("othello:4x4")
    oracle = find_oracle(game)
    sample = sample_positions(game, oracle, 50, seed=3)
    assert len({item.position for item in sample}) == len(sample) == 50
    assert all(item.truth == oracle.judge(item.position) for item in sample)
    assert sample == sample_positions(game, oracle, 50, seed=3)
    tiny = load("dots-and-boxes:1x1")
    assert len(sample_positions(tiny, find_oracle(tiny), 500)) < 30
