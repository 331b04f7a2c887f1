"""Temporary folders of processes that were killed are removed by the next one; those in use never."""

import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import pytest

from nought.scratch import LOCK, NEW, ScratchFolder
from tests.support.programs import Program

HOLD = """
import time
from nought.scratch import ScratchFolder
held = ScratchFolder('try')
print(held.path, flush=True)
time.sleep(250)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def make_old(folder: Path) -> None:
    then = time.time() - 2 * NEW
    os.utime(folder / LOCK, (then, then))


def test_a_killed_process_leaves_nothing_for_long(tmp_path: Path) -> None:
    program = Program([sys.executable, "-c", HOLD], tmp_path)
    try:
        folder = Path(program.until(lambda: program.output.endswith("\n") and program.output.strip()))
        make_old(folder)
        with ScratchFolder("try"):
            assert folder.exists()  # somebody uses it
    finally:
        os.kill(program.process.pid, signal.SIGKILL)
        program.end()
    with ScratchFolder("another"):
        assert folder.exists()
    with ScratchFolder("try") as own:
        assert own.is_dir() and not folder.exists()
    assert not own.exists()


def test_what_is_new_or_nobodys_stays(tmp_path: Path) -> None:
    new, strange = tmp_path / "nought-try-new", tmp_path / "nought-try-strange"
    for folder in (new, strange):
        folder.mkdir()
    (new / LOCK).touch()  # as in the moment before it is locked
    ScratchFolder("try").close()
    assert new.exists() and strange.exists()
    make_old(new)
    ScratchFolder("try").close()
    assert not new.exists() and strange.exists()
