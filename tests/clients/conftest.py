"""A real server, and a configuration folder of the test's own: a new account in each test."""

import pytest

from tests.games.samples import EXAMPLES, PROMOTIONS, RACE
from tests.support.real_server import serving


@pytest.fixture(autouse=True)
def own_configuration(tmp_path, monkeypatch):
    monkeypatch.setenv("NOUGHT_CONFIG", str(tmp_path / "config"))


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    (folder / "pawns.py").write_text(RACE + PROMOTIONS, encoding="utf-8")
    games = (f"{EXAMPLES / 'breakthrough.py'}:5x3", str(folder / "pawns.py"))
    with serving(folder, games=games) as site:
        yield site


@pytest.fixture
def site(running):
    running.faults.clear()
    running.refusals.clear()
    return running
