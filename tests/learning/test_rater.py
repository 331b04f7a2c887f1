"""Ratings of a run's versions: how well they are known, and whom a version meets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from nought.config import ExamParameters, Parameters
from nought.events import Met
from nought.games import load
from nought.learning.rater import FARTHEST_ELO, Rater
from nought.rating.elo import STANDARD
from nought.search import Evaluator, Uniform

GAME = load("tictactoe")
KNOWN = {"random": -100, "rollout:10": 250, "rollout:30": 550, "rollout:100": 730, "rollout:300": 900}


def nobody(versions: Sequence[int]) -> list[Evaluator]:
    return []


class Supposed(Rater):
    """Whose players have a known strength, and whose games are drawn by chance."""

    def __init__(self, strengths: dict[str, float], seed: int, games: int = 80) -> None:
        super().__init__(GAME, Parameters(exam=ExamParameters(games=games)), nobody)
        self.strengths = KNOWN | {"rollout:1000": 1150} | strengths
        self.random = np.random.default_rng(seed)

    def _draw(self, a: str, b: str, openings: int) -> list[Met]:
        expected = STANDARD.expected(self.strengths[a] - self.strengths[b])
        wins = (self.random.random((openings, 2)) < expected).sum(1).tolist()
        return [Met(a, b, won, 0, 2 - won) for won in wins]

    def _play_known(self, name: str, other: str, games: int, seed: int) -> list[Met]:
        return self._draw(name, other, games // 2)

    def _play_field(self, version: int, others: Sequence[str], games: int) -> list[Met]:
        each = max(1, round(games / (2 * len(others))))
        return [met for other in others for met in self._draw(str(version), other, each)]


def rising(versions: int, top: float) -> dict[str, float]:
    """Strengths as they are in a run: fast at first."""
    return {str(v): 100 + top * (1 - np.exp(-3 * v / versions)) for v in range(versions + 1)}


@pytest.mark.parametrize(("versions", "top"), [(8, 900.0), (20, 1500.0)])
def test_the_interval_holds_the_truth_and_is_narrow_enough_to_be_shown(versions: int, top: float) -> None:
    strengths = rising(versions, top)
    within, widths = [], []
    for seed in range(12):
        rater = Supposed(strengths, seed)
        for version in range(1, versions + 1):
            _, rating = rater.rate(version)
            within.append(rating.low <= strengths[str(version)] <= rating.high)
            widths.append((rating.high - rating.low) / 2)
    assert np.mean(within) > 0.88  # 95 % in the long run, but the versions of a run go wrong together
    assert np.mean(widths) < 170 and max(widths) < 230


def test_games_are_played_where_they_say_something() -> None:
    strengths = rising(40, 1500.0)
    rater = Supposed(strengths, 1)
    games = [met for version in range(1, 41) for met in rater.rate(version)[0]]
    apart = [abs(strengths[m.b] - strengths[m.a]) for m in games if m.b.isdigit() and int(m.a) > 3]
    assert max(apart) < FARTHEST_ELO + 200  # what they were thought to be is not always what they are
    late = {m.b for m in games if m.a == "40"}
    steps = sorted(40 - int(name) for name in late if name.isdigit())
    assert steps[0] == 1 and len(steps) == 3 and steps[-1] >= 8  # a spread of earlier versions
    assert "0" not in late and "random" not in late


def test_a_version_that_has_jumped_ahead_finds_its_equals() -> None:
    rater = Supposed({"0": 100.0, "1": 150.0, "2": 900.0}, 3)
    rater.rate(1)
    games, rating = rater.rate(2)
    assert {m.b for m in games if m.a == "2"} & {"rollout:100", "rollout:300"}
    assert abs(rating.elo - 900) < 300


def test_a_run_that_goes_on_rates_as_if_it_had_never_stopped() -> None:
    strengths = rising(6, 600.0)
    whole, first = (Supposed(strengths, 5, games=20) for _ in range(2))
    met = [m for version in (1, 2, 3) for m in whole.rate(version)[0]]
    first.remember(met)
    assert first.met == whole.met and first.ratings == whole.ratings
    first.random = np.random.default_rng(9)
    whole.random = np.random.default_rng(9)
    assert first.rate(4) == whole.rate(4)


def test_games_that_are_not_connected_any_more_are_left_out() -> None:
    rater = Supposed(rising(3, 100.0), 5, games=20)
    rater.remember([Met("7", "8", 1, 0, 1)])
    assert rater.met == []
    assert rater.rate(1)[1].player == "1"


def test_real_games_against_all_kinds_of_players_are_counted_for_whom_they_were_played() -> None:
    asked: list[list[int]] = []

    def evaluators(versions: Sequence[int]) -> list[Evaluator]:
        asked.append(list(versions))
        return [Uniform(GAME) for _ in versions]

    rater = Rater(GAME, Parameters(exam=ExamParameters(games=12, simulations=4)), evaluators)
    games, rating = rater.rate(1)
    assert asked[0] == [0] and asked[-1][0] == 1
    assert {m.b for m in games if m.a == "1"} <= {"0", *rater.known}
    assert all(1 <= sum(m[2:]) <= 2 for m in games)
    assert abs(rating.elo - 100) < 250  # the same player as version 0
    again = Rater(GAME, Parameters(exam=ExamParameters(games=12, simulations=4)), evaluators)
    assert again.rate(1) == (games, rating)  # chance comes from the version alone
