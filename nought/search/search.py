"""Searching many games at once: the Python side of the kernels."""

from __future__ import annotations

import math
import time
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nought.config import Choice, NoiseInto, SearchParameters, SelfPlayParameters
from nought.errors import NoughtError
from nought.games import Game
from nought.search import memory
from nought.search.evaluator import BadEvaluation, Evaluator, Native
from nought.search.kernels import kernels
from nought.search.layout import lay_out
from nought.search.memory import (
    LIMIT,
    NODES,
    PENDING,
    PLY,
    ROOT,
    SIMULATIONS,
    USED,
    KernelSettings,
    MemoryLayout,
    U,
)

CHOICES = {
    Choice.PUCT: memory.PUCT,
    Choice.PUCT_PLUS_ONE: memory.PUCT_PLUS_ONE,
    Choice.UCB1: memory.UCB1,
    Choice.GUMBEL: memory.GUMBEL,
}

# Where there is no self-play, every search is a full one from the position that was given.
ONE_SEARCH = SelfPlayParameters(full_share=1.0, fast_simulations=1, opening_share=0.0, opening_moves=0)


class Log(NamedTuple):
    """Searches of self-play that ended in a move, in the order in which they ended. Where a field stands in a raw row,
    LOG_GAME … in kernels/advance.py say."""

    states: NDArray[Any]  #          [rows, state] before the move
    game: NDArray[np.int32]  #       [rows] place in the batch
    player: NDArray[np.int32]  #     [rows] who was to move
    ply: NDArray[np.int32]  #        [rows] moves before this one
    action: NDArray[np.int32]  #     [rows] the move played
    value: NDArray[np.float32]  #    [rows] the search's value for the player to move
    proven: NDArray[np.int32]  #     [rows] whether that value is proven
    finished: NDArray[np.int32]  #   [rows] whether the move ended the game
    result: NDArray[np.float32]  #   [rows] and then the result for player 0
    margin: NDArray[np.int32]  #     [rows] and its margin
    full: NDArray[np.int32]  #       [rows] whether it was a full search (playout cap)
    surprise: NDArray[np.float32]  # [rows] how far the policy is from the prior, in nats
    policy: NDArray[np.float32]  #   [rows, actions] the search's policy, before any temperature


LOG_FLOATS = ("value", "result", "surprise")  # the other numbers of a row are whole


class Positions(NamedTuple):
    """Where the games of a batch stand."""

    states: NDArray[Any]  #         [games, state]
    ply: NDArray[np.int32]  #       [games]
    random: NDArray[np.uint64]  #   [games] their streams of random numbers


class Search:
    """The searches of a batch of games that share one evaluator and one evaluation cache.

    Begin with `begin` (a position) or `begin_games`; then `advance` and `answer` take turns, or `run` does
    both. One Search belongs to one thread; the kernels release the GIL, so several run side by side.
    """

    def __init__(
        self,
        game: Game,
        parameters: SearchParameters,
        games: int = 1,
        *,
        seed: int = 0,
        self_play: SelfPlayParameters | None = None,
        log_rows: int = 0,
    ) -> None:
        parameters.check()
        self.game = game
        self.parameters = parameters
        self.games = games
        self.kernels = kernels(game)
        rows = (log_rows or 4 * games) if self_play else 0
        layout, size = lay_out(game, self.kernels, parameters, games, rows)
        self.layout = layout
        self.words = _aligned_words(size)
        self.ints, self.floats = self.words.view(np.int32), self.words.view(np.float32)
        self._write(memory.LAYOUT, np.array(layout, np.uint64))
        self._write(
            memory.SETTINGS,
            np.array(_settings(parameters, self_play, game.longest), np.float64).view(np.uint64),
        )
        capacity = games * parameters.leaves
        # [games, words] what stands at the head of each block: memory.ROOT …
        self.blocks = self.ints[int(layout.blocks) :].reshape(games, -1)
        self.batch = self._states(layout.batch, capacity, 2 * int(self.kernels.STATE_WORDS))
        self.policy_answers = self._rows(self.floats, layout.policy, capacity, game.actions)
        self.value_answers = self._rows(self.floats, layout.value, capacity, 1)[:, 0]
        self.state_at_hand = self._states(memory.HERE, 1, 2 * int(self.kernels.STATE_WORDS))[0]
        self.blocks.view(np.uint64)[:, int(memory.RANDOM) // 2] = streams(seed, games)
        self.set_simulations(parameters.simulations)
        self.kernels.forget_games(self.words)

    def set_simulations(self, simulations: int) -> None:
        """Take this many simulations a move from the next search on, at most those of the parameters."""
        place = memory.SETTINGS + U(KernelSettings._fields.index("simulations"))
        self._write(place, np.array([simulations], np.float64).view(np.uint64))
        considered, turns = int(self.layout.considered), int(self.layout.turns)
        table = self._rows(self.ints, self.layout.halving, considered + 1, turns)
        table[:, : max(simulations, 1)] = halving_table(considered, max(simulations, 1))

    def _write(self, place: np.uint64, words: NDArray[np.uint64]) -> None:
        self.words[int(place) : int(place) + len(words)] = words

    def _rows(self, view: NDArray[Any], place: np.uint64, rows: int, columns: int) -> NDArray[Any]:
        return view[int(place) : int(place) + rows * columns].reshape(rows, columns)

    def _states(self, place: np.uint64, rows: int, distance: int) -> NDArray[Any]:
        """The states that stand at the start of records at this distance."""
        return self._rows(self.ints, place, rows, distance).view(self.game.state_dtype)[
            :, : self.game.state_length
        ]

    def _place(self, g: int) -> np.uint64:
        if not 0 <= g < self.games:  # the kernels would write there all the same
            raise IndexError(f"there is no game {g} in a search of {self.games}")
        return U(g)

    # ---- the lockstep --------------------------------------------------------------------------------------
    def begin_games(self) -> None:
        """Begin searching the starting position in every game."""
        self.kernels.begin_games(self.words)

    def begin(self, g: int, state: NDArray[Any], ply: int = 0, simulations: int | None = None) -> None:
        """Begin searching a position (not a finished one) in place g, keeping what is known below it."""
        if self.game.rules.finished(state):
            raise NoughtError("the game is over: there is nothing to search")
        self.state_at_hand[:] = state
        self.kernels.begin_position(self.words, self._place(g), ply)
        if simulations is not None:
            self.blocks[g, LIMIT] = simulations

    def advance(self) -> NDArray[Any]:
        """Search until every game awaits an evaluation or is done; the positions to evaluate."""
        self.kernels.advance(self.words)
        self.check_answers()
        return self.batch[: self.ints[memory.BATCH_COUNT]]

    def answer(self, policy: NDArray[np.float32], value: NDArray[np.float32]) -> None:
        """Hand over the evaluations of the positions that `advance` returned."""
        self.policy_answers[: len(policy)] = policy
        self.value_answers[: len(value)] = value

    def run(self, evaluator: Evaluator, seconds: float = math.inf) -> None:
        """Search until all games are done, or time is up: then with what has been found so far."""
        end = time.monotonic() + seconds
        while len(states := self.advance()) > 0:
            self.answer(*evaluator(states))
            if time.monotonic() > end:
                self.stop()

    def rounds(self, native: Native, count: int) -> None:
        """Search and evaluate `count` times without Python, or until all games are done or the log is half full."""
        if len(native.room) < len(self.batch):
            raise ValueError(f"the evaluator takes {len(native.room)} positions, not {len(self.batch)}")
        code = self.kernels.rounds(self.words, *native, count)
        if code != 0:
            raise RuntimeError(f"the device failed to evaluate positions, with code {code}")
        self.check_answers()

    def check_answers(self) -> None:
        """Raise BadEvaluation where the kernels have noted an answer that is none."""
        if wrong := self.ints[memory.WRONG]:
            number = self.floats[memory.WRONG_NUMBER]
            if wrong == memory.RULES_RAISED:
                raise NoughtError(f"{self.game.name}: a rule has raised an exception on the GPU")
            if wrong == memory.WRONG_VALUE:
                raise BadEvaluation(f"the evaluator answered a value of {number:g}; values are from -1 to 1")
            what = "a negative weight" if number < 0 else "weights whose sum is"
            raise BadEvaluation(
                f"the evaluator answered a policy with {what} {number:g}; weights of moves are 0 or more, and finite"
            )

    def stop(self) -> None:
        """Let every search end with the simulations under way."""
        under_way = self.blocks[:, SIMULATIONS] + self.blocks[:, PENDING]
        self.blocks[:, LIMIT] = np.minimum(self.blocks[:, LIMIT], under_way)

    def forget(self, g: int) -> None:
        """Empty the graph of place g: another game begins there."""
        block, layout = self.blocks[g], self.layout
        block[USED] = layout.blocks + U(g) * layout.block + layout.pool
        block[NODES] = 0
        block[int(layout.table) : int(layout.table + layout.table_mask) + 1] = 0

    def forget_evaluations(self) -> None:
        """Empty the cache: the evaluator has changed."""
        self.words[memory.LAYOUT + U(MemoryLayout._fields.index("generation"))] += U(1)

    # ---- what was found ------------------------------------------------------------------------------------
    def decide(self, g: int = 0) -> tuple[int, NDArray[np.float32]]:
        """The move to play, and the search's policy [actions] at the root, untempered."""
        action = self.kernels.decision(self.words, self._place(g), self.layout.stack)
        return int(action), self._rows(self.floats, self.layout.stack, 1, self.game.actions)[0].copy()

    def take_rows(self) -> NDArray[np.int32]:
        """The moves of self-play since the last call, as raw rows: `as_log` reads them."""
        count = int(self.ints[memory.LOG_COUNT])
        self.ints[memory.LOG_COUNT] = 0
        return self._rows(self.ints, self.layout.log, count, int(self.kernels.LOG_SIZE)).copy()

    def as_log(self, rows: NDArray[np.int32]) -> Log:
        """What stands in raw rows, by field."""
        floats, first = rows.view(np.float32), int(self.kernels.LOG_POLICY)
        columns: dict[str, Any] = {
            name: (floats if name in LOG_FLOATS else rows)[:, getattr(self.kernels, f"LOG_{name.upper()}")]
            for name in Log._fields[1:-1]
        }
        return Log(
            states=rows.view(self.game.state_dtype)[:, : self.game.state_length],
            **columns,
            policy=floats[:, first : first + self.game.actions],
        )

    def take_log(self) -> Log:
        """The moves of self-play since the last call."""
        return self.as_log(self.take_rows())

    # ---- stopping and going on -----------------------------------------------------------------------------
    def positions(self) -> Positions:
        """Where every game stands, enough to go on from there with empty graphs."""
        roots = self.blocks[:, ROOT]
        length = 2 * int(self.kernels.STATE_WORDS)
        states = self.ints[roots[:, None] + np.arange(length)].view(self.game.state_dtype)
        return Positions(
            states[:, : self.game.state_length].copy(),
            self.blocks[:, PLY].copy(),
            self.blocks.view(np.uint64)[:, int(memory.RANDOM) // 2].copy(),
        )

    def begin_positions(self, positions: Positions) -> None:
        """Go on from these positions with empty graphs."""
        self.blocks.view(np.uint64)[:, int(memory.RANDOM) // 2] = positions.random
        self.ints[memory.BATCH_COUNT] = 0
        self.kernels.begin_positions(self.words, positions.states, positions.ply)

    def counters(self) -> dict[str, int]:
        """What has been counted since the start: simulations, evaluations, where others were saved, moves."""
        names = ("simulations", "evaluations", "from_cache", "from_graph", "from_end", "moves", "games")
        return dict(zip(names, map(int, self.words[: memory.COUNTERS]), strict=True))


def streams(seed: int, games: int) -> NDArray[np.uint64]:
    """Where the random numbers of each game begin."""
    return np.random.SeedSequence(seed).generate_state(games, np.uint64).astype(np.uint64)


def _settings(
    parameters: SearchParameters, self_play: SelfPlayParameters | None, longest: int
) -> KernelSettings:
    """The parameters as the kernels take them: those of the same name as they are, and what follows from several."""
    played = self_play or ONE_SEARCH
    declared = asdict(parameters) | asdict(played)
    gumbel, urgency = parameters.choice == Choice.GUMBEL, parameters.first_play_urgency
    return KernelSettings(
        **{name: declared[name] for name in KernelSettings._fields if name in declared}
        | {
            "choice": CHOICES[parameters.choice],
            "first_play_urgency": math.nan if urgency is None else urgency,
            "noise": _noise(parameters),
            "sampled_moves": 0 if gumbel else parameters.sampled_moves,  # its noise is variety enough
            "opening_moves": min(played.opening_moves, longest),
            "self_play": self_play is not None,
        }
    )


def _noise(parameters: SearchParameters) -> int:
    """What noise is mixed into; Gumbel's has a place of its own, and no share."""
    gumbel = parameters.choice == Choice.GUMBEL
    if not parameters.noise or not (gumbel or parameters.noise_share > 0):
        return memory.NO_NOISE
    into_move = parameters.noise_into == NoiseInto.MOVE and not gumbel
    return memory.MOVE_NOISE if into_move else memory.PRIOR_NOISE


def _aligned_words(size: int) -> NDArray[np.uint64]:
    """Zeroed memory of `size` 32-bit words that starts on a cache line."""
    raw = np.zeros(size // 2 + 8, np.uint64)
    skip = (-raw.ctypes.data % 64) // 8
    return raw[skip : skip + size // 2]


def halving_table(considered: int, simulations: int) -> NDArray[np.int32]:
    """[considered + 1, simulations] sequential halving as a rule without memory: with
    `considered` moves, simulation t goes to the best-scored move that has exactly table[considered, t] visits
    (Danihelka et al.)."""
    table = np.zeros((considered + 1, simulations), np.int32)
    for m in range(1, considered + 1):
        if m == 1:
            table[m] = np.arange(simulations)
            continue
        rounds = math.ceil(math.log2(m))
        visits = [0] * m
        sequence: list[int] = []
        left = m
        while len(sequence) < simulations:
            for _ in range(max(1, simulations // (rounds * left))):
                sequence.extend(visits[:left])
                for i in range(left):
                    visits[i] += 1
            left = max(2, left // 2)
        table[m] = sequence[:simulations]
    return table
