"""Searching on a GPU: one thread for each game, and nothing for the CPU to do.

Every game has a memory of its own on the GPU, as a Search of one game has it, and the compiled kernels work on that
unchanged (nought/search/kernels/device.py). Behind the games' memories stands one cache of evaluations for all of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nought.compile.cuda import ptx
from nought.compile.driver import CudaModule
from nought.config import SearchParameters, SelfPlayParameters
from nought.games import Game
from nought.search import Log, Positions, Search, memory
from nought.search.kernels import SEARCH, kernels
from nought.search.memory import KernelSettings, MemoryLayout
from nought.search.search import streams

NOTE = int(memory.WRONG)  # where a game's failures are noted
LOG_ROWS = 16  #            moves that a game keeps until they are fetched; one with more waits
SIMULATIONS_AT_ONCE = 10  # that a thread makes without a question while others wait for it


class Launcher(Protocol):
    """Runs one of the kernels for every row of `games`, each with its row of `room`. Where rules raise an exception, that is
    noted in the row's 32-bit number `note`."""

    def __call__(self, name: str, games: Tensor, room: Tensor, note: int = NOTE) -> None: ...


class OnGpu:
    """The kernels of a game on the GPU, each launched in the stream that is current. Raises NotForGpu where the rules cannot
    be compiled for it, and GpuFailed where its driver does not take them."""

    def __init__(self, game: Game) -> None:
        torch.cuda.current_stream().synchronize()  # torch chooses the GPU before the driver is asked
        self.module = CudaModule(ptx(game, SEARCH).encode())

    def __call__(self, name: str, games: Tensor, room: Tensor, note: int = NOTE) -> None:
        stream = torch.cuda.current_stream().cuda_stream
        count, words = games.shape
        part = room[0].numel()
        self.module.launch(name, stream, count, games.data_ptr(), words, room.data_ptr(), part, note)


class OnHost:
    """The same kernels on the CPU, one game after the other, to see without a GPU that they are right."""

    def __init__(self, game: Game) -> None:
        self.kernels = kernels(game)

    def __call__(self, name: str, games: Tensor, room: Tensor, note: int = NOTE) -> None:  # noqa: ARG002 (it raises)
        kernel, words = getattr(self.kernels, name), games.numpy().view(np.uint64)
        for g in range(len(words)):
            kernel(words[g], room[g].reshape(-1).numpy(), g)


class DeviceSearch:
    """The searches of many games in a GPU's memory. A game goes the same way as in a Search with the same seed, if the
    evaluator answers the same."""

    def __init__(
        self,
        game: Game,
        parameters: SearchParameters,
        self_play: SelfPlayParameters,
        games: int,
        launcher: Launcher,
        device: torch.device,
        seed: int,
        cache: int = 0,
    ) -> None:
        self.game, self.games, self.launcher, self.device = game, games, launcher, device
        # What a game begins with: a search of one game, made on the CPU.
        self.model = _model(game, parameters, self_play)
        self.kernels, self.layout = self.model.kernels, self.model.layout
        size = len(self.model.words)
        entries = 1 << (cache - 1).bit_length() if cache > 1 else 0
        entry = int(self.kernels.ENTRY_SIZE) // 2
        movers = games // 2 + 1  # one number and a list of games
        whole = torch.zeros(games * size + movers + entries * entry, dtype=torch.int64, device=device)
        self.words = whole[: games * size].view(games, size)
        self.ints, self.floats = self.words.view(torch.int32), self.words.view(torch.float32)
        self.words[:] = torch.from_numpy(self.model.words.view(np.int64)).to(device)
        self._set_streams(streams(seed, games))
        # what stands behind all games, as each of them counts from its own memory
        behind = torch.arange(games, 0, -1, device=device) * 2 * size
        self.words[:, _layout_place("movers")] = behind
        self.movers = whole[games * size :].view(torch.int32)[:1]  # how many
        self.cached = entries > 0
        if self.cached:
            self.words[:, _layout_place("cache")] = behind + 2 * movers
            self.words[:, _layout_place("cache_mask")] = entries - 1
        # [games, leaves, planes, rows, columns] what the network is to see
        leaves = int(self.layout.leaves)
        self.planes = torch.zeros((games, leaves, *game.planes_shape), device=device)
        # [games, leaves, actions] and [games, leaves]: where its answers go
        policy, value, actions = int(self.layout.policy), int(self.layout.value), game.actions
        self.policy = self.floats[:, policy : policy + leaves * actions].unflatten(1, (leaves, actions))
        self.value = self.floats[:, value : value + leaves]
        rows = int(self.layout.log_rows) * int(self.kernels.LOG_SIZE)
        log = self.ints[:, int(self.layout.log) : int(self.layout.log) + rows]
        self.log = log.unflatten(1, (int(self.layout.log_rows), int(self.kernels.LOG_SIZE)))

    def launch(self, name: str) -> None:
        """Run a kernel for every game."""
        self.launcher(name, self.words, self.planes)

    # ---- the lockstep --------------------------------------------------------------------------------------
    def begin_games(self) -> None:
        """Begin searching the starting position in every game."""
        self.launch("device_new_game")

    def search(self) -> None:
        """Take in the answers and search until there are questions, or moves to be made."""
        self.movers.zero_()
        self.launch("device_search")

    def move(self) -> None:
        """Make the moves, while others do something about the questions."""
        self.launch("device_move")

    def show(self) -> None:
        """Write the planes of the questions."""
        self.planes.zero_()
        self.launch("device_planes")

    def remember(self) -> None:
        """The answers stand in `policy` and `value`: keep them for all games."""
        if self.cached:
            self.launch("device_claim")
            self.launch("device_store")

    def set_simulations(self, simulations: int) -> None:
        """Take this many simulations a move from the next search on, at most those of the parameters."""
        self.model.set_simulations(simulations)
        words = torch.from_numpy(self.model.words.view(np.int64))
        place = int(memory.SETTINGS) + KernelSettings._fields.index("simulations")
        self.words[:, place] = words[place].to(self.device)
        first = int(self.layout.halving) // 2
        last = first + -((int(self.layout.considered) + 1) * int(self.layout.turns) // -2)
        self.words[:, first:last] = words[first:last].to(self.device)

    def forget_evaluations(self) -> None:
        """Empty the cache: the evaluator has changed."""
        self.words[:, _layout_place("generation")] += 1

    # ---- what was found ------------------------------------------------------------------------------------
    def take_rows(self) -> NDArray[np.int32]:
        """The moves of self-play since the last call, game by game, as raw rows: `as_log` reads them."""
        self._check_answers()
        counts = self.ints[:, int(memory.LOG_COUNT)]
        taken = torch.arange(self.log.shape[1], device=self.device) < counts[:, None]
        rows = self.log[taken]
        rows[:, int(self.kernels.LOG_GAME)] = taken.nonzero()[:, 0].to(torch.int32)
        counts.zero_()
        return rows.cpu().numpy()

    def _check_answers(self) -> None:
        wrong, game = self.ints[:, int(memory.WRONG)].max(0)
        if wrong.item():
            first = int(memory.WRONG)
            self.model.ints[first : first + 2] = self.ints[game, first : first + 2].cpu().numpy()
            self.model.check_answers()

    def as_log(self, rows: NDArray[np.int32]) -> Log:
        """What stands in raw rows, by field."""
        return self.model.as_log(rows)

    def counters(self) -> dict[str, int]:
        """What has been counted since the start, in all games."""
        self.model.words[: memory.COUNTERS] = self.words[:, : int(memory.COUNTERS)].sum(0).cpu().numpy()
        return self.model.counters()

    # ---- stopping and going on -----------------------------------------------------------------------------
    def positions(self) -> Positions:
        """Where every game stands, enough to go on from there with empty graphs."""
        block = int(self.layout.blocks)
        roots = self.ints[:, block + int(memory.ROOT)].long() // 2
        words = torch.arange(int(self.kernels.STATE_WORDS), device=self.device)
        states = self.words.gather(1, roots[:, None] + words).cpu().numpy()
        return Positions(
            states.view(self.game.state_dtype)[:, : self.game.state_length].copy(),
            self.ints[:, block + int(memory.PLY)].cpu().numpy(),
            self.words[:, self._stream_place()].cpu().numpy().view(np.uint64),
        )

    def begin_positions(self, positions: Positions) -> None:
        """Go on from there: what was known about the games is forgotten."""
        self._set_streams(positions.random)
        size = 8 * int(self.kernels.STATE_WORDS)
        states = np.zeros((self.games, size), np.uint8)
        given = np.ascontiguousarray(positions.states).view(np.uint8).reshape(self.games, -1)
        states[:, : given.shape[1]] = given
        here = int(memory.HERE) // 2
        self.words[:, here : here + size // 8] = torch.from_numpy(states.view(np.int64)).to(self.device)
        plies = torch.from_numpy(np.ascontiguousarray(positions.ply)).to(self.device)
        self.ints[:, int(self.layout.blocks) + int(memory.PLY)] = plies
        self.launch("device_go_on")

    def _set_streams(self, random: NDArray[np.uint64]) -> None:
        self.words[:, self._stream_place()] = torch.from_numpy(random.view(np.int64).copy()).to(self.device)

    def _stream_place(self) -> int:
        return (int(self.layout.blocks) + int(memory.RANDOM)) // 2


def words_of_a_game(game: Game, parameters: SearchParameters, self_play: SelfPlayParameters) -> int:
    """How many 64-bit words each game takes."""
    return len(_model(game, parameters, self_play).words)


def _model(game: Game, parameters: SearchParameters, self_play: SelfPlayParameters) -> Search:
    alone = replace(parameters, cache=0)
    search = Search(game, alone, 1, self_play=self_play, log_rows=LOG_ROWS)
    given: dict[str, Any] = {"shared": 1, "simulations_at_once": SIMULATIONS_AT_ONCE, "moves_at_once": 0}
    for name, number in given.items():
        search.words[_layout_place(name)] = number
    return search


def _layout_place(name: str) -> int:
    return int(memory.LAYOUT) + MemoryLayout._fields.index(name)
