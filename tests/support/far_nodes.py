"""Machines of a cluster of Ray's that have a network and a disk of their own, for tests: namespaces of Linux, so for root alone.

Each is a raylet in a network namespace, with a cable (veth) to a bridge at which the head listens, and a small disk (tmpfs)
for all that Ray and nought write there. Cables can be pulled, and disks filled. Ray is started again where it has ended, as it
does by itself on a machine that the head had given up.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.ray_cluster import STORE, Nodes

NETWORK = f"10.213.{os.getpid() % 250}"  # of the bridge, whose own address is the head's
DISK = 96  #             megabytes of a machine's own disk
NO_NAMESPACES = "network namespaces need Linux, root and iproute2"


def possible() -> bool:
    """Whether this system lets us make machines like that."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"nought-{os.getpid()}"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode:
        return False
    _ip("netns", "del", name)
    return True


def _ip(*words: str) -> str:
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True, timeout=20).stdout


class FarNode:
    """A machine: its namespace, its cable, and the shell that starts Ray there again and again."""

    def __init__(self, number: int, bridge: str, folder: str, address: str) -> None:
        self.name, self.cable = f"{bridge}-{number}", f"nc{os.getpid()}-{number}"
        _ip("netns", "add", self.name)
        _ip("link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        _ip("link", "set", self.cable, "master", bridge, "up")
        own = f"{NETWORK}.{number + 2}"
        _ip("-n", self.name, "addr", "add", f"{own}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            _ip("-n", self.name, "link", "set", device, "up")
        self.folder = folder
        start = (
            f"{sys.executable} -m ray.scripts.scripts start --address={address} --node-ip-address={own} --num-cpus=1 "
            f"--object-store-memory={STORE} --block"
        )
        mount = f"mount -t tmpfs -o size={DISK}m tmpfs {folder}"
        command = f"{mount} && mkdir {folder}/tmp && while true; do {start}; sleep 1; done"
        self.shell = subprocess.Popen(
            ["ip", "netns", "exec", self.name, "sh", "-c", command],
            env=os.environ | {"TMPDIR": f"{folder}/tmp", "NOUGHT_CACHE": f"{folder}/cache"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    @property
    def processes(self) -> list[int]:
        return [int(pid) for pid in _ip("netns", "pids", self.name).split()]

    @property
    def filling(self) -> Path:
        """A file on its disk, as it is seen from here."""
        return Path(f"/proc/{self.shell.pid}/root/{self.folder}/filling")

    def remove(self) -> None:
        """It is gone without a word."""
        while pids := self.processes:
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                self.shell.wait(0.1)
        _ip("link", "del", self.cable)
        _ip("netns", "del", self.name)


class FarNodes(Nodes):
    """A cluster of machines like that; they try to be in it as long as they are there."""

    def __init__(self, folder: str, cores: int = 0) -> None:
        self.bridge = f"nb{os.getpid()}"
        self.far: list[FarNode] = []
        self.made = 0
        _ip("link", "add", self.bridge, "type", "bridge")
        _ip("addr", "add", f"{NETWORK}.1/24", "dev", self.bridge)
        _ip("link", "set", self.bridge, "up")
        try:
            super().__init__(folder, cores, listens=f"{NETWORK}.1")
        except BaseException:
            _ip("link", "del", self.bridge)
            raise

    def add(self, cores: int = 1) -> FarNode:
        assert cores == 1
        self.far.append(FarNode(self.made, self.bridge, self.folder, self.address))
        self.made += 1
        return self.far[-1]

    def kill(self, node: FarNode) -> None:
        self.far.remove(node)
        node.remove()

    @property
    def workers(self) -> list[FarNode]:
        return list(self.far)

    def processes(self, node: FarNode) -> list[int]:
        return node.processes

    def cut(self, node: FarNode) -> None:
        """Its cable is pulled: nothing that is sent arrives, and nobody is told."""
        _ip("link", "set", node.cable, "down")

    def mend(self, node: FarNode) -> None:
        """The cable is back."""
        _ip("link", "set", node.cable, "up")

    def fill_disk(self, node: FarNode) -> None:
        """There is no more room on its disk."""
        fill(node.filling)

    def clear_disk(self, node: FarNode) -> None:
        """There is room again."""
        node.filling.unlink(missing_ok=True)

    def close(self) -> None:
        for node in self.workers:
            self.kill(node)
        super().close()
        _ip("link", "del", self.bridge)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A disk of so many megabytes, at this folder."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(path: Path) -> None:
    """Write a file until the disk is full."""
    with suppress(OSError), path.open("wb", buffering=0) as file:
        while file.write(bytes(1 << 16)):
            pass
    with suppress(OSError), path.open("ab", buffering=0) as file:
        while file.write(b"\0"):
            pass
