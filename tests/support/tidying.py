"""No test hangs while it is tidied up: pytest-timeout has done its part once it has failed the test."""

import faulthandler
from collections.abc import Iterator

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key

LIMIT = 120.0  # seconds


class Tidying:
    """Ends the process, with a traceback, if what comes after a test takes too long; pytest-xdist starts another."""

    def __init__(self, limit: float = LIMIT) -> None:
        self.limit = limit

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        stderr = item.config.stash[fault_handler_stderr_fd_key]
        faulthandler.dump_traceback_later(self.limit, exit=True, file=stderr)
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()
