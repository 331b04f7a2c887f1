"""Which edits of a game's file make another game of it."""

import ast
from pathlib import Path

import pytest

import nought.games
from nought.games import builtin_games, load
from nought.games.fingerprint import changed_rules, rules_in, rules_of, same_rules
from nought.games.registry import game_from_source

TICTACTOE = Path(nought.games.__file__).with_name("tictactoe.py").read_text(encoding="utf-8")

ONLY_ITS_LOOK = {
    "a comment": ("def player(state):\n", "def player(state):  # 0 or 1\n"),
    "a docstring of the file": ("Tic-tac-toe: three in a row wins.", "Noughts and crosses."),
    "a docstring of a rule": ("def player(state):\n", 'def player(state):\n    """Who moves."""\n'),
    "an annotation": ("def player(state):\n", "def player(state: np.ndarray) -> int:\n"),
    "a line broken": ("    return state[MOVER]\n", "    return state[\n        MOVER\n    ]\n"),
    "a drawing": ("def planes", "def text(state):\n    return ' '.join(map(str, LINES))\n\n\ndef planes"),
    "names of moves": ("def planes", "def move_text(action):\n    return chr(65 + action)\n\n\ndef planes"),
    "colours": ("def planes", "SHADES = [i * MOVER for i in range(9)]\n\n\ndef planes"),
    "a table for the drawing": ("def planes", "T = {}\nfor i in range(9):\n    T[i] = LINES\n\n\ndef planes"),
    "a notation": ("LENGTH = 3  # in a row\n", 'NOTATION = "numbers"\n'),
    "an assertion": ("MOVER = 9\n", 'MOVER = 9\nassert MOVER, "there is somebody to move"\n'),
    "an import for the drawing": ("import numpy as np\n", "import string\n\nimport numpy as np\n"),
    "an annotated constant": ("MOVER = 9\n", "MOVER: int = 9\n"),
    "the longest game": ("LONGEST = 9\n", "LONGEST = 20\n"),
}
OTHER_RULES = {
    "a rule": ("state[MOVER] = 1 - state[MOVER]", "state[MOVER] = 1 & ~state[MOVER]", ["play"]),
    "a helper": ("range(8)", "range(7)", ["has_line"]),
    "a table": ("(2, 4, 6)]", "(0, 4, 8)]", ["LINES"]),
    "a table after it was made": ("\n\ndef has_line", "\nLINES[7] = 1\n\n\ndef has_line", ["LINES"]),
    "a table by a method": ("\n\ndef has_line", "\nLINES.sort()\n\n\ndef has_line", ["LINES"]),
    "a table by a function": (
        "\n\ndef has_line",
        "\nnp.fill_diagonal(LINES, 1)\n\n\ndef has_line",
        ["LINES"],
    ),
    "a table in a loop": (
        "\n\ndef has_line",
        "\nfor n in (1, 2):\n    LINES[n] = 1\n\n\ndef has_line",
        ["n"],
    ),
    "a constant": ("MOVER = 9\n", "MOVER = 10\n", ["MOVER"]),
    "the state": ("(np.int8, 10)", "(np.int16, 10)", ["STATE"]),
    "what the network sees": ("] = 1.0", "] = 0.5", ["planes"]),
    "a rule that was optional": (
        "def player",
        "def margin(state):\n    return 0\n\n\ndef player",
        ["margin"],
    ),
    "a number's kind": ("return 1.0", "return 1", ["result"]),
}


def edited(right: str, wrong: str) -> str:
    assert TICTACTOE.count(right) >= 1
    return TICTACTOE.replace(right, wrong, 1)


@pytest.mark.parametrize("edit", ONLY_ITS_LOOK)
def test_a_game_that_looks_otherwise_is_the_same(edit: str) -> None:
    source = edited(*ONLY_ITS_LOOK[edit])
    ast.parse(source)
    assert changed_rules(rules_in(TICTACTOE), rules_in(source)) == []
    assert same_rules(game_from_source("a.py", TICTACTOE), game_from_source("b.py", source))


@pytest.mark.parametrize("edit", OTHER_RULES)
def test_other_rules_are_named(edit: str) -> None:
    right, wrong, names = OTHER_RULES[edit]
    assert changed_rules(rules_in(TICTACTOE), rules_in(edited(right, wrong))) == names
    assert changed_rules(rules_in(edited(right, wrong)), rules_in(TICTACTOE)) == names


def test_sizes_are_rules() -> None:
    assert same_rules(load("connect4"), load("connect4:6x7:4"))
    assert changed_rules(rules_of(load("connect4")), rules_of(load("connect4:6x7:5"))) == ["SIZE"]


@pytest.mark.parametrize("name", builtin_games())
def test_every_rule_of_a_game_is_in_it(name: str) -> None:
    assert {
        "STATE",
        "ACTIONS",
        "PLANES",
        "player",
        "legal_moves",
        "play",
        "finished",
        "result",
        "planes",
    } <= set(rules_of(load(name)))


def test_hashes_do_not_depend_on_the_version_of_python() -> None:
    """Networks keep them: what is written here must stay."""
    assert rules_in("def play(state, action):\n    state[action] = 1.0 if state[0] else -2\n") == {
        "play": "630ee9013734"
    }


def test_what_is_no_file_of_rules_is_hashed_as_a_whole() -> None:
    assert list(rules_in("openspiel:hex")) == list(rules_in("no python at all (")) == ["the game"]
    assert rules_in("openspiel:hex") != rules_in("openspiel:chess")
