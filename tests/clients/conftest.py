"""A real server, and a configuration folder of the test's own: a new account in each test."""

import pytest

from tests.support.real_server import serving


@pytest.fixture(autouse=True)
def own_configuration(tmp_path, monkeypatch):
    monkeypatch.setenv("NOUGHT_CONFIG", str(tmp_path / "config"))


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("server")) as site:
        yield site


@pytest.fixture
def site(running):
    running.faults.clear()
    running.refusals.clear()
    return running
