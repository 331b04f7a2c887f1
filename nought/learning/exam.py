"""The examination: how strong is the network by now? Nothing that is learned depends on it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

from nought.config import Choice, Parameters
from nought.events import ExamReport, IterationReport
from nought.games import Game
from nought.oracle.accuracy import accuracy
from nought.oracle.labelled import built_in_positions, read_positions
from nought.rating.bradley_terry import Meeting, rate
from nought.rating.match import play_match
from nought.rating.openings import varied_openings
from nought.search import Evaluator
from nought.selfplay.players import SearchPlayer, policy_player


class Examiner:
    """Puts each new version before labelled positions, the first version and the last one."""

    def __init__(self, game: Game, parameters: Parameters, first: Evaluator) -> None:
        self.game, self.first = game, first
        self.games = parameters.exam.games
        learned = parameters.search
        self.search = replace(
            learned,
            simulations=parameters.exam.simulations,
            choice=Choice.PUCT_PLUS_ONE if learned.choice is Choice.GUMBEL else learned.choice,
            noise=False,
            sampled_moves=0,
            cache=1 << 12,
        )
        self.openings = varied_openings(game, -(self.games // -2), seed=1) or [game.start()]
        path = built_in_positions(game)
        self.labelled = read_positions(path, game) if path else []
        self.meetings: list[Meeting] = []

    def remember(self, reports: Iterable[IterationReport]) -> None:
        """The matches of earlier iterations."""
        for report in reports:
            if report.exam is not None:
                self._keep(report.version, report.exam.first, report.exam.last)

    def examine(self, version: int, new: Evaluator, last: Evaluator) -> ExamReport:
        """What the new version can do."""
        begin = time.perf_counter()
        against_first = self._match(new, self.first)
        against_last = self._match(new, last) if version > 1 else against_first
        self._keep(version, against_first, against_last)
        ratings = {r.player: r for r in rate(self.meetings, "0")} if self.meetings else {}
        rating = ratings.get(str(version))
        right = None
        if self.labelled:
            favourite = policy_player("new", self.game, new, games=256)
            right = accuracy(favourite, self.labelled).overall.outcome.share
        elo = (rating.elo, rating.low, rating.high) if rating else None
        return ExamReport(right, against_first, against_last, elo, time.perf_counter() - begin)

    def _match(self, new: Evaluator, other: Evaluator) -> tuple[int, int, int]:
        """Games won, drawn and lost."""
        if self.games == 0:
            return (0, 0, 0)
        ours, theirs = (
            SearchPlayer(name, self.game, evaluator, self.search, games=2 * len(self.openings))
            for name, evaluator in (("new", new), ("other", other))
        )
        wins, draws, losses = play_match(self.game, ours, theirs, self.games, openings=self.openings).all
        return wins, draws, losses

    def _keep(self, version: int, first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
        met = {0: first, version - 1: last}  # version 1 has met one other, and those games count once
        for other, played in met.items():
            points = {1.0: played[0], 0.5: played[1], 0.0: played[2]}
            for point, count in points.items():
                self.meetings += count * [Meeting(str(version), str(other), point, 1)]
