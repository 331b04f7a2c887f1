"""Stepping through a game with keys, and line by line."""

import io
import re

import pytest
from rich.console import Console
from rich.text import Text

from nought.clients import replay
from nought.clients.replay import step_through
from nought.games import load
from nought.selfplay.record import GameRecord

TICTACTOE = load("tictactoe")
MOVES = (0, 4, 8, 2, 6, 3, 5)
RECORD = GameRecord(TICTACTOE, TICTACTOE.start(), MOVES, (), 0.0)


def visited(*pressed):
    """The moves that are shown, in their order, when these keys are pressed; what comes at once is one text."""
    keys, out = iter(pressed), io.StringIO()

    def read_key():
        try:
            return next(keys)
        except StopIteration:
            raise EOFError from None

    step_through((Text("a game"), RECORD), Console(file=out, width=80), read_key)
    assert list(keys) == []
    return [int(number) for number in re.findall(r"move (\d+):", out.getvalue())], out.getvalue()


RIGHT, LEFT, HOME, END = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"


@pytest.mark.parametrize(
    ("pressed", "moves"),
    [
        ([RIGHT, RIGHT, LEFT, RIGHT], [1, 2, 1, 2]),
        ([END, LEFT, HOME, RIGHT], [7, 6, 1]),
        ([RIGHT + RIGHT + RIGHT], [1, 2, 3]),  # a key that is held comes as one text
        (["\x1bOC", "\x1bOD", "\x1bOF", "\x1bOH"], [1, 7]),  # terminals in application mode
        (["\xe0M", "\x00M", "\xe0K", "\xe0O", "\xe0G"], [1, 2, 1, 7]),  # Windows
        (["\x1b[4~", "\x1b[1~", "\r"], [7, 1]),
        (["5", "\r", "b", " "], [5, 4, 5]),
        (["9", "9", "\r"], [7]),
        ([LEFT, LEFT, RIGHT], [1]),  # before the first position there is none
        ([END, RIGHT, RIGHT, LEFT], [7, 6]),
        (["x", "\x1b[A", "\t", "E"], [7]),
    ],
)
def test_keys_step_through_a_game(pressed, moves):
    assert visited(*pressed, "q")[0] == moves


def test_the_prompt_says_which_keys_there_are():
    shown = visited("q")[1]
    assert "0/7 ← → Home End q" in shown and "a number and Enter: that move" in shown


@pytest.mark.parametrize("last", ["q", "Q", "\x1b", ""])
def test_leaving(last):
    assert visited(RIGHT, last)[0] == [1]


def test_end_of_input_and_ctrl_c_leave_too():
    assert visited(RIGHT)[0] == [1]

    def interrupted():
        raise KeyboardInterrupt

    step_through((Text("a game"), RECORD), Console(file=io.StringIO()), interrupted)


def test_without_keys_it_asks_for_lines(monkeypatch):
    lines, out = iter(["", "", "b", "e", "3", "nonsense", "s", "q"]), io.StringIO()
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    step_through((Text("a game"), RECORD), Console(file=out, width=80))
    assert re.findall(r"move (\d+):", out.getvalue()) == ["1", "2", "1", "7", "3", "4"]
    assert replay.LINES_HELP and "Enter: next" in out.getvalue()
