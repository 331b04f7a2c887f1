"""Compiled code is kept between test runs, apart from the user's; Ctrl-C works in the programs that tests start;
no test hangs; what was skipped is said at the end."""

import os
import signal
from pathlib import Path

import pytest

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
