"""Searches of many clients at once: each in the lane of its agent, all within the limits."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from nought.network import NetworkEvaluator, load_network
from nought.search import Evaluator, Rollout
from nought.server.http.errors import Busy, TooMany
from nought.server.http.metrics import escaped
from nought.server.settings import ServerLimits
from nought.server.thinking.agents import Agent
from nought.server.thinking.jobs import Job
from nought.server.thinking.lane import Lane
from nought.server.thinking.search_pool import SearchPool

T = TypeVar("T")


class Searches:
    """Hands every job to the lane of its agent."""

    def __init__(self, limits: ServerLimits, device: str = "auto") -> None:
        self.limits, self.device = limits, device
        self.lanes: OrderedDict[tuple[str, str], Lane] = OrderedDict()  # the last used last
        self.under_way: Counter[str] = Counter()  # jobs by client

    async def run(self, agent: Agent, job: Callable[[SearchPool], Job[T]], client: str = "") -> T:
        """Do a job in the lane of an agent. Cancelling drops it."""
        if self.under_way.total() >= self.limits.searches:
            raise Busy("the server has as much to think about as it can; try again soon", retry_after=2)
        if client and self.under_way[client] >= self.limits.searches_of_one:
            raise TooMany(f"{self.limits.searches_of_one} searches at once are enough for one client", 1)
        self.under_way[client] += 1
        try:
            lane = self._lane(agent)
            return await asyncio.wrap_future(lane.start(job(lane.pool)))
        finally:
            self.under_way[client] -= 1
            if not self.under_way[client]:
                del self.under_way[client]

    def metrics(self) -> list[str]:
        """What is under way and what every lane has done, in Prometheus's text format."""
        lines = [
            "# TYPE nought_searches_under_way gauge",
            f"nought_searches_under_way {self.under_way.total()}",
        ]
        for what in ("evaluated", "batches", "remembered"):
            lines.append(f"# TYPE nought_{what}_total counter")
            for (game, _), lane in self.lanes.items():
                labels = f'game="{escaped(game)}",agent="{escaped(lane.name)}"'
                lines.append(f"nought_{what}_total{{{labels}}} {getattr(lane, what)}")
        return lines

    async def close(self) -> None:
        for lane in self.lanes.values():
            await asyncio.to_thread(lane.close)

    def _lane(self, agent: Agent) -> Lane:
        key = (agent.game.name, str(agent.weights or agent.kind))
        lane = self.lanes.get(key)
        if lane is None or lane.closed:
            self.lanes.pop(key, None)
            self._make_room()
            pool = SearchPool(agent.game, agent.parameters)
            make = partial(_evaluator, agent, self.device, self.limits.batch)
            lane = Lane(agent.name, make, pool, remember=bool(agent.weights), batch=self.limits.batch)
            self.lanes[key] = lane
        self.lanes.move_to_end(key)
        return lane

    def _make_room(self) -> None:
        """Let go of the networks that have not been asked for longest."""
        for key, lane in list(self.lanes.items()):
            if len(self.lanes) < self.limits.networks:
                return
            if not lane.busy:
                self.lanes.pop(key).close()
        if len(self.lanes) >= self.limits.networks:
            raise Busy("too many different agents are being asked; try again soon", retry_after=5)


def _evaluator(agent: Agent, device: str, batch: int) -> Evaluator:
    if agent.weights is None:
        return Rollout(agent.game, seed=random.getrandbits(63))
    network = load_network(agent.weights, agent.game).network
    threads = max(1, (os.cpu_count() or 1) // 2)  # the other cores answer requests
    images = agent.card.symmetries if agent.card else 1
    return NetworkEvaluator(
        agent.game, network, device=device, symmetries=images, capacity=images * batch, threads=threads
    )
