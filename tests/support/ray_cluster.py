"""A cluster of Ray's on this machine, for tests: as many nodes as wanted, each a raylet; all of it ends with the test."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

STORE = 80 * 2**20  # bytes of a node's object store
# a node that is silent is given up after some seconds, not after a minute
HEALTH = {
    "health_check_initial_delay_ms": 1000,
    "health_check_period_ms": 500,
    "health_check_timeout_ms": 1500,
    "health_check_failure_threshold": 4,
}


class Nodes:
    """The nodes of a cluster, which can be added and killed."""

    def __init__(self, folder: str, cores: int = 0, listens: str = "") -> None:
        from nought.cluster.connect import HERE, find_ray

        find_ray(**({} if listens else HERE))
        from ray._common.utils import get_default_ray_temp_dir
        from ray.cluster_utils import Cluster

        # Ray notes the address of a cluster there, in a folder that it makes for clusters with no folder of their own only.
        Path(get_default_ray_temp_dir()).mkdir(exist_ok=True)
        self.folder = folder
        options = {
            "include_dashboard": False,
            "_system_config": HEALTH,
            "no_monitor": True,
            "temp_dir": folder,
        } | ({"node_ip_address": listens} if listens else {})
        self.cluster = Cluster(initialize_head=True, head_node_args=self._options(cores) | options)

    @staticmethod
    def _options(cores: int) -> dict[str, Any]:
        return {"num_cpus": cores, "object_store_memory": STORE, "include_log_monitor": False}

    @property
    def address(self) -> str:
        return self.cluster.address

    def add(self, cores: int = 1) -> Any:
        """One more machine."""
        return self.cluster.add_node(**self._options(cores))

    def kill(self, node: Any) -> None:
        """A machine is gone without a word."""
        below = processes_below(raylet(node))
        self.cluster.remove_node(node, allow_graceful=False)
        for process in below:  # Ray's own end by themselves, unless they stand still
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    @property
    def workers(self) -> list[Any]:
        """The nodes that were added."""
        return list(self.cluster.worker_nodes)

    def players(self, node: Any) -> list[int]:
        """The processes of players on a node."""
        return [pid for pid in self.processes(node) if b"RemotePlayer" in command_line(pid)]

    def processes(self, node: Any) -> list[int]:
        """All processes of a node."""
        pid = raylet(node)
        return [pid, *processes_below(pid)]

    def freeze(self, node: Any) -> None:
        """A machine hangs: everything on it stands still. `thaw` or `kill` ends that."""
        self._signal(node, signal.SIGSTOP)

    def thaw(self, node: Any) -> None:
        """It goes on as if nothing had happened."""
        self._signal(node, signal.SIGCONT)

    def _signal(self, node: Any, number: int) -> None:
        for process in self.processes(node):
            with suppress(ProcessLookupError):
                os.kill(process, number)

    def close(self) -> None:
        """All machines are gone."""
        self.cluster.shutdown()


@contextmanager
def ray_nodes(cores: int = 0, make: type[Nodes] = Nodes) -> Iterator[Nodes]:
    """A cluster whose head has so many cores; with 0 nobody plays there."""
    with tempfile.TemporaryDirectory(prefix="nought-ray-", ignore_cleanup_errors=True) as folder:
        nodes = make(folder, cores)
        try:
            yield nodes
        finally:
            import ray

            ray.shutdown()
            nodes.close()


def raylet(node: Any) -> int:
    """The process that is a node."""
    return node.all_processes["raylet"][0].process.pid


def processes_below(parent: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == parent:
                found.append(int(folder.name))
    return found


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
