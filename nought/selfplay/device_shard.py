"""Self-play wholly on a GPU: search, planes, network and answers are one graph of many rounds, launched by a thread that
has nothing else to do. Two shards take turns there: while the network works for one, the other searches."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nought.config import Parameters
from nought.errors import NoughtError
from nought.games import Game
from nought.network.cuda import CudaForward, captured, capturing
from nought.network.resnet import Network
from nought.network.sample import random_sample
from nought.search.layout import USUAL_ROOM
from nought.selfplay.device import DeviceSearch, Launcher, words_of_a_game

SHARDS = 2
ROOMS = 16, 8, 4, USUAL_ROOM  # searches' worth of positions in a game's graph: the first that fits
ROUNDS = 16  #            of search and evaluation in a graph; then moves are fetched
MEMORY_SHARE = 0.8  #     of what is free, for games
MOST_CACHED = 1024  #     evaluations for each game
LAYERS_AT_ONCE = 6  #     activations of so many layers may be in memory at the same time


class OnDevice(Protocol):
    """What evaluates planes in the GPU's memory; in which precision can change with the weights."""

    precision: str

    def answer(self, planes: Tensor, policy: Tensor, value: Tensor) -> None: ...


class DeviceShard:
    """Games that are searched on the GPU and evaluated there; otherwise like a Shard."""

    def __init__(
        self, game: Game, parameters: Parameters, evaluator: OnDevice, seed: int, games: int, launcher: Launcher,
        device: torch.device, nodes: int = 0,
    ) -> None:  # fmt: skip
        search = replace(parameters.search, nodes=nodes or parameters.search.nodes)
        cache = games * cached_of_a_game(parameters)
        self.search = DeviceSearch(game, search, parameters.selfplay, games, launcher, device, seed, cache)
        self.evaluator = evaluator
        self.stream = torch.cuda.Stream(device) if device.type == "cuda" else None
        self.aside = torch.cuda.Stream(device) if device.type == "cuda" else None
        self.graph, self.precision = self._captured(), evaluator.precision
        with torch.cuda.stream(self.stream):
            self.search.begin_games()
            self.standing = self.search.positions()  # where its games stand while nobody plays
            self.unfinished = self.search.take_rows()  # the moves that led there
        self.collected = 0

    def play(self, positions: int, stop: threading.Event) -> NDArray[np.int32]:
        """Play until `positions` more have been searched in full; the rows of all moves."""
        search, full = self.search, int(self.search.kernels.LOG_FULL)
        taken = []
        self.collected = 0
        if self.stream is not None:  # what others have changed since, they did elsewhere
            self.stream.wait_stream(torch.cuda.default_stream(search.device))
        with torch.cuda.stream(self.stream), torch.inference_mode():
            search.forget_evaluations()
            search.begin_positions(self.standing)
            while self.collected < positions and not stop.is_set():
                self._rounds()
                rows = search.take_rows()
                taken.append(rows)
                self.collected += int(rows[:, full].sum())
            self.standing = search.positions()
        return np.concatenate([self.unfinished, *taken])

    def renew(self) -> None:
        """Go on with the evaluator as it is now, whose weights have changed. Not while others use the GPU."""
        if self.evaluator.precision != self.precision:
            self.graph, self.precision = self._captured(), self.evaluator.precision
            with torch.cuda.stream(self.stream):
                self.search.take_rows()  # of rounds that were tried

    def _rounds(self) -> None:
        if self.graph is not None:
            self.graph.replay()
            return
        for _ in range(ROUNDS):
            self._round()

    def _round(self) -> None:
        search = self.search
        search.search()
        with self._aside():
            search.move()
        search.show()
        self.evaluator.answer(search.planes.flatten(0, 1), search.policy, search.value)
        search.remember()
        if self.aside is not None:
            torch.cuda.current_stream().wait_stream(self.aside)

    def _aside(self) -> AbstractContextManager[Any]:
        """Beside what comes next; on a CPU before it."""
        if self.aside is None:
            return contextlib.nullcontext()
        self.aside.wait_stream(torch.cuda.current_stream())
        return torch.cuda.stream(self.aside)

    def _captured(self) -> torch.cuda.CUDAGraph | None:
        if self.stream is None:
            return None
        with capturing:
            self.stream.wait_stream(torch.cuda.current_stream())
            return captured(self._round, self.stream, torch.cuda.graph_pool_handle(), ROUNDS)


def gpu_shards(
    game: Game,
    parameters: Parameters,
    network: Network,
    device: torch.device,
    precision: str,
    launcher: Launcher,
) -> tuple[list[CudaForward], Callable[..., DeviceShard]]:
    """The evaluators of self-play on a GPU, and what makes their shards."""
    free, _ = torch.cuda.mem_get_info(device)
    wanted, parameters = parameters.selfplay.device_games, with_room(game, parameters, network, free)
    games, nodes = games_that_fit(game, parameters, network, wanted, free) // SHARDS, parameters.search.nodes
    rows = games * parameters.search.leaves
    sample = partial(random_sample, game)
    evaluators = [
        CudaForward(network, rows, device, precision, graphs=False, sample=sample) for _ in range(SHARDS)
    ]
    return evaluators, partial(DeviceShard, games=games, launcher=launcher, device=device, nodes=nodes)


def cached_of_a_game(parameters: Parameters) -> int:
    """How many evaluations are kept for each game: as many as on the CPU, within reason."""
    return min(parameters.search.cache // parameters.selfplay.games, MOST_CACHED)


def with_room(game: Game, parameters: Parameters, network: Network, free: int) -> Parameters:
    """The parameters with as much room in each game's graph as these bytes hold for all games. To make room is what a thread
    of a GPU takes longest for, and the other games wait for it."""
    search, games = parameters.search, parameters.selfplay.device_games
    if search.nodes:
        return parameters
    rooms = [
        replace(parameters, search=replace(search, nodes=searches * (search.simulations + 1)))
        for searches in ROOMS
    ]
    fitting = (p for p in rooms if games * bytes_of_a_game(game, p, network) <= MEMORY_SHARE * free)
    return next(fitting, rooms[-1])


def games_that_fit(game: Game, parameters: Parameters, network: Network, wanted: int, free: int) -> int:
    """How many of the wanted games this many bytes hold, on all shards together; one for each at least."""
    each = bytes_of_a_game(game, parameters, network)
    fit = int(MEMORY_SHARE * free) // each
    if fit < SHARDS:
        raise NoughtError(
            f"not one game fits into the {free / 1e9:.1f} GB that are free on the GPU (each takes {each / 1e6:.0f} MB): "
            "use fewer simulations, a smaller network, or --set selfplay.device_games=0"
        )
    return max(SHARDS, min(wanted, fit))


def bytes_of_a_game(game: Game, parameters: Parameters, network: Network) -> int:
    """How much of a GPU's memory each game takes, with its part of the cache and of the network's layers."""
    search = parameters.search
    planes, rows, columns = game.planes_shape
    layer = max(planes, network.architecture.filters) * rows * columns * 4
    entry = 8 * (game.actions + 8) + game.zero_state().nbytes
    return (
        8 * words_of_a_game(game, search, parameters.selfplay)
        + search.leaves * LAYERS_AT_ONCE * layer
        + 2 * entry * cached_of_a_game(parameters)  # at most twice as many, a power of two
    )
