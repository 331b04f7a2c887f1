"""Jobs that wait for an evaluator. Who came first is served first; but a client with many jobs stands in no other's way.

A job lines up behind its client's own jobs alone, as if each client were served by itself; then the one that would have
begun first begins first (start-time fair queueing: Goyal, Vin and Cheng 1996). Time is counted in positions.
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

SHORT = 512  # positions, of a move in a game: a job that needs no more keeps its place to its end
SLICE = 64  #  positions for which a longer one keeps its place; then it lines up again
MOST_CLIENTS = 1000  # of whom it is known when their turn would have come
NOTHING: States = np.zeros((0, 1))  # [0, …] positions


@dataclass(eq=False, slots=True)
class Ticket:
    """A job under way: whose it is, where its result goes, the positions it asks about, and its place in the line."""

    client: str
    job: Job[Any]
    result: Future[Any]
    positions: int  # that it needs, at most
    begun: bool = False
    asked: States = field(default_factory=lambda: NOTHING)
    turn: int = 0  #    when it would begin
    number: int = 0  #  of those who would begin at once the one that lined up first is the first
    left: int = 0  #    positions for which it keeps its place

    def __lt__(self, other: Ticket) -> bool:
        return (self.turn, self.number) < (other.turn, other.number)


class WaitingJobs:
    """The line: jobs by when they would begin."""

    def __init__(self) -> None:
        self._line: list[Ticket] = []  # a heap
        self._numbers: Iterator[int] = count()
        self._now = 0  # the last turn that has come
        self._ends: dict[str, int] = {}  # when the last job of a client would be done

    def __bool__(self) -> bool:
        return bool(self._line)

    def add(self, ticket: Ticket) -> None:
        """Line up: where it was, as long as it keeps its place; otherwise behind its client's other jobs."""
        if ticket.left <= 0:
            ticket.left = ticket.positions if ticket.positions <= SHORT else SLICE
            ticket.turn = max(self._now, self._ends.get(ticket.client, 0))
            ticket.number = next(self._numbers)
            self._ends[ticket.client] = ticket.turn + ticket.left
        heappush(self._line, ticket)

    def take(self, room: int) -> list[Ticket]:
        """The next jobs, with about this many positions."""
        taken: list[Ticket] = []
        while self._line and room > 0:
            ticket = heappop(self._line)
            if ticket.result.cancelled():
                ticket.job.close()
                continue
            self._now = max(self._now, ticket.turn)
            positions = len(ticket.asked) if ticket.begun else 1
            ticket.left -= positions
            room -= positions
            taken.append(ticket)
        if len(self._ends) > MOST_CLIENTS:
            self._ends = {client: end for client, end in self._ends.items() if end > self._now}
        return taken

    def clear(self) -> None:
        """Send everybody away."""
        self._line.clear()
