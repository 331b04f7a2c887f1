"""Databases to test on: `url` runs a test on each; and a server that waits for perfect play on a busy machine, too."""

import pytest

from nought.server.thinking import oracles
from tests.server.support.people import postgres, url
from tests.support.programs import LIMIT

__all__ = ["postgres", "url"]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracles, "TIMEOUT", LIMIT)
