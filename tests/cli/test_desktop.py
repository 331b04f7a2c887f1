"""nought desktop, from the command line, where it cannot open a window."""

import os
import sys

import pytest

from tests.support.programs import NOUGHT, run_program


def nought(*arguments, **environment):
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return run_program([*NOUGHT, "desktop", *arguments], env=kept | environment)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
def test_without_a_screen_it_says_so_in_one_line():
    run = nought("--server", "http://127.0.0.1:1")
    assert run.returncode == 2
    assert "no screen to open a window on" in run.stderr or "needs Tk" in run.stderr
    assert run.stderr.count("\n") == 1


def test_without_tk_it_says_what_to_install(tmp_path):
    (tmp_path / "tkinter.py").write_text("raise ImportError('No module named _tkinter')")
    run = nought("--server", "http://127.0.0.1:1", PYTHONPATH=str(tmp_path))
    assert run.returncode == 2
    assert "needs Tk" in run.stderr and "nought serve" in run.stderr
    assert run.stderr.count("\n") == 1


def test_an_address_that_is_none_is_said():
    run = nought("--server", "ftp://x")
    assert run.returncode == 2
    assert "is not the address of a server" in run.stderr or "needs Tk" in run.stderr
