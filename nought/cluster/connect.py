"""The way to Ray, which is asked for nothing but processes on other machines: no dashboard, no statistics sent anywhere."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from nought.config import ClusterParameters
from nought.errors import NoughtError
from nought.scratch import ScratchFolder

MISSING = "a cluster needs Ray: pip install 'nought[cluster]'"
STARTED_OR_FOUND = ("local", "auto")  # clusters without an address
NAMESPACE = "nought"
CONNECT_TIMEOUT = 5.0  #        seconds for an address to answer
TERMINATE_TIMEOUT = 15.0  #     seconds to end what was started
LONGEST_PLACE = 20  #           letters of a folder's name: with what Ray adds, 107 are the most
OBJECT_STORE = 256 * 2**20  #   bytes: some versions of the weights, and the positions that are on their way
# Ray prints its own lines about machines that are gone, into tables and JSON; nought says that itself.
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS": "1", "RAY_DEDUP_LOGS_SKIP_REGEX": "^"}
# A cluster that begins and ends here is for this machine alone: Ray's processes listen on 127.0.0.1. That is what this
# setting means on every system, whatever its name says.
HERE = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}


def find_ray(**environment: str) -> ModuleType:
    """Ray, or a line that says what to install."""
    for name, value in (QUIET | environment).items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError:
        raise NoughtError(MISSING) from None
    return ray


def require_cluster(address: str) -> None:
    """An error that says what is missing, before anything is begun: Ray, or a cluster at this address."""
    ClusterParameters(address=address).check()
    try:
        missing = importlib.util.find_spec("ray") is None
    except ValueError:  # somebody has hidden it
        missing = True
    if missing:
        raise NoughtError(MISSING)
    if address not in STARTED_OR_FOUND:
        _check_answers(address)


@contextlib.contextmanager
def connected(address: str) -> Iterator[ModuleType]:
    """Ray, connected with the cluster at this address; `local` starts one here, which ends with the connection."""
    ClusterParameters(address=address).check()
    ray = find_ray(**(HERE if address == "local" else {}))
    if ray.is_initialized():  # whoever did that ends it, too
        yield ray
        return
    with ScratchFolder("ray", _room()) if address == "local" else contextlib.nullcontext() as folder:
        try:
            _initialize(ray, address, folder)
            with _terminated_properly():
                yield ray
        finally:
            ray.shutdown()


def _room() -> Path | None:
    """Where Ray's files go: /tmp, where the usual place would make the names of its sockets too long."""
    usual = tempfile.gettempdir()
    return Path("/tmp") if os.name == "posix" and len(usual) > LONGEST_PLACE else None


@contextlib.contextmanager
def _terminated_properly() -> Iterator[None]:
    """SIGTERM ends this process and what it has started; Ray would print a stack and abort."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminate(*_: object) -> None:
    """End properly; not so properly, where Ray's own processes were terminated as well, and nothing of it answers any more."""
    code = 128 + signal.SIGTERM
    late = threading.Timer(TERMINATE_TIMEOUT, os._exit, (code,))
    late.daemon = True
    late.start()
    sys.exit(code)


def _initialize(ray: ModuleType, address: str, folder: Path | None) -> None:
    options: dict[str, Any] = {"namespace": NAMESPACE, "log_to_driver": False, "logging_level": "FATAL"}
    if folder is not None:
        options |= {"include_dashboard": False, "object_store_memory": OBJECT_STORE, "_temp_dir": str(folder)}
    elif address not in STARTED_OR_FOUND:
        _check_answers(address)
    try:
        ray.init(address=address, **options)
    except (ConnectionError, RuntimeError, ValueError, OSError, TimeoutError) as error:
        reason = " ".join(str(error).split())[:300]
        raise NoughtError(f"Ray's cluster {address} cannot be joined: {reason}") from None


def _check_answers(address: str) -> None:
    """Ray itself would try for a minute."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_TIMEOUT).close()
    except (OSError, ValueError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise NoughtError(
            f"there is no cluster at {address} ({why}): start one with `ray start --head`, which says its address"
        ) from None
