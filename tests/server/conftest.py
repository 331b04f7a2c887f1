"""Databases to test on: `url` runs a test on each; and a server that waits for perfect play on a busy machine, too."""

import pytest
from programs import LIMIT
from server.people_support import postgres, url

from nought.server import truth

__all__ = ["postgres", "url"]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truth, "PATIENCE", LIMIT)
