"""A database of PostgreSQL's for the time being, of the programs that are installed here."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine
from sqlalchemy.exc import OperationalError

from tests.support.programs import run_program, started


def postgres_binary(name: str) -> str | None:
    """Where one of its programs is, if it is anywhere."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, folders)]))


@contextmanager
def postgres_cluster() -> Iterator[str]:
    """The URL of a database in a temporary cluster; the programs must be there."""
    initdb, server = postgres_binary("initdb"), postgres_binary("postgres")
    assert initdb is not None and server is not None
    as_user: dict[str, Any] = {}
    if os.getuid() == 0:
        as_user = {"user": "postgres", "group": "postgres", "extra_groups": []}
    with tempfile.TemporaryDirectory(prefix="nought-pg-") as folder:
        if as_user:
            shutil.chown(folder, "postgres", "postgres")
        cluster = f"{folder}/cluster"
        options = {"cwd": folder, **as_user}
        made = run_program([initdb, "-D", cluster, "-A", "trust", "-U", "nought", "-N"], **options)
        assert made.returncode == 0, made.stderr
        settings = [
            "listen_addresses=",
            f"unix_socket_directories={folder}",
            "fsync=off",
            "max_connections=50",
        ]
        arguments = [server, "-D", cluster, *(part for setting in settings for part in ("-c", setting))]
        with started(arguments, **options) as program:
            url = f"postgresql://nought@/postgres?host={folder}"
            program.until(lambda: _accepts(url))
            yield url
            program.process.send_signal(signal.SIGQUIT)  # at once, whoever is connected
            program.end()


def _accepts(url: str) -> bool:
    try:
        create_engine(url.replace("://", "+psycopg://")).connect().close()
        return True
    except OperationalError:
        return False
