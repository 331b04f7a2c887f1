"""Playing games to learn from: on every core a shard of games with its own evaluator, so that the network never
waits for the search and no thread for another."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nought.arithmetic import ceil_div
from nought.config import Parameters
from nought.errors import NoughtError
from nought.events import NodeReport, SelfPlayReport
from nought.games import Game
from nought.search import Evaluator, Native, Positions, Search

ROUNDS = 16  # of search and evaluation before Python looks at what they gave
POLL = 0.05  # seconds between two reports of progress


class Samples(NamedTuple):
    """Positions to learn from. Values are for the player to move."""

    states: NDArray[Any]  #          [n, state]
    policy: NDArray[np.float32]  #   [n, actions] the search's policy
    outcome: NDArray[np.float32]  #  [n] of the game
    margin: NDArray[np.float32]  #   [n] of the game
    value: NDArray[np.float32]  #    [n] the search's
    proven: NDArray[np.bool_]  #     [n] whether that is a fact
    surprise: NDArray[np.float32]  # [n] how far the policy is from the prior, in nats

    def __len__(self) -> int:  # positions, not fields
        return len(self[0])


class PlayedGame(NamedTuple):
    """A finished game."""

    opening: int  #         random moves before the first that was searched (they are not recorded)
    start: NDArray[Any]  #  the state then
    actions: list[int]
    values: list[float]  #  the search's, for player 0
    result: float
    margin: int


class SelfPlayResult(NamedTuple):
    """What came of playing for a while."""

    samples: Samples
    games: list[PlayedGame]
    report: SelfPlayReport


def joined(parts: Sequence[SelfPlayResult], recorded: int) -> SelfPlayResult:
    """What came of playing several times, one after the other, as if it had been once; at most `recorded` games of it,
    or all with 0."""
    reports = [part.report for part in parts]
    ended = sum(report.games for report in reports)
    points = sum(report.games * report.first_player_score for report in reports)
    report = SelfPlayReport(
        games=ended,
        positions=sum(report.positions for report in reports),
        seconds=sum(report.seconds for report in reports),
        simulations=sum(report.simulations for report in reports),
        evaluations=sum(report.evaluations for report in reports),
        first_player_score=points / ended if ended else 0.0,
        nodes=_nodes(reports),
    )
    games = [game for part in parts for game in part.games]
    return SelfPlayResult(_concatenated([part.samples for part in parts]), games[: recorded or None], report)


def _nodes(reports: Sequence[SelfPlayReport]) -> tuple[NodeReport, ...]:
    """What each machine of a cluster has given to all of these."""
    found: dict[str, NodeReport] = {}
    for new in (node for report in reports for node in report.nodes):
        old = found.get(new.node, NodeReport(new.node, 0, 0, 0.0, new.version))
        found[new.node] = NodeReport(
            new.node,
            max(old.players, new.players),
            old.positions + new.positions,
            old.seconds + new.seconds,
            min(old.version, new.version),
            old.dropped + new.dropped,
        )
    return tuple(found[name] for name in sorted(found))


def _concatenated(samples: Sequence[Samples]) -> Samples:
    return samples[0] if len(samples) == 1 else Samples(*map(np.concatenate, zip(*samples, strict=True)))


def check_samples(samples: Samples, game: Game) -> None:
    """A ValueError for positions that are not of this game, or that nobody could learn from."""
    count = len(samples)
    shapes = {"states": (count, game.state_length), "policy": (count, game.actions)}
    for name, array in samples._asdict().items():
        if array.shape != shapes.get(name, (count,)):
            raise ValueError(f"its {name} are not of this game")
        if name == "states" and array.dtype != game.state_dtype:
            raise ValueError("its states are not of this game")
        if name != "states" and not np.isfinite(array).all():
            raise ValueError(f"its {name} are no finite numbers")


class Shard:
    """The games of one thread."""

    def __init__(self, game: Game, parameters: Parameters, evaluator: Evaluator, seed: int) -> None:
        selfplay = parameters.selfplay
        self.search = Search(game, parameters.search, selfplay.games, seed=seed, self_play=selfplay)
        self.evaluator = evaluator
        self.search.begin_games()
        self.standing = self.search.positions()  # where its games stand while nobody plays
        self.unfinished = self.search.take_rows()  # the moves that led there
        self.collected = 0

    def play(self, positions: int, stop: threading.Event) -> NDArray[np.int32]:
        """Play until `positions` more have been searched in full; the rows of all moves."""
        search = self.search
        search.forget_evaluations()
        search.begin_positions(self.standing)
        full = int(search.kernels.LOG_FULL)
        self.collected = 0
        taken = []
        while self.collected < positions and not stop.is_set():
            self._search_on()
            rows = search.take_rows()
            if len(rows) > 0:
                taken.append(rows)
                self.collected += int(rows[:, full].sum())
        self.standing = search.positions()
        return np.concatenate([self.unfinished, *taken])

    def _search_on(self) -> None:
        native: Native | None = getattr(self.evaluator, "native", None)
        if native is not None:
            self.search.rounds(native, ROUNDS)
        elif len(states := self.search.advance()) > 0:
            self.search.answer(*self.evaluator(states))


class SelfPlay:
    """Self-play on all threads. Between calls of `play` games stand still: the evaluators may change."""

    def __init__(
        self,
        game: Game,
        parameters: Parameters,
        evaluators: Sequence[Any],
        seed: int,
        shard: Callable[[Game, Parameters, Any, int], Any] = Shard,
    ) -> None:
        self.game = game
        self.recorded = parameters.selfplay.recorded or sys.maxsize
        seeds = np.random.SeedSequence(seed).generate_state(len(evaluators))
        self.shards = [shard(game, parameters, e, int(s)) for e, s in zip(evaluators, seeds, strict=True)]

    def play(
        self,
        positions: int,
        simulations: int,
        progress: Callable[[float], None] = lambda _: None,
        seconds: float = math.inf,
    ) -> SelfPlayResult:
        """Play until about `positions` have been searched in full, or `seconds` are over; what finished
        games teach, and some of them."""
        begin = time.perf_counter()
        quota = ceil_div(positions, len(self.shards))
        before = self.counted()
        for shard in self.shards:
            shard.search.set_simulations(simulations)
        stop = threading.Event()
        with ThreadPoolExecutor(len(self.shards)) as pool:
            running = [pool.submit(_played, shard, quota, stop) for shard in self.shards]
            try:
                while not all(future.done() for future in running):
                    progress(min(1.0, sum(s.collected for s in self.shards) / (quota * len(self.shards))))
                    wait(running, POLL, FIRST_EXCEPTION)
                    if time.perf_counter() - begin > seconds:
                        stop.set()
                    if any(future.done() and future.exception() for future in running):
                        break
                rows = [future.result() for future in running]
            except BaseException:
                stop.set()
                raise
        samples: list[Samples] = []
        games: list[PlayedGame] = []
        results: list[NDArray[np.float32]] = []
        for shard, (finished, unfinished) in zip(self.shards, rows, strict=True):
            shard.unfinished = unfinished
            samples.append(_samples(shard.search, finished))
            results.append(_results(shard.search, finished))
            games += _games(shard.search, finished, self.recorded - len(games))
        after = self.counted()
        ended = np.concatenate(results)
        report = SelfPlayReport(
            games=len(ended),
            positions=sum(map(len, samples)),
            seconds=time.perf_counter() - begin,
            simulations=after["simulations"] - before["simulations"],
            evaluations=after["evaluations"] - before["evaluations"],
            first_player_score=float(ended.mean()) if len(ended) else 0.0,
        )
        return SelfPlayResult(_concatenated(samples), games, report)

    def counted(self) -> dict[str, int]:
        """What the searches of all shards have counted."""
        counted = [shard.search.counters() for shard in self.shards]
        return {name: sum(c[name] for c in counted) for name in counted[0]}

    # ---- stopping and going on -----------------------------------------------------------------------------
    def state(self) -> dict[str, NDArray[Any]]:
        """Where all games stand: with it `restore` goes on exactly as if nothing had happened."""
        arrays: dict[str, NDArray[Any]] = {}
        for i, shard in enumerate(self.shards):
            arrays |= {f"{i}.{name}": array for name, array in shard.standing._asdict().items()}
            arrays[f"{i}.unfinished"] = shard.unfinished
        return arrays

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Go on from there. With other shards than then (another machine, other memory) the games are dealt out anew: if
        there are more places than games the others begin, and games without a place are given up."""
        saved = self._saved(arrays)
        if [len(s.positions.ply) for s in saved] != [s.search.games for s in self.shards]:
            saved = self._dealt(_Standing.joined(saved, self._place()))
        for shard, standing in zip(self.shards, saved, strict=True):
            shard.standing, shard.unfinished = standing

    def _saved(self, arrays: dict[str, NDArray[Any]]) -> list[_Standing]:
        """What `state` has written, shard by shard."""
        row = self.shards[0].unfinished
        shards = range(sum(name.endswith(".unfinished") for name in arrays))
        try:
            saved = [_Standing.of(arrays, i) for i in shards]
        except KeyError:
            saved = []
        if not saved or any(s.rows.shape[1:] != row.shape[1:] or s.rows.dtype != row.dtype for s in saved):
            raise NoughtError(
                "the run's open games were written by another version of nought, or are damaged"
            )
        return saved

    def _place(self) -> int:
        """Where the number of its game stands in a row."""
        return int(self.shards[0].search.kernels.LOG_GAME)

    def _dealt(self, standing: _Standing) -> list[_Standing]:
        """A part for each shard, filled up with its own new games."""
        first, parts = 0, []
        for shard in self.shards:
            part = standing.part(first, shard.search.games, self._place())
            new = _Standing(shard.standing, shard.unfinished).part(
                len(part.positions.ply), shard.search.games, self._place()
            )
            parts.append(_Standing.joined([part, new], self._place()))
            first += shard.search.games
        return parts


class _Standing(NamedTuple):
    """Where some games stand, and the rows of the moves that led there."""

    positions: Positions
    rows: NDArray[np.int32]

    @classmethod
    def of(cls, arrays: dict[str, NDArray[Any]], shard: int) -> _Standing:
        positions = Positions(*(arrays[f"{shard}.{name}"] for name in Positions._fields))
        return cls(positions, arrays[f"{shard}.unfinished"])

    @classmethod
    def joined(cls, parts: Sequence[_Standing], place: int) -> _Standing:
        """All games, numbered one after the other."""
        rows, before = [], 0
        for part in parts:
            rows.append(part.rows.copy())
            rows[-1][:, place] += before
            before += len(part.positions.ply)
        positions = Positions(*map(np.concatenate, zip(*(part.positions for part in parts), strict=True)))
        return cls(positions, np.concatenate(rows))

    def part(self, first: int, games: int, place: int) -> _Standing:
        """At most this many games from the first on."""
        end = first + games
        rows = self.rows[(self.rows[:, place] >= first) & (self.rows[:, place] < end)].copy()
        rows[:, place] -= first
        states, plies, random = self.positions
        return _Standing(Positions(states[first:end], plies[first:end], random[first:end]), rows)


def _played(shard: Any, positions: int, stop: threading.Event) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """What a shard has played, as `_finished_first` has it: each thread sorts its own games."""
    return _finished_first(shard.search, shard.play(positions, stop))


def _finished_first(search: Search, rows: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The rows of finished games, game by game, each with its game's result and margin; and the other rows."""
    k = search.kernels
    place, ended = rows[:, k.LOG_GAME], rows[:, k.LOG_FINISHED] != 0
    order = np.argsort(
        place.astype(np.min_scalar_type(search.games)), kind="stable"
    )  # small numbers sort faster
    place, ended = place[order], ended[order]
    # the end of a row's game is the next end at or after it, if that is of the same place in the batch
    end = np.append(np.flatnonzero(ended), -1)[np.cumsum(ended) - ended]
    done = (end >= 0) & (place[end] == place)
    finished, last = rows[order[done]], order[end[done]]
    for field in (k.LOG_RESULT, k.LOG_MARGIN):
        finished[:, field] = rows[last, field]
    return finished, rows[order[~done]]


def _samples(search: Search, rows: NDArray[np.int32]) -> Samples:
    log = search.as_log(rows[rows[:, search.kernels.LOG_FULL] != 0])
    sign = np.where(log.player == 0, 1, -1).astype(np.float32)
    return Samples(
        states=log.states,
        policy=log.policy,
        outcome=log.result * sign,
        margin=log.margin.astype(np.float32) * sign,
        value=log.value,
        proven=log.proven != 0,
        surprise=log.surprise,
    )


def _results(search: Search, rows: NDArray[np.int32]) -> NDArray[np.float32]:
    """The results of the finished games, for player 0."""
    log = search.as_log(rows)
    return log.result[log.finished != 0]


def _games(search: Search, rows: NDArray[np.int32], most: int) -> list[PlayedGame]:
    """At most `most` of the games that these rows finish."""
    ends = np.flatnonzero(rows[:, search.kernels.LOG_FINISHED])[: max(most, 0)].tolist()
    log = search.as_log(rows[: ends[-1] + 1 if ends else 0])
    games: list[PlayedGame] = []
    first = 0
    for last in ends:
        part = slice(first, last + 1)
        sign = np.where(log.player[part] == 0, 1, -1)
        games.append(
            PlayedGame(
                opening=int(log.ply[first]),
                start=log.states[first],
                actions=log.action[part].tolist(),
                values=(log.value[part] * sign).round(3).tolist(),
                result=float(log.result[last]),
                margin=int(log.margin[last]),
            )
        )
        first = last + 1
    return games
