"""Jobs that wait for an evaluator. Who came first is served first; but a client with many jobs stands in no other's way.

Jobs stand in rounds, and a client has one place in each (start-time fair queueing: Goyal, Vin and Cheng 1996).
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any

import numpy as np

from nought.server.thinking.jobs import Job, States

SLICE = 64  # positions for which a job keeps its place: what a move in a game needs. Then it lines up again
NOTHING: States = np.zeros((0, 1))  # [0, …] positions


@dataclass(eq=False, slots=True)
class Ticket:
    """A job under way: whose it is, where its result goes, the positions it asks about, and its place in the line."""

    client: str
    job: Job[Any]
    result: Future[Any]
    begun: bool = False
    asked: States = field(default_factory=lambda: NOTHING)
    round: int = 0
    number: int = 0  # within a round those come first who lined up first
    left: int = 0  #   of its slice

    def __lt__(self, other: Ticket) -> bool:
        return (self.round, self.number) < (other.round, other.number)


class WaitingJobs:
    """The line: jobs by round and number."""

    def __init__(self) -> None:
        self._line: list[Ticket] = []  # a heap
        self._numbers: Iterator[int] = count()
        self._round = 0  # the last one of which a job was taken
        self._last: dict[str, int] = {}  # the last round in which a client waits

    def __bool__(self) -> bool:
        return bool(self._line)

    def add(self, ticket: Ticket) -> None:
        """Line up: in the old place as long as a slice lasts, then in the next round in which the client has none."""
        if ticket.left <= 0:
            client = ticket.client
            ticket.round = self._last[client] = max(self._round, self._last.get(client, 0)) + 1
            ticket.number, ticket.left = next(self._numbers), SLICE
        heappush(self._line, ticket)

    def take(self, room: int) -> list[Ticket]:
        """The next jobs, with about this many positions."""
        taken: list[Ticket] = []
        while self._line and room > 0:
            ticket = heappop(self._line)
            self._round = max(self._round, ticket.round)
            if self._last.get(ticket.client) == ticket.round:
                del self._last[ticket.client]
            if ticket.result.cancelled():
                ticket.job.close()
                continue
            positions = len(ticket.asked) if ticket.begun else 1
            ticket.left -= positions
            room -= positions
            taken.append(ticket)
        return taken

    def clear(self) -> None:
        """Send everybody away."""
        self._line.clear()
        self._last.clear()
