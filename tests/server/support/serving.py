"""A server to test, in this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from nought.server.app import create_app
from nought.server.settings import ServerLimits, Settings

FREE = ServerLimits(rate=0)  # tests ask more in a second than people do


@contextmanager
def serving(folder: Path, limits: ServerLimits = FREE, **settings: Any) -> Iterator[TestClient]:
    """A client of a server whose files are all in this folder."""
    given: dict[str, Any] = {
        "database": f"sqlite:///{folder}/server.sqlite3",
        "runs": folder / "runs",
        "host_names": ("testserver",),
        "browsers_think": False,  # what is asked for only to see whether it can be is not made
        **settings,
    }
    with TestClient(create_app(Settings(**given, warm_up=False, limits=limits))) as client:
        yield client


@contextmanager
def serving_guest(folder: Path) -> Iterator[TestClient]:
    """The same, for a client that has an account."""
    with serving(folder) as client:
        token = client.post("/api/accounts").json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        yield client
