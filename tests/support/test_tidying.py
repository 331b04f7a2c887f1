"""A test whose tidying up hangs costs a process, not the whole run."""

import os
import sys
from pathlib import Path

from tests.support.programs import run_program

CONFTEST = """
from tests.support.tidying import Tidying
def pytest_configure(config):
    config.pluginmanager.register(Tidying(1.0))
"""
TESTS = """
import time, pytest
@pytest.fixture
def stubborn():
    yield
    time.sleep(1000)
def test_hangs(stubborn): assert False
def test_afterwards(): pass
"""


def test_a_test_that_hangs_after_it_has_failed_ends(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(TESTS)
    environment = {"PYTHONPATH": str(Path(__file__).parents[2]), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-n", "1", str(tmp_path)]
    ended = run_program(command, cwd=tmp_path, env=os.environ | environment)
    assert ended.returncode == 1
    assert "crashed while running 'test_it.py::test_hangs'" in ended.stdout
    assert "2 failed, 1 passed" in ended.stdout
    assert "in stubborn" in ended.stderr
