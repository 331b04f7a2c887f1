"""nought can be imported where the system lacks what only some systems have."""

from __future__ import annotations

import pkgutil
import sys

import nought
from tests.support.programs import run_program

# What Linux has and Windows has not; the standard library and packages may use it where they find it.
IMPORT_ALL = """
import asyncio, importlib, multiprocessing, os, subprocess, sys
import filelock, torch, uvicorn
for module in ("fcntl", "grp", "pwd", "resource", "termios", "uvloop"):
    sys.modules[module] = None
for function in ("fork", "getuid", "geteuid", "killpg", "nice", "setsid"):
    delattr(os, function)
for module in sys.argv[1:]:
    try:
        importlib.import_module(module)
    except Exception as error:
        sys.exit(f"{module}: {error!r}")
print(len(sys.argv) - 1)
"""


def test_every_module_can_be_imported_without_what_only_unix_has() -> None:
    found = [
        module.name
        for module in pkgutil.walk_packages(nought.__path__, "nought.")
        if not module.name.endswith(("__main__", "migrations.env", "kaggle_agent"))  # they run when imported
    ]
    assert len(found) > 150
    child = run_program([sys.executable, "-c", IMPORT_ALL, *found])
    assert child.returncode == 0, child.stderr[-2000:]
    assert int(child.stdout) == len(found)
