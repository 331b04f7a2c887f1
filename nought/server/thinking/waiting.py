"""Jobs that wait for an evaluator: in every turn each client has the same room, however many jobs it has."""

from __future__ import annotations

from collections import OrderedDict, deque
from concurrent.futures import Future
from typing import Any, NamedTuple

from nought.server.thinking.jobs import Job, States


class Ticket(NamedTuple):
    """A job under way: whose it is, the positions it asks about, and where its result goes."""

    client: str
    job: Job[Any]
    asked: States
    result: Future[Any]


class WaitingJobs:
    """A circle of clients, each with a line of jobs."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, deque[Ticket]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._lines)

    def add(self, ticket: Ticket) -> None:
        """Line up at the end of its client's line."""
        self._lines.setdefault(ticket.client, deque()).append(ticket)

    def clear(self) -> None:
        self._lines.clear()

    def take(self, room: int) -> list[Ticket]:
        """The next jobs, with about this many positions. What some do not need of their room is not given to others:
        a batch that one client fills would keep the rest waiting."""
        taken: list[Ticket] = []
        share = max(1, room // max(1, len(self._lines)))
        for client in list(self._lines):
            if room <= 0:
                break
            line = self._lines.pop(client)
            left = min(share, room)
            while line and left > 0:
                ticket = line.popleft()
                if ticket.result.cancelled():
                    ticket.job.close()
                    continue
                taken.append(ticket)
                left -= len(ticket.asked)
                room -= len(ticket.asked)
            if line:
                self._lines[client] = line  # behind all others
        return taken
