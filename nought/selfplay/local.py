"""A whole self-play: all cores of a machine, or its GPU."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from numpy.typing import NDArray

from nought.compile.cuda import NotForGpu
from nought.compile.driver import GpuFailed
from nought.config import Parameters
from nought.games import Game
from nought.network.cuda import CudaForward
from nought.network.evaluator import NetworkEvaluator, choose_device, choose_devices
from nought.network.resnet import Network
from nought.network.symmetry_cache import OncePerKind
from nought.selfplay.device import OnGpu
from nought.selfplay.device_shard import DeviceShard, gpu_shards
from nought.selfplay.worker import SelfPlay, SelfPlayResult, Shard

MakeEvaluator = Callable[..., NetworkEvaluator]


def images(game: Game, parameters: Parameters) -> int:
    """How often a position is evaluated: once for each symmetry that is looked at."""
    return min(parameters.search.symmetries, len(game.symmetries))


def evaluators(
    game: Game, parameters: Parameters, network: Network, device: str, precision: str, floats: str
) -> MakeEvaluator:
    """What makes evaluators for the searches of a run, which differ in their capacity."""
    search = parameters.search
    all_seen = 1 < images(game, parameters) == len(game.symmetries) and search.cache > 0
    return partial(
        OncePerKind if all_seen and choose_device(device).type == "cpu" else NetworkEvaluator,
        game,
        network,
        device=device,
        symmetries=search.symmetries,
        precision=precision or parameters.run.precision,
        floats=floats or "auto",
    )


def gpu_launcher(
    game: Game, parameters: Parameters, device: torch.device, warn: Callable[[str], None]
) -> OnGpu | None:
    """What runs search and rules on the GPU, where it can do so by itself; None, and a word why, where the CPU has to."""
    if device.type != "cuda" or parameters.selfplay.device_games == 0:
        return None
    if images(game, parameters) > 1:
        warn("the CPU searches, because search.symmetries averages images of a position")
        return None
    try:
        return OnGpu(game)
    except (NotForGpu, GpuFailed) as error:
        warn(f"the CPU searches, because {error}")
        return None


class LocalPlayer:
    """Plays with all cores of this machine, or wholly on its GPU where there is a `launcher` for it.

    device              or several, between commas: games are dealt out among them
    precision, floats   as measured when a run began; empty: measured now, or what the run's parameters say
    version             of the network, if it is one of a run
    """

    def __init__(
        self,
        game: Game,
        parameters: Parameters,
        network: Network,
        device: str = "auto",
        *,
        precision: str = "",
        floats: str = "",
        seed: int = 0,
        version: int | None = None,
        launcher: OnGpu | None = None,
    ) -> None:
        self.version = version
        make: Callable[..., Shard | DeviceShard] = Shard
        self.evaluators: Sequence[NetworkEvaluator | CudaForward]
        self.device_games = 0  # that the GPU searches by itself
        if launcher is not None:
            asked = precision or parameters.run.precision
            where = choose_device(device)
            self.evaluators, make = gpu_shards(game, parameters, network, where, asked, launcher)
        else:
            devices, selfplay = choose_devices(device), parameters.selfplay
            evaluator = evaluators(game, parameters, network, devices[0], precision, floats)
            capacity = selfplay.games * parameters.search.leaves * images(game, parameters)
            self.evaluators = [
                evaluator(capacity=capacity, threads=1, seed=i, device=devices[i % len(devices)])
                for i in range(max(selfplay.all_threads, len(devices)))
            ]
        self.selfplay = SelfPlay(game, parameters, self.evaluators, seed, make)
        if launcher is not None:
            self.device_games = sum(shard.search.games for shard in self.selfplay.shards)

    def begin(self, number: int) -> None:
        """Play from now on as whoever begins with this number does."""
        for evaluator in self.evaluators:
            if isinstance(evaluator, NetworkEvaluator):  # what plays on a GPU draws nothing by chance
                evaluator.begin(number)

    def update(self, network: Network, version: int) -> None:
        """Go on with the network of this version, if it is another one."""
        if version != self.version:
            self.version = version
            for evaluator in self.evaluators:
                evaluator.update(network)
            for shard in self.selfplay.shards:
                if isinstance(shard, DeviceShard):
                    shard.renew()

    def play(
        self,
        positions: int,
        simulations: int,
        progress: Callable[[float], None] = lambda _: None,
        seconds: float = math.inf,
    ) -> SelfPlayResult:
        """Play until about `positions` have been searched in full, or `seconds` are over."""
        return self.selfplay.play(positions, simulations, progress, seconds)

    @property
    def searched(self) -> int:
        """How many positions have been searched in full when it played last, those of unfinished games as well."""
        return sum(shard.collected for shard in self.selfplay.shards)

    def state(self) -> dict[str, NDArray[Any]]:
        """Where all games stand."""
        return self.selfplay.state()

    def restore(self, games: dict[str, NDArray[Any]]) -> None:
        """Go on from there; new games, where none are kept: then a cluster has played last."""
        if games:
            self.selfplay.restore(games)

    def close(self) -> None:
        """There is nothing to end."""
