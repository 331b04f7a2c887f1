"""The games to start from: each is short, passes `nought check`, and is played as OpenSpiel plays it."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nought.games import Game, Position, load
from nought.games.conformance import check_game
from nought.games.examples import example_path, examples
from nought.games.notation import format_move
from nought.oracle import find_oracle

SIZES = {"breakthrough": ["5x3"], "gomoku": ["7x5:4"], "kalah": ["6:4"], "nim": ["2x2"], "twist": ["6x5"]}
NAMES = [
    f"{name}{size}" for name in examples() for size in ("", *(f":{size}" for size in SIZES.get(name, [])))
]


def example(name: str) -> Game:
    base, colon, size = name.partition(":")
    return load(f"{example_path(base)}{colon}{size}")


@pytest.mark.parametrize("name", NAMES)
def test_it_is_right(name: str) -> None:
    report = check_game(example(name), games=20)
    assert report.passed, report.failures
    assert report.warnings == []


@pytest.mark.parametrize("name", examples())
def test_it_is_short_and_says_what_it_is(name: str) -> None:
    assert len(example_path(name).read_text(encoding="utf-8").splitlines()) < 120
    game = example(name)
    assert len(game.description) > 20
    assert len(game.rules.__doc__.splitlines()) > 2  # the rules, for people


def test_no_other_file_is_an_example() -> None:
    assert {"breakthrough", "gomoku", "hex", "kalah", "nim", "twist"} <= set(examples())
    assert "__init__" not in examples()
    folder = Path(example_path("nim")).parent
    assert sorted(f"{name}.py" for name in examples()) == sorted(
        path.name for path in folder.glob("*.py") if not path.stem.startswith("_")
    )


# ---- beside OpenSpiel ------------------------------------------------------------------------------------------
def nim_action(position: Position, move: int) -> int:
    """Theirs: how many stones to take, and of which row."""
    row, left = divmod(move, 7)
    return (int(position.state[row]) - left - 1) * 4 + row


@pytest.mark.parametrize(
    ("name", "theirs", "action"),
    [
        ("gomoku", "mnk(m=9,n=9,k=5)", lambda _, move: move),
        ("gomoku:3x3:3", "tic_tac_toe", lambda _, move: move),
        ("nim", "nim(pile_sizes=1;3;5;7,is_misere=false)", nim_action),
    ],
)
def test_random_games_agree_with_openspiel(
    name: str, theirs: str, action: Callable[[Position, int], int]
) -> None:
    pyspiel: Any = pytest.importorskip("pyspiel")
    game, their_game = example(name), pyspiel.load_game(theirs)
    chance = random.Random(1)
    for _ in range(40):
        position, other = game.start(), their_game.new_initial_state()
        while not position.finished:
            assert other.current_player() == position.player
            assert sorted(action(position, move) for move in position.legal) == sorted(other.legal_actions())
            move = chance.choice(position.legal)
            other.apply_action(action(position, move))
            position = position.play(move)
        assert other.is_terminal()
        assert other.returns()[0] == position.result


def test_pentago_agrees_with_openspiel() -> None:
    """Theirs are moves of a stone and a turn at once."""
    pyspiel: Any = pytest.importorskip("pyspiel")
    game, their_game = example("twist:6x5"), pyspiel.load_game("pentago")
    turns = [0, 1, 2, 3, 6, 7, 4, 5]  # theirs of ours: clockwise round the board
    chance = random.Random(1)
    for _ in range(60):
        position, other = game.start(), their_game.new_initial_state()
        while not position.finished:
            assert other.current_player() == position.player
            assert {action // 8 for action in other.legal_actions()} == set(position.legal)
            stone = chance.choice(position.legal)
            turn = chance.choice(range(8))
            other.apply_action(8 * stone + turns[turn])
            position = position.play(stone).play(36 + turn)
        assert other.is_terminal()
        assert other.returns()[0] == position.result


# ---- by hand ---------------------------------------------------------------------------------------------------
def test_a_block_is_turned() -> None:
    game = example("twist")
    assert game.position([0, 17]).player == 1  # a stone in the corner, its block turned to the right
    assert game.position([0, 17]).planes()[1].nonzero() == ([0], [1])
    assert game.position([0, 16]).planes()[1].nonzero() == ([1], [0])
    assert game.position([0]).player == 0
    assert game.position([0]).legal == list(range(16, 24))


def test_a_turn_is_called_by_its_block() -> None:
    game = example("twist")
    assert format_move(game.start(), 5) == "b2"
    assert format_move(game.position([5]), 23) == "bottom-right-↻"
    assert game.position("b2 top-left-↺").moves == (5, 16)


def test_a_turn_can_win_for_either_player() -> None:
    game = example("twist")
    own = game.position([0, 22, 12, 22, 1, 22, 9, 22, 6])
    assert not own.finished
    assert (
        own.play(19).result == 1.0
    )  # the stone at the block's lower left comes beside the two in the first row
    assert not own.play(18).finished
    theirs = game.position([12, 22, 0, 22, 9, 22, 1, 22, 15, 22, 6, 22, 3])
    assert theirs.player == 0
    assert theirs.play(19).result == -1.0


def test_nim_is_lost_for_who_begins_and_truth_needs_no_code() -> None:
    game = example("nim")
    assert find_oracle(game).judge(game.start()).outcome == -1  # 1 ^ 3 ^ 5 ^ 7 == 0
    better = example("nim:2")
    assert find_oracle(better).judge(better.start()).outcome == 1
