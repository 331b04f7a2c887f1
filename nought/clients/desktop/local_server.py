"""A nought server of our own on this machine, as a child process."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from types import TracebackType

from nought.errors import NoughtError

START_TIMEOUT = 120.0  # seconds until it must answer: the first start compiles
STOP_TIMEOUT = 3.0  # seconds that it may take to end
PLACE = "this machine"  # what the account is remembered under, whatever the port


class LocalServer:
    """`nought serve` on a free port, as long as this object is open."""

    def __init__(self, *options: str) -> None:
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.said = tempfile.TemporaryFile()  # noqa: SIM115  closed with the server
        command = [sys.executable, "-m", "nought", "serve", "--no-browser", "--port", str(port), *options]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.said, stderr=subprocess.STDOUT
        )

    def wait(self) -> None:
        """Wait until the server answers."""
        until = time.monotonic() + START_TIMEOUT
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise NoughtError(f"the server on this machine did not start: {self._last_words()}")
            try:
                with opener.open(f"{self.url}/healthz", timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise NoughtError(f"the server on this machine did not answer within {START_TIMEOUT:.0f} seconds")

    def close(self) -> None:
        """Ask the server to end, and kill it if that takes long: what it has answered is on the disk."""
        self.process.terminate()
        try:
            self.process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.said.close()

    def __enter__(self) -> LocalServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _last_words(self) -> str:
        self.said.seek(0)
        lines = self.said.read().decode(errors="replace").strip().splitlines()
        return lines[-1].removeprefix("nought: ") if lines else f"exit code {self.process.returncode}"


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
