"""kill -9 while games are being compiled: the port is free at once, and nothing outlives the server."""

import os
import signal
from pathlib import Path

import pytest

from nought.server.run import listen
from tests.support.programs import NOUGHT, answers, free_port, started, until

# Run by every Python that starts: the process that compiles says which one it is.
SITE = """
import os, pathlib, sys
if "nought.server.thinking.compiling" in sys.orig_argv:
    pathlib.Path(__file__).with_name("compiling.pid").write_text(str(os.getpid()))
"""


def test_the_port_is_inherited_by_nobody() -> None:
    with listen("127.0.0.1", 0) as listening:
        assert not listening.get_inheritable()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")  # one that has ended but that nobody has asked about is a zombie
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
def test_restart_after_kill(tmp_path: Path) -> None:
    said, port = tmp_path / "compiling.pid", free_port()
    (tmp_path / "sitecustomize.py").write_text(SITE)
    command = [*NOUGHT, "serve", "--port", str(port), "--no-browser", "--database", f"{tmp_path}/a.db"]
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    # without a cache it compiles for a minute
    environment = {**os.environ, "PYTHONPATH": path, "NOUGHT_CACHE": f"{tmp_path}/cache"}
    with started(command, cwd=tmp_path, env=environment) as program:
        program.until(lambda: said.exists() and said.read_text())
        compiling = int(said.read_text())
        program.until(lambda: answers(f"http://127.0.0.1:{port}/healthz"))
        assert alive(compiling)
        program.process.send_signal(signal.SIGKILL)
        program.end()
    listen("127.0.0.1", port).close()  # at once
    until(lambda: not alive(compiling))
