"""The exam: what it measures, and that it remembers."""

from __future__ import annotations

import dataclasses
import json

import numpy as np

from nought.config import ExamParameters, Parameters
from nought.events import ExamReport, GateReport, IterationReport, LearningReport, SelfPlayReport
from nought.games import Position, load
from nought.learning.exam import Examiner
from nought.oracle import find_oracle
from nought.search import Uniform

GAME = load("tictactoe")


class Perfect:
    """An evaluator whose policy is all on a best move."""

    def __init__(self) -> None:
        self.oracle = find_oracle(GAME)

    def __call__(self, states):
        policy = np.full((len(states), GAME.actions), 1e-6, np.float32)
        for row, state in zip(policy, states, strict=True):
            row[self.oracle.judge(Position(GAME, state.copy())).best[0]] = 1
        return policy, np.zeros(len(states), np.float32)


def report(version: int, exam: ExamReport) -> IterationReport:
    played = SelfPlayReport(1, 1, 1.0, 1, 1, 0.0)
    learned = LearningReport(1, 1.0, 0.1, 1.0, 1.0, 1.0)
    return IterationReport(
        version, version, 1.0, 1, played, learned, GateReport(0, 0, 0, True, None, 0.0), exam
    )


def test_a_perfect_network_is_always_right_and_beats_the_first() -> None:
    examiner = Examiner(GAME, Parameters(exam=ExamParameters(games=20)), Uniform(GAME))
    exam = examiner.examine(1, Perfect(), Uniform(GAME))
    assert exam.accuracy == 1.0
    wins, draws, losses = exam.first
    assert wins > 5 and losses == 0 and wins + draws <= 20
    assert exam.elo is not None and exam.elo[1] < exam.elo[0] < exam.elo[2] and exam.elo[0] > 100


def test_equal_networks_are_equal() -> None:
    examiner = Examiner(GAME, Parameters(exam=ExamParameters(games=20)), Uniform(GAME))
    exam = examiner.examine(1, Uniform(GAME), Uniform(GAME))
    assert exam.first == exam.last and len(examiner.meetings) == sum(exam.first)  # they count once
    assert exam.first[0] == exam.first[2]  # each opening is played with both colours
    assert exam.elo is not None and abs(exam.elo[0]) < 1
    assert exam.accuracy is not None and 0 < exam.accuracy < 1


def test_a_run_that_goes_on_remembers_earlier_exams() -> None:
    parameters = Parameters(exam=ExamParameters(games=8))
    whole = Examiner(GAME, parameters, Uniform(GAME))
    first = whole.examine(1, Perfect(), Uniform(GAME))
    resumed = Examiner(GAME, parameters, Uniform(GAME))
    resumed.remember([report(1, first)])
    assert resumed.meetings == whole.meetings
    again = [examiner.examine(2, Perfect(), Perfect()) for examiner in (whole, resumed)]
    assert again[0].elo == again[1].elo
    assert {(m.a, m.b) for m in whole.meetings} == {("1", "0"), ("2", "0"), ("2", "1")}
    assert json.loads(json.dumps(dataclasses.asdict(again[0])))["accuracy"] == 1.0


def test_without_games_there_is_no_rating() -> None:
    examiner = Examiner(GAME, Parameters(exam=ExamParameters(games=0)), Uniform(GAME))
    exam = examiner.examine(1, Uniform(GAME), Uniform(GAME))
    assert exam.elo is None and exam.first == (0, 0, 0)
