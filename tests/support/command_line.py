"""`nought` in the tests' own process: a program of its own takes seconds to start."""

import sys

import pytest

from nought.cli import main


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line with which a command line is refused; nothing else is said."""
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", ["nought", *words])
    with pytest.raises(SystemExit) as end:
        main()
    shown = capsys.readouterr()
    assert (end.value.code, shown.out) == (2, "")
    assert shown.err.startswith("nought: ") and shown.err.count("\n") == 1
    return shown.err
