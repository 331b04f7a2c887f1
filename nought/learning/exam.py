"""The examination: how strong is the network by now? Nothing that is learned depends on it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from threading import Thread

from nought.config import Parameters
from nought.events import ExamReport, IterationReport, Met
from nought.games import Game
from nought.learning.rater import ANCHOR, Evaluators, Rater
from nought.oracle.accuracy import accuracy
from nought.oracle.labelled import built_in_positions, read_positions
from nought.rating.bradley_terry import Rating
from nought.search import Evaluator, Uniform
from nought.selfplay.players import policy_player

FIRST_COST = 2.5  #    seconds, as long as nobody knows: a run of seconds is not rated
MOST_UNSURE = 200.0  # Elo to either side: a rating whose interval is wider is not shown


class Examiner:
    """Puts each new version before labelled positions, and rates as many as there is time for."""

    def __init__(self, game: Game, parameters: Parameters, evaluators: Evaluators) -> None:
        self.game, self.parameters = game, parameters.exam
        self.rater = Rater(game, parameters, evaluators)
        path = built_in_positions(game)
        self.labelled = read_positions(path, game) if path else []
        self.spent = 0.0  #  seconds of all ratings
        self.cost = FIRST_COST  # seconds that the next one takes

    def remember(self, reports: Iterable[IterationReport]) -> None:
        """Take over the exams of earlier iterations, when a run goes on."""
        exams = [report.exam for report in reports if report.exam is not None and report.exam.games]
        for exam in exams:
            self._spend(exam)
        self.rater.remember(met for exam in exams for met in exam.games)

    def due(self, seconds: float, *, last: bool) -> bool:
        """Whether there is time to rate a version in a run of this many seconds so far; there is more for the last one."""
        time_for_it = (1 + last) * self.parameters.share * seconds
        return self.parameters.games > 0 and self.spent + self.cost <= time_for_it

    def examine(self, version: int, new: Evaluator, *, rated: bool) -> ExamReport:
        """Measure what the new version can do."""
        begin = time.perf_counter()
        right = None
        if self.labelled:
            favourite = policy_player("new", self.game, new, games=256)
            right = accuracy(favourite, self.labelled).overall.outcome.share
        games: tuple[Met, ...] = ()
        elo = None
        if rated:
            games, rating = self.rater.rate(version)
            elo = (rating.elo, rating.low, rating.high) if sure(rating) else None
        exam = ExamReport(right, games, elo, time.perf_counter() - begin)
        if rated:
            self._spend(exam)
        return exam

    def _spend(self, exam: ExamReport) -> None:
        """Count the time of a rating; the next one has no games of version 0, and seldom of known players."""
        played = [met for met in exam.games if met.a.isdigit() and int(met.a) != ANCHOR]
        self.cost = exam.seconds * len(played) / len(exam.games)
        self.spent += exam.seconds


def compile_meanwhile(game: Game) -> Thread:
    """Have a thread compile what an exam asks for moves with: where a GPU searches, that is the first use of the search on the
    CPU, which a run would wait for. What does not compile is seen when it is needed."""

    def compile_search() -> None:
        with contextlib.suppress(Exception):
            policy_player("", game, Uniform(game)).choose({0: game.start()})

    thread = Thread(target=compile_search, daemon=True)
    thread.start()
    return thread


def sure(rating: Rating) -> bool:
    """Whether a rating says enough to be shown."""
    return rating.high - rating.low <= 2 * MOST_UNSURE
