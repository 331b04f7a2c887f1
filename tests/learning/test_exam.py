"""The exam: what it measures, what it costs, and that it remembers."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from nought.config import ExamParameters, Parameters
from nought.errors import NoughtError
from nought.events import ExamReport, GateReport, IterationReport, LearningReport, SelfPlayReport
from nought.games import Position, load
from nought.learning.exam import Examiner, compile_meanwhile, sure
from nought.learning.loop import learn
from nought.learning.run import Run
from nought.oracle import find_oracle
from nought.presets import override, preset
from nought.rating import Rating
from nought.search import Evaluator, Uniform
from tests.support.tiny_run import TINY, tiny_run

GAME = load("tictactoe")
QUICK = Parameters(exam=ExamParameters(games=40, simulations=0))


class Perfect:
    """An evaluator whose policy is all on a best move."""

    def __init__(self) -> None:
        self.oracle = find_oracle(GAME)

    def __call__(self, states):
        policy = np.full((len(states), GAME.actions), 1e-6, np.float32)
        for row, state in zip(policy, states, strict=True):
            row[self.oracle.judge(Position(GAME, state.copy())).best[0]] = 1
        return policy, np.zeros(len(states), np.float32)


def evaluators(versions: Sequence[int]) -> list[Evaluator]:
    """Version 0 knows nothing, the others everything."""
    return [Perfect() if version else Uniform(GAME) for version in versions]


def report(version: int, exam: ExamReport) -> IterationReport:
    played = SelfPlayReport(1, 1, 1.0, 1, 1, 0.0)
    learned = LearningReport(1, 1.0, 0.1, 1.0, 1.0, 1.0)
    return IterationReport(
        version, version, 1.0, 1, played, learned, GateReport(0, 0, 0, True, None, 0.0), exam
    )


def test_a_perfect_network_is_always_right_and_rated_above_the_first() -> None:
    exam = Examiner(GAME, QUICK, evaluators).examine(1, Perfect(), rated=True)
    assert exam.accuracy == 1.0
    assert exam.elo is not None and exam.elo[1] < exam.elo[0] < exam.elo[2] and exam.elo[0] > 200
    own = [met for met in exam.games if met.a == "1"]
    assert own and sum(met.losses for met in own) == 0


def test_a_run_that_goes_on_remembers_earlier_exams() -> None:
    whole, resumed = Examiner(GAME, QUICK, evaluators), Examiner(GAME, QUICK, evaluators)
    first = whole.examine(1, Perfect(), rated=True)
    resumed.remember([report(1, first), report(2, ExamReport(0.5, (), None, 9.0))])
    assert resumed.rater.met == whole.rater.met
    assert (resumed.spent, resumed.cost) == (whole.spent, whole.cost)
    again = [examiner.examine(3, Perfect(), rated=True) for examiner in (whole, resumed)]
    assert again[0].elo == again[1].elo and again[0].games == again[1].games
    assert json.loads(json.dumps(dataclasses.asdict(again[0])))["games"][0][:2] == list(again[0].games[0][:2])


def test_rating_takes_no_more_than_its_share_of_the_time() -> None:
    examiner = Examiner(GAME, Parameters(exam=ExamParameters(share=0.1)), evaluators)
    assert not examiner.due(10.0, last=True)  # a run of seconds
    examiner.spent, examiner.cost = 8.0, 4.0
    assert examiner.due(120.0, last=False) and not examiner.due(119.0, last=False)
    assert examiner.due(60.0, last=True) and not examiner.due(59.0, last=True)
    none = Examiner(GAME, Parameters(exam=ExamParameters(games=0)), evaluators)
    assert not none.due(1e9, last=True)


def test_what_is_played_once_is_not_expected_again() -> None:
    examiner = Examiner(GAME, QUICK, evaluators)
    exam = examiner.examine(1, Perfect(), rated=True)
    assert 0 < examiner.cost < exam.seconds == examiner.spent
    assert len({met.a for met in exam.games}) > 1  # version 0 and known players played, too


def test_a_move_is_asked_for_while_the_gpu_is_made_ready_and_its_failure_is_nobodys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Mapping[int, Position]] = []

    class Broken:
        def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
            asked.append(positions)
            raise NoughtError("its rules do not compile")

    monkeypatch.setattr("nought.learning.exam.policy_player", lambda *_, **__: Broken())
    compile_meanwhile(GAME).join(10)
    assert [position.moves for positions in asked for position in positions.values()] == [()]


def test_without_a_rating_there_is_only_accuracy() -> None:
    exam = Examiner(GAME, QUICK, evaluators).examine(1, Uniform(GAME), rated=False)
    assert exam.elo is None and exam.games == ()
    assert exam.accuracy is not None and 0 < exam.accuracy < 1


def test_a_rating_that_nobody_can_stand_for_is_not_shown() -> None:
    assert sure(Rating("5", 900.0, 710.0, 1090.0, 80, 0.5))
    assert not sure(Rating("5", 1654.0, 804.0, 2504.0, 80, 0.5))


def test_a_run_has_ratings_and_its_exam_changes_no_weight(tmp_path: Path) -> None:
    weights = []
    for name, games in (("rated", 6), ("plain", 0)):
        parameters = override(preset("best", "tictactoe"), TINY | {"run.iterations": 3, "exam.games": games})
        run = Run.create(tmp_path / name, "tictactoe", parameters)
        learn(run, began=time.perf_counter() - 1000)  # so that there is time for exams
        weights.append(load_file(run.folder / "state" / "000003" / "trainer.safetensors"))
        exams = [r.exam for r in Run(run.folder).reports()]
        assert [bool(exam and exam.games) for exam in exams] == 3 * [games > 0]
    assert all(np.array_equal(weights[0][key], weights[1][key]) for key in weights[0])


def test_exams_of_an_older_program_are_read_without_their_ratings(tmp_path: Path) -> None:
    run = tiny_run(tmp_path, **{"exam.games": 0})
    path = run.folder / "metrics.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0]["exam"] = {
        "accuracy": 0.5, "first": [20, 0, 0], "last": [20, 0, 0], "elo": [1654, 804, 2504], "seconds": 0.5,
    }  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run.reports()[0].exam == ExamReport(0.5, (), None, 0.5)
