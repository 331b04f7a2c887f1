"""Agents for visitors' browsers: made in the background when first asked for, and kept in the cache folder."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import nought
from nought.errors import NoughtError
from nought.files import cache_folder
from nought.server.http.errors import Busy, NotFound, public_message
from nought.server.thinking.agents import Agent

MOST_WAITING = 16  # agents to be made, one after the other
MOST_LETTERS = 300  # of a reason
# The parts of nought on which files depend: an edit there makes others.
SOURCES = ("compile", "export", "games", "network", "search", "config", "server/thinking/browser_files.py")


class BrowserFiles(NamedTuple):
    """Facts, and the names of the files, of an agent."""

    facts: dict[str, Any]
    code: str
    network: str | None


class Browsers:
    """Makes and finds the files of agents for browsers."""

    def __init__(self, *, enabled: bool = True, folder: Path | None = None) -> None:
        self.enabled, self.folder = enabled, folder or cache_folder() / "browsers"
        self._making: dict[str, asyncio.Task[None]] = {}
        self._refused: dict[str, str] = {}
        self._turn = asyncio.Semaphore(1)

    async def find(self, agent: Agent, loaded_by: str) -> BrowserFiles | None:
        """An agent's files; None while they are being made. `loaded_by` is the name by which its game is found."""
        if not self.enabled:
            raise NoughtError("this server thinks for everybody")
        if agent.kind == "oracle":
            raise NoughtError("it knows more than a browser can hold")
        key = await asyncio.to_thread(_key, agent)
        if key in self._refused:
            raise NoughtError(self._refused[key])
        if found := await asyncio.to_thread(self._read, key):
            return found
        if key not in self._making:
            if len(self._making) >= MOST_WAITING:
                raise Busy("the server makes others ready for browsers just now", 30)
            self._making[key] = asyncio.create_task(self._make(key, str(agent.weights or ""), loaded_by))
        return None

    def file(self, name: str) -> Path:
        """A file by its name, which its content gives it."""
        stem, _, ending = name.partition(".")
        plain = len(stem) == 32 and stem.isascii() and stem.isalnum() and ending in ("wasm", "bin")
        if not plain or not (path := self.folder / name).is_file():
            raise NotFound("there is no such file for browsers")
        return path

    def _read(self, key: str) -> BrowserFiles | None:
        path = self.folder / f"{key}.json"
        try:
            found = BrowserFiles(**json.loads(path.read_bytes()))
            os.utime(path)  # what is asked for stays
        except (OSError, ValueError, TypeError):  # not there, or not whole: it is made again
            return None
        there = all((self.folder / name).is_file() for name in (found.code, found.network) if name)
        return found if there else None

    async def _make(self, key: str, weights: str, loaded_by: str) -> None:
        try:
            async with self._turn:
                if problem := await self._run(loaded_by, weights, str(self.folder), key):
                    self._refused[key] = public_message(NoughtError(problem[:MOST_LETTERS]))
        finally:
            del self._making[key]

    async def _run(self, *arguments: str) -> str | None:
        """Have another process make the files; what hinders it."""
        command = (sys.executable, "-m", "nought.server.thinking.browser_files", *arguments)
        silent, pipe = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE
        # Its input ends when we do, however that comes, and then it does.
        making = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=silent)
        assert making.stdout is not None
        try:
            said = (await making.stdout.read()).decode(errors="replace").split("\n")
            if await making.wait() == 0:
                return None
            return next((line for line in reversed(said) if line.strip()), "it could not be made")
        except asyncio.CancelledError:  # the server stops
            with contextlib.suppress(ProcessLookupError):
                making.kill()
            raise

    async def close(self) -> None:
        tasks = list(self._making.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _key(agent: Agent) -> str:
    """Another one when an agent, its game or nought would make other files."""
    status = agent.weights.stat() if agent.weights else None
    parts = (
        _digest(agent.weights, status.st_mtime_ns, status.st_size) if agent.weights and status else "",
        hashlib.sha256(agent.game.source.encode()).hexdigest(),
        f"{agent.game.base} {agent.game.size}",
        _sources(),
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


@lru_cache(maxsize=256)
def _digest(path: Path, _changed: int, _size: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@lru_cache
def _sources() -> str:
    root, digest = Path(nought.__file__).parent, hashlib.sha256()
    for part in SOURCES:
        path = root / part
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()
