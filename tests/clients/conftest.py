"""A server in memory, and a configuration folder of the test's own."""

import pytest

from tests.clients.stub_server import serving


@pytest.fixture(autouse=True)
def own_configuration(tmp_path, monkeypatch):
    monkeypatch.setenv("NOUGHT_CONFIG", str(tmp_path / "config"))


@pytest.fixture
def stub():
    with serving() as stub:
        yield stub
