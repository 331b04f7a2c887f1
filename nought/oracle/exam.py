"""How close to perfect play a player is: its moves in labelled positions, and games against the perfect player."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from nought.errors import NoughtError
from nought.events import PhaseProgress
from nought.games import Game
from nought.oracle import OraclePlayer, find_oracle
from nought.oracle.accuracy import AccuracyInterrupted, AccuracyReport, accuracy
from nought.oracle.labelled import Labelled, built_in_positions, read_positions
from nought.oracle.sample import sample_positions
from nought.selfplay import Player, play_games

POSITIONS_AT_ONCE = 256  # positions that a player is asked together, at most
SIMULATIONS_AT_ONCE = 100_000  # simulations of all positions at once: their graphs must fit in memory


class GamesAgainstOracle(NamedTuple):
    """Games of a player against the perfect player, from the start."""

    wins: int
    draws: int
    losses: int
    distinct_games: int


class ExamResult(NamedTuple):
    """What was measured with one number of simulations; None: the player has no such number."""

    simulations: int | None
    report: AccuracyReport
    against_oracle: dict[str, GamesAgainstOracle]  # as first and as second player
    seconds: float
    interrupted: bool = False  # whether there was more to measure


class Exam(NamedTuple):
    """What a player is asked."""

    game: Game
    labelled: list[Labelled]
    file: str  # that the positions come from; empty where they were made on the spot
    opponent: OraclePlayer | None
    games: int  # against it, on each side

    def take(
        self,
        make: Callable[[int | None, int], Player],
        simulations: Sequence[int | None],
        named: int | None,
        progress: PhaseProgress,
    ) -> tuple[list[ExamResult], bool]:
        """Ask all of it with each number of simulations; the results, and whether Ctrl-C left some out.

        make     makes the player, for a number of simulations (None: its own) and of positions at once
        named    the simulations that are the player's own
        """
        results: list[ExamResult] = []
        try:
            for number in simulations:
                said = named if number is None else number
                at_once = min(POSITIONS_AT_ONCE, max(1, SIMULATIONS_AT_ONCE // max(1, said or 0)))
                progress("preparing", 0.0)
                results.append(self._ask(make(number, at_once), said, at_once, progress))
                if results[-1].interrupted:
                    return results, True
        except KeyboardInterrupt:
            return results, True
        return results, False

    def _ask(
        self, player: Player, simulations: int | None, at_once: int, progress: PhaseProgress
    ) -> ExamResult:
        """Ask one player all of it. Ctrl-C ends that, with what was answered by then, if anything was."""
        begin = time.perf_counter()
        title = "" if simulations is None else f"{simulations} simulations, "
        played: dict[str, GamesAgainstOracle] = {}
        interrupted = False
        try:
            report = accuracy(player, self.labelled, at_once, partial(progress, f"{title}positions"))
            if self.opponent is not None:
                for side, name in enumerate(("first", "second")):
                    listener = partial(progress, f"{title}as {name} player against perfect play")
                    played[name] = self._play(player, self.opponent, side, listener)
        except AccuracyInterrupted as stop:
            if stop.report is None:
                raise
            report, interrupted = stop.report, True
        except KeyboardInterrupt:
            interrupted = True
        return ExamResult(simulations, report, played, time.perf_counter() - begin, interrupted)

    def _play(
        self, player: Player, opponent: Player, side: int, progress: Callable[[float], None]
    ) -> GamesAgainstOracle:
        last = play_games(
            (opponent, player) if side else (player, opponent),
            [self.game.start()] * self.games,
            first=len(self.labelled) + side * self.games,  # new numbers: nothing to do with what was before
            progress=lambda finished: progress(finished / self.games),
        )
        results = [-position.result if side else position.result for position in last]
        return GamesAgainstOracle(
            wins=sum(result > 0 for result in results),
            draws=sum(result == 0 for result in results),
            losses=sum(result < 0 for result in results),
            distinct_games=len({position.moves for position in last}),
        )


def questions(game: Game, path: Path | None) -> tuple[str, list[Labelled]]:
    """The positions to ask, and the file they come from: the user's, the package's, or none, where they are made now."""
    if path is not None:
        return str(path), read_positions(path, game)
    if (built_in := built_in_positions(game)) is not None:
        return f"nought/oracle/positions/{built_in.name}", read_positions(built_in, game)
    oracle = find_oracle(game)
    if not oracle.knows(game.start()):
        raise NoughtError(
            f"{game.name} has no test set, and too many positions to make one: use --positions FILE"
        )
    return "", sample_positions(game, oracle)


def perfect_opponent(game: Game, seed: int) -> OraclePlayer:
    """The perfect player of a game; a NoughtError where perfect play is not known from the start."""
    oracle = find_oracle(game)
    if not oracle.knows(game.start()):
        raise NoughtError(f"perfect play of {game.name} is not known from the start: no --against-oracle")
    return OraclePlayer(oracle, seed)
