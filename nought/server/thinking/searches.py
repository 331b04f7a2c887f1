"""Searches of many clients at once: each in the lane of its agent, all within the limits."""

from __future__ import annotations

import asyncio
import os
import random
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import isqrt
from typing import TypeVar

from nought.network import NetworkEvaluator, load_network
from nought.network.evaluator import choose_device
from nought.search import Evaluator, Rollout
from nought.server.http.errors import Busy
from nought.server.http.metrics import escaped
from nought.server.http.rate_limit import LaneKey, SearchPlaces
from nought.server.settings import ServerLimits
from nought.server.thinking.agents import Agent
from nought.server.thinking.jobs import Job
from nought.server.thinking.lane import Lane
from nought.server.thinking.search_pool import SearchPool

T = TypeVar("T")
# Positions evaluated at once. On a CPU more are hardly faster, and whoever came first would wait for those behind.
CPU_BATCH, GPU_BATCH = 32, 256


class Searches:
    """Hands every job to the lane of its agent, in one of so many `workers`, which share the cores and the places."""

    def __init__(
        self,
        limits: ServerLimits,
        device: str = "auto",
        *,
        places: SearchPlaces | None = None,
        workers: int = 1,
    ) -> None:
        self.limits, self.device = limits, device
        self.places = places or SearchPlaces(limits)
        on_gpu, cores = choose_device(device).type == "cuda", max(1, (os.cpu_count() or 1) // workers)
        self.batch = limits.batch or (GPU_BATCH if on_gpu else CPU_BATCH)
        # A GPU has one thread that waits for it. The cores of a CPU are shared out twice: to several batches at once,
        # and within a batch to one evaluation, for who searches alone.
        self.evaluator_threads = max(1, cores // 2) if on_gpu else isqrt(cores)
        self.threads = 1 if on_gpu else cores // self.evaluator_threads
        self.lanes: OrderedDict[LaneKey, Lane] = OrderedDict()  # the last used last

    async def run(
        self, agent: Agent, job: Callable[[SearchPool], Job[T]], simulations: int, client: str = ""
    ) -> T:
        """Do a job of so many simulations in the lane of an agent. Cancelling drops it."""
        key = (agent.game.name, str(agent.weights or agent.kind))
        with self.counted(key, client):
            lane = self._lane(key, agent)
            return await asyncio.wrap_future(lane.start(job(lane.pool), client, simulations + 1))

    @contextmanager
    def counted(self, key: LaneKey, client: str) -> Iterator[None]:
        """Count a search as long as it is under way, if there is room for it."""
        self.places.enter(client, key)
        try:
            yield
        finally:
            self.places.leave(client, key)

    def metrics(self) -> list[str]:
        """What is under way and what every lane has done, in Prometheus's text format."""
        lines = [
            "# TYPE nought_searches_under_way gauge",
            f"nought_searches_under_way {self.places.taken.total()}",
        ]
        lanes = list(self.lanes.items())  # asked on another thread, while searches come and go
        for what in ("evaluated", "batches", "remembered"):
            lines.append(f"# TYPE nought_{what}_total counter")
            for (game, _), lane in lanes:
                labels = f'game="{escaped(game)}",agent="{escaped(lane.name)}"'
                lines.append(f"nought_{what}_total{{{labels}}} {lane.count(what)}")
        return lines

    async def close(self) -> None:
        for lane in self.lanes.values():
            await asyncio.to_thread(lane.close)

    def _lane(self, key: LaneKey, agent: Agent) -> Lane:
        lane = self.lanes.get(key)
        if lane is None or lane.closed:
            self.lanes.pop(key, None)
            self._make_room()
            pool = SearchPool(agent.game, agent.parameters)
            make = partial(_evaluator, agent, self.device, self.batch, self.evaluator_threads)
            lane = Lane(
                agent.name,
                make,
                pool,
                remember=bool(agent.weights),
                batch=self.batch,
                threads=self.threads,
            )
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


def _evaluator(agent: Agent, device: str, batch: int, threads: int) -> Evaluator:
    if agent.weights is None:
        return Rollout(agent.game, seed=random.getrandbits(63))
    network = load_network(agent.weights, agent.game).network
    images = agent.card.symmetries if agent.card else 1
    return NetworkEvaluator(
        agent.game, network, device=device, symmetries=images, capacity=images * batch, threads=threads
    )
