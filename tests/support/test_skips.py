"""Nothing is skipped unseen: the line at the end of the tests, and the demand that all are run."""

import os
import sys
from pathlib import Path

import pytest

from tests.support.programs import run_program
from tests.support.skips import GPU, SCREEN

CONFTEST = """
from tests.support.skips import Skips
def pytest_configure(config):
    config.pluginmanager.register(Skips(config))
"""
PASSING = "def test_nothing(): pass\n"
GPU_ONLY = f"import pytest\n@pytest.mark.parametrize('n', [1, 2])\ndef test(n): pytest.skip({GPU!r})\n"
SCREEN_ONLY = f"import pytest\n@pytest.mark.skipif(True, reason={SCREEN!r})\ndef test(): pass\n"
WHOLE_FILE = "import pytest\npytest.importorskip('no_such_package')\ndef test(): pass\n"


def pytest_in(folder: Path, *files: str, processes: int = 0, demand: str = "") -> tuple[int, str]:
    """The tests of these files; the exit code, and what was printed."""
    (folder / "conftest.py").write_text(CONFTEST)
    for number, text in enumerate((PASSING, *files)):
        (folder / f"test_{number}.py").write_text(text)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "NOUGHT_ALL_TESTS": demand}
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-n", str(processes), str(folder)]
    ended = run_program(command, cwd=folder, env=environment | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    return ended.returncode, ended.stdout


@pytest.mark.parametrize("processes", [0, 2])
def test_one_line_says_how_many_were_skipped_for_want_of_what(tmp_path: Path, processes: int) -> None:
    code, said = pytest_in(tmp_path, GPU_ONLY, SCREEN_ONLY, WHOLE_FILE, processes=processes)
    assert code == 0
    (line,) = [line for line in said.splitlines() if "skipped: " in line]
    assert line.startswith(f"2 tests skipped: {GPU}; ")
    assert f"1 test skipped: {SCREEN}" in line
    assert "1 file skipped: could not import 'no_such_package'" in line


def test_nothing_skipped_nothing_said(tmp_path: Path) -> None:
    assert "skipped:" not in pytest_in(tmp_path)[1]


@pytest.mark.parametrize("processes", [0, 2])
@pytest.mark.parametrize("lacking", [SCREEN_ONLY, WHOLE_FILE])
def test_where_all_are_demanded_a_skip_fails(tmp_path: Path, lacking: str, processes: int) -> None:
    code, said = pytest_in(tmp_path, GPU_ONLY, lacking, processes=processes, demand="1")
    assert code == 1
    (line,) = [line for line in said.splitlines() if "NOUGHT_ALL_TESTS" in line]
    assert "no screen" in line or "no_such_package" in line
    assert GPU not in line


def test_what_nothing_can_be_installed_for_may_be_skipped(tmp_path: Path) -> None:
    code, said = pytest_in(tmp_path, GPU_ONLY, demand="1")
    assert code == 0 and "NOUGHT_ALL_TESTS" not in said
