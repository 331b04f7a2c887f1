"""The network alone, self-play and gradient steps, one after the other in one process."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

from nought.benchmark.arithmetic import matrix_rate, operations
from nought.compile.cuda import NotForGpu
from nought.compile.driver import GpuFailed
from nought.config import PRECISIONS, Parameters
from nought.events import MachineReport
from nought.games import Game
from nought.games.inputs import Inputs
from nought.learning.device_window import DeviceWindow
from nought.learning.trainer import Trainer
from nought.learning.window import Window
from nought.network import NetworkEvaluator, build_network, choose_device
from nought.network.cuda import captured
from nought.network.evaluator import device_name
from nought.network.precision import forward_in, why_not
from nought.network.resnet import Network
from nought.network.sample import random_sample
from nought.selfplay.device import DeviceSearch, OnGpu
from nought.selfplay.device_shard import DeviceShard, gpu_shards
from nought.selfplay.worker import Samples, Shard

STEPS = 8  # of the network alone in a graph
SAMPLES = 100_000  # positions to learn from at most
LEARNED_AT_ONCE = {"cpu": 5, "cuda": 64}  # steps of learning between two looks at the clock


@dataclass(frozen=True)
class NetworkSpeed:
    """The network alone, on full batches of positions from self-play, with as many threads as self-play has."""

    evaluations_per_s: float
    filters: int
    blocks: int
    device: str
    precision: str
    machine: str  #                     all that is used, and why, in a line for people
    share_of_matrix_rate: float  #      of the machine's rate in products of large matrices, in this precision
    by_precision: dict[str, float]  #   evaluations a second in each precision that is there


@dataclass(frozen=True)
class SelfPlaySpeed:
    """Self-play end to end."""

    simulations_per_s: float
    evaluations_per_s: float
    share_of_network_rate: float  #     evaluations per second, beside the network alone
    evaluations_saved: float  #         share of simulations that needed none
    games_per_s: float
    threads: int
    games: int  #                       at once on each thread
    simulations: int  #                 a move
    gpu_busy: float | None  #           share of the time, where nvidia-smi says so


@dataclass(frozen=True)
class LearningSpeed:
    """Gradient steps, one after the other."""

    positions_per_s: float  #           forward, backward and step, with the batch made from the window
    batch: int


def training_speed(
    game: Game,
    parameters: Parameters,
    device: str,
    seconds: float,
    report: Callable[[str], None],
    network: Network | None = None,
) -> tuple[NetworkSpeed, SelfPlaySpeed, LearningSpeed]:
    """What a run with these parameters does in a second, with this network or a new one."""
    report("preparing the network")
    network = network or build_network(game, parameters.network, parameters.run.seed)
    shape = network.architecture
    shards = _shards(game, parameters, network, choose_device(device))
    evaluators: list[Any] = [shard.evaluator for shard in shards]
    with ThreadPoolExecutor(len(shards)) as pool:
        report("self-play")
        while True:  # until games are under way, and there is something to learn from
            rows, *_ = pool.map(lambda s: _play(s, 1 + seconds / 2), shards)
            if len(rows) > 0:
                break
        before, begin = _counted(shards), time.perf_counter()
        with _gpu_watched(evaluators[0].device) as busy:
            list(pool.map(lambda s: _play(s, seconds), shards))
        took = time.perf_counter() - begin
        played = {name: (n - before[name]) / took for name, n in _counted(shards).items()}
        report("the network")
        where, precision, threads = evaluators[0].device, evaluators[0].precision, len(shards)
        if where.type == "cpu":
            rates = _by_precision(game, network, shards, pool, seconds)
        elif isinstance(shards[0], DeviceShard):
            rates = {precision: network_alone_on_gpu(shards, seconds)}
        else:
            rates = {
                precision: sum(pool.map(lambda e, s: _evaluator_alone(e, s, seconds), evaluators, shards))
            }
    alone = rates[precision]
    on_gpu = sum(s.search.games for s in shards) if isinstance(shards[0], DeviceShard) else 0
    used = MachineReport(device_name(where), threads, precision, evaluators[0].why, on_gpu)
    limit = matrix_rate(where, precision) / operations(network)
    report("learning")
    trainer = Trainer(network, parameters, where, evaluators[0].chosen.floats, threads)
    learned = _learning(trainer, _window(shards[0], rows, parameters), seconds)
    return (
        NetworkSpeed(
            alone, shape.filters, shape.blocks, where.type, precision, str(used), alone / limit, rates
        ),
        SelfPlaySpeed(
            simulations_per_s=played["simulations"],
            evaluations_per_s=played["evaluations"],
            share_of_network_rate=played["evaluations"] / alone,
            evaluations_saved=1 - played["evaluations"] / max(played["simulations"], 1),
            games_per_s=played["games"],
            threads=threads,
            games=shards[0].search.games,
            simulations=parameters.search.simulations,
            gpu_busy=float(np.mean(busy)) if busy else None,
        ),
        LearningSpeed(learned, parameters.learning.batch),
    )


def _shards(
    game: Game, parameters: Parameters, network: Network, device: torch.device
) -> Sequence[Shard | DeviceShard]:
    """What plays in a run with these parameters."""
    if device.type == "cuda" and parameters.selfplay.device_games:
        with contextlib.suppress(NotForGpu, GpuFailed):  # then the CPU searches
            networks, make = gpu_shards(
                game, parameters, network, device, parameters.run.precision, OnGpu(game)
            )
            return [make(game, parameters, n, seed) for seed, n in enumerate(networks)]
    size = parameters.selfplay.games * parameters.search.leaves
    evaluators = [
        NetworkEvaluator(
            game, network, device=device.type, capacity=size, threads=1, precision=parameters.run.precision
        )
        for _ in range(parameters.selfplay.all_threads)
    ]
    return [Shard(game, parameters, e, seed) for seed, e in enumerate(evaluators)]


def network_alone_on_gpu(shards: Sequence[Any], seconds: float) -> float:
    """Evaluations a second when the networks of these DeviceShards do nothing else, all at the same time."""
    graphs = []
    for shard in shards:
        search, evaluator = shard.search, shard.evaluator
        search.planes.bernoulli_(0.3)  # zeros would be faster than any position
        answer = partial(evaluator.answer, search.planes.flatten(0, 1), search.policy, search.value)
        graphs.append(captured(answer, shard.stream, torch.cuda.graph_pool_handle(), STEPS))
    torch.cuda.synchronize()
    done, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for shard, graph in zip(shards, graphs, strict=True):
            with torch.cuda.stream(shard.stream):
                graph.replay()
            done += STEPS * shard.search.value.numel()
        torch.cuda.synchronize()
    return done / (time.perf_counter() - begin)


def _play(shard: Shard | DeviceShard, seconds: float) -> np.ndarray:
    stop = threading.Event()
    timer = threading.Timer(seconds, stop.set)
    timer.start()
    rows = shard.play(1 << 60, stop)
    timer.cancel()
    return rows


def _counted(shards: Sequence[Shard | DeviceShard]) -> dict[str, int]:
    counted = [shard.search.counters() for shard in shards]
    return {name: sum(c[name] for c in counted) for name in counted[0]}


def _by_precision(
    game: Game, network: Network, shards: Sequence[Any], pool: ThreadPoolExecutor, seconds: float
) -> dict[str, float]:
    """Evaluations a second by a CPU in each precision that it has, on as many threads as there are shards."""
    sample, found = partial(random_sample, game), {}
    planes = Inputs(game).planes(_states(shards[0]))
    for precision in PRECISIONS:
        if why_not(precision) is None:
            with contextlib.suppress(Exception):  # of a library, or of a network that it cannot take
                forwards = [forward_in(precision, network, len(planes), 1, sample) for _ in shards]
                found[precision] = sum(pool.map(lambda f: _rate(f, planes, seconds), forwards))
    return found


def _evaluator_alone(evaluator: NetworkEvaluator, shard: Shard, seconds: float) -> float:
    states = _states(shard)
    evaluator(states)
    return _rate(lambda planes: evaluator.evaluate_again(len(planes)), states, seconds)


def _states(shard: Shard) -> np.ndarray:
    """A full batch of positions from self-play."""
    return np.resize(shard.standing.states, (shard.search.games, shard.standing.states.shape[1]))


def _rate(evaluate: Callable[[np.ndarray], Any], batch: np.ndarray, seconds: float) -> float:
    evaluate(batch)
    done, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        evaluate(batch)
        done += len(batch)
    return done / (time.perf_counter() - begin)


def _window(shard: Shard | DeviceShard, rows: np.ndarray, parameters: Parameters) -> Window:
    """Positions as self-play gives them, where a run has them; how their games ended does not matter for speed."""
    search, learning = shard.search, parameters.learning
    log = search.as_log(rows[-min(SAMPLES, learning.window) :])
    zeros = np.zeros(len(log.value), np.float32)
    samples = Samples(log.states, log.policy, zeros, zeros, log.value, log.proven != 0, log.surprise)
    window = (
        DeviceWindow(search.game, learning, search.launcher, search.device)
        if isinstance(search, DeviceSearch)
        else Window(search.game, learning)
    )
    window.add(samples, len(samples))
    return window


def _learning(trainer: Trainer, window: Window, seconds: float) -> float:
    random, learning = np.random.default_rng(0), trainer.parameters.learning
    at_once = LEARNED_AT_ONCE[trainer.device.type]
    trainer.train(window, 5, learning.rate, random)  # the first steps find their kernels
    steps, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        trainer.train(
            window, at_once, learning.rate, random
        )  # returns numbers: nothing is under way any more
        steps += at_once
    return steps * learning.batch / (time.perf_counter() - begin)


@contextmanager
def _gpu_watched(device: torch.device) -> Iterator[list[float]]:
    """Collects the share of the time in which the GPU was busy, as nvidia-smi sees it."""
    busy: list[float] = []
    smi = shutil.which("nvidia-smi") if device.type == "cuda" else None
    if smi is None:
        yield busy
        return
    command = [smi, "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", "--loop-ms=250", "--id=0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watch:
        try:
            yield busy
        finally:
            watch.terminate()
            assert watch.stdout is not None
            shares = [float(line) / 100 for line in watch.stdout if line.strip().isdigit()]
            busy += shares[2:-1]  # what it saw before and after
