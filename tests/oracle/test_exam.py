"""An exam: labelled positions and games against perfect play, for one number of simulations after the other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nought.errors import NoughtError
from nought.games import load
from nought.oracle import OraclePlayer, exam, find_oracle
from nought.oracle.exam import Exam, perfect_opponent, questions
from nought.selfplay import Player, RandomPlayer

GAME = load("tictactoe")


def taken(
    player: Callable[[int | None, int], Player], simulations: list[int | None]
) -> list[exam.ExamResult]:
    file, labelled = questions(GAME, None)
    assert file == "nought/oracle/positions/tictactoe.csv"
    asked = Exam(GAME, labelled[:40], file, perfect_opponent(GAME, 1), 3)
    results, interrupted = asked.take(player, simulations, None, lambda *_: None)
    assert not interrupted
    return results


def test_perfect_play_passes_and_draws_against_itself() -> None:
    (result,) = taken(lambda *_: OraclePlayer(find_oracle(GAME), 2), [None])
    assert result.report.overall.exact.share == 1.0 and result.report.overall.positions == 40
    for games in result.against_oracle.values():
        assert (games.wins, games.draws, games.losses) == (0, 3, 0)


def test_the_player_is_made_for_each_number_and_as_many_positions_as_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exam, "SIMULATIONS_AT_ONCE", 1000)
    made: list[tuple[int | None, int]] = []

    def player(number: int | None, at_once: int) -> Player:
        made.append((number, at_once))
        return RandomPlayer(3)

    results = taken(player, [0, 100, 5000])
    assert made == [(0, 256), (100, 10), (5000, 1)]
    assert [result.simulations for result in results] == [0, 100, 5000]


def test_games_without_known_perfect_play_say_so() -> None:
    large = load("othello")
    with pytest.raises(NoughtError, match="perfect play of othello is not known from the start"):
        perfect_opponent(large, 0)
    with pytest.raises(NoughtError, match="has no test set, and too many positions to make one"):
        questions(load("othello:6x8"), None)
