"""Compiled code is kept between test runs, apart from the user's; Ctrl-C works in the programs that tests start;
no test hangs; what was skipped is said at the end; no core is idle and no time lost on what stays."""

import gc
import os
import signal
from pathlib import Path

import pytest

import nought  # noqa: F401  before the first test imports torch, which then waits as it does in our programs
from tests.support.compiling import compile_once
from tests.support.skips import Skips
from tests.support.tidying import Tidying

os.environ["NOUGHT_CACHE"] = str(Path(__file__).parents[1] / ".pytest_cache" / "nought")
os.environ["NOUGHT_CONFIG"] = str(Path(__file__).parents[1] / ".pytest_cache" / "config")
# A script that runs the tests in the background has SIGINT ignored, and so would every program they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Skips(config))
    config.pluginmanager.register(Tidying())
    compile_once()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """How many processes `-n auto` is: one more than there are cores, because every fourth waits (for a browser, a
    server, a program that starts), as far as there are 2 GB for each."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(cores + 1, memory // 2**31))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the page come first. Processes that run out of tests take others' last ones, and each that took some of
    these would start a server and browsers of its own."""
    items.sort(key=lambda item: item.path.parent.name != "web")


def pytest_collection_finish() -> None:
    """What the tests have imported stays: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()
