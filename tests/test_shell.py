"""Commands that a person can copy into a shell."""

import os
import shlex

from nought.shell import command


def test_plain_words_stay_as_they_are():
    assert command("train", "--resume", "connect4-1") == "nought train --resume connect4-1"


def test_what_the_shell_would_take_apart_is_quoted():
    words = ["play", "my games/it's $HOME.py", "--agent", "program:./other --fast", "*"]
    assert shlex.split(command(*words)) == ["nought", *words]


def test_windows_has_quotes_of_its_own(monkeypatch):
    monkeypatch.setattr(os, "name", "nt")
    assert command("replay", "my game.json") == 'nought replay "my game.json"'
