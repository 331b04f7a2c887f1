"""A server that listens, in a thread: for what happens below HTTP."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from nought.server.http.common import Common
from nought.server.run import configured, listen, within_the_system
from nought.server.settings import ServerLimits, Settings
from tests.support.programs import until


@contextmanager
def listening(folder: Path, limits: ServerLimits, host: str = "127.0.0.1", **settings: Any) -> Iterator[int]:
    """The port of a server whose files are all in this folder."""
    given = Settings(
        database=f"sqlite:///{folder}/server.sqlite3",
        runs=folder / "runs",
        warm_up=False,
        limits=limits,
        **settings,
    )
    given = within_the_system(given)
    server, listener = uvicorn.Server(configured(given, Common.alone(given))), listen(host, 0)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        until(lambda: server.started)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def connect(port: int, address: str = "127.0.0.1") -> socket.socket:
    """A connection from one of this machine's addresses (all of 127.0.0.0/8)."""
    return socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(address, 0))


def everything(client: socket.socket) -> bytes:
    """All that the server says before it closes the connection."""
    said = b""
    try:
        while more := client.recv(65_536):
            said += more
    except ConnectionResetError:
        pass
    return said
