"""What all processes of a server have in common: it is kept by the one that started the others, and they ask it.

An `Allowance` or `Places` of a worker is a subclass whose answers come from there, so that whoever uses one need not know.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from nought.errors import NoughtError
from nought.server.http.board import Board
from nought.server.http.errors import Busy
from nought.server.http.rate_limit import Allowance, Buckets, LaneKey, Places, SearchPlaces
from nought.server.settings import Settings


@dataclass(frozen=True)
class Common:
    """What is counted of clients and said by workers, as the worker of this number has it."""

    buckets: Buckets
    board: Board
    worker: int = 0

    @classmethod
    def alone(cls, settings: Settings) -> Common:
        """Kept in this process."""
        buckets = Buckets(settings.limits, behind_proxy=settings.behind_proxy)
        return cls(buckets, Board(settings.workers))

    @classmethod
    def asked(cls, settings: Settings, worker: int, line: Line) -> Common:
        """Kept by the process at the other end of a line."""
        buckets = Buckets(settings.limits, behind_proxy=settings.behind_proxy)
        for name, part in vars(buckets).items():
            if isinstance(part, Allowance):
                setattr(buckets, name, AskedAllowance(part, name, line))
            elif isinstance(part, Places):
                setattr(buckets, name, AskedPlaces(part, name, line))
            elif isinstance(part, SearchPlaces):
                setattr(buckets, name, AskedSearchPlaces(part, name, line))
        return cls(buckets, AskedBoard(settings.workers, line), worker)

    @property
    def parts(self) -> dict[str, Any]:
        """What can be asked, by name."""
        return {**vars(self.buckets), BOARD: self.board}

    @property
    def first(self) -> bool:
        """Whether this worker does what is done once: compile games, open the TCP ports, forget who is gone."""
        return self.worker == 0


BOARD = "board"


class Line:
    """The way from a worker to the process that started it. Who asks waits, for some hundredths of a millisecond."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()

    def ask(self, part: str, method: str, *what: Any) -> Any:
        """What a method answers there, or the refusal that it raises."""
        try:
            with self._lock:
                self._connection.send((part, method, what, True))
                answer = self._connection.recv()
        except (EOFError, OSError):
            raise Busy("the server is about to stop", retry_after=5) from None
        if isinstance(answer, NoughtError):
            raise answer
        return answer

    def tell(self, part: str, method: str, *what: Any) -> None:
        """Have a method called there, without waiting for it."""
        with self._lock, suppress(OSError):
            self._connection.send((part, method, what, False))


class AskedAllowance(Allowance):
    """Buckets that another process keeps."""

    def __init__(self, like: Allowance, name: str, line: Line) -> None:
        super().__init__(like.rate, like.burst, like.refusal)
        self.name, self.line = name, line

    def take(self, client: str, tokens: float = 1.0) -> None:
        if self.rate > 0:
            self.line.ask(self.name, "take", client, tokens)

    def give_back(self, client: str, tokens: float) -> None:
        if self.rate > 0:
            self.line.tell(self.name, "give_back", client, tokens)


class AskedPlaces(Places):
    """Places that another process keeps; `taken` are those that are held here."""

    def __init__(self, like: Places, name: str, line: Line) -> None:
        super().__init__(like.places, like.of_one)
        self.name, self.line = name, line

    def enter(self, client: str) -> bool:
        if not self.line.ask(self.name, "enter", client):
            return False
        self.taken[client] += 1
        return True

    def leave(self, client: str) -> None:
        super().leave(client)
        self.line.tell(self.name, "leave", client)


class AskedSearchPlaces(SearchPlaces):
    """Searches that another process counts; `taken` are those that are under way here."""

    def __init__(self, like: SearchPlaces, name: str, line: Line) -> None:
        super().__init__(like.limits)
        self.name, self.line = name, line

    def enter(self, client: str, lane: LaneKey) -> None:
        self.line.ask(self.name, "enter", client, lane)
        self.taken[client, lane] += 1

    def leave(self, client: str, lane: LaneKey) -> None:
        super().leave(client, lane)
        self.line.tell(self.name, "leave", client, lane)


class AskedBoard(Board):
    """A board that hangs in another process."""

    def __init__(self, workers: int, line: Line) -> None:
        super().__init__(workers)
        self.line = line

    def serves(self, worker: int) -> None:
        self.line.tell(BOARD, "serves", worker)

    def fails(self, worker: int, why: str) -> None:
        self.line.tell(BOARD, "fails", worker, why)

    def note(self, worker: int, lines: Sequence[str], warm: bool) -> None:
        self.line.tell(BOARD, "note", worker, lines, warm)

    def is_warm(self, worker: int | None = None) -> bool:
        return bool(self.line.ask(BOARD, "is_warm", worker))

    def count(self) -> int:
        return int(self.line.ask(BOARD, "count"))

    def lines(self) -> list[str]:
        found: list[str] = self.line.ask(BOARD, "lines")
        return found
