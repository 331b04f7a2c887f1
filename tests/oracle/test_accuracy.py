"""Shares of right moves, their intervals, and the perfect player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from nought.errors import NoughtError
from nought.games import Position, load
from nought.oracle import OraclePlayer, find_oracle
from nought.oracle.accuracy import accuracy
from nought.oracle.labelled import Labelled
from nought.oracle.truth import truth
from nought.selfplay.players import Opinion

GAME = load("tictactoe")


class Fixed:
    """Plays the lowest legal move."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        self.asked.append(list(positions))
        return {n: position.legal[0] for n, position in positions.items()}


class Thinking(Fixed):
    def consider(self, positions: Mapping[int, Position]) -> dict[int, Opinion]:
        return {n: Opinion(move, 0.5) for n, move in self.choose(positions).items()}


def labelled(category: str, *scores: int) -> Labelled:
    """A position with as many empty cells as there are scores, which its moves get in order."""
    position = GAME.position([0, 1, 2, 4, 3, 5, 7, 6, 8][: 9 - len(scores)])
    return Labelled(position, category, truth(dict(zip(position.legal, scores, strict=True))))


QUESTIONS = [
    labelled("a", 3, 1, -1, 0),  #  the lowest move is the best
    labelled("a", 1, 3, -1, 0),  #  wins, but slowly
    labelled("b", 0, 3, -1, 0),  #  draws instead
    labelled("b", -1, -3, -2, -2),  # lost anyway: the slowest
    labelled("b", -2, -2, -1, -4),  # keeps the outcome, loses sooner
]


def test_shares_by_category_and_what_is_thought_of_the_positions() -> None:
    report = accuracy(Thinking(), QUESTIONS)
    assert (report.overall.positions, report.overall.outcome.share, report.overall.exact.share) == (
        5,
        0.8,
        0.4,
    )
    assert list(report.categories) == ["a", "b"]
    a, b = report.categories.values()
    assert (a.positions, a.outcome.share, a.exact.share) == (2, 1.0, 0.5)
    assert (b.positions, b.outcome.share, b.exact.share) == (3, 2 / 3, 1 / 3)
    # outcomes 1 1 1 -1 -1, always thought 0.5
    assert report.overall.value_error == pytest.approx((3 * 0.5 + 2 * 1.5) / 5)
    assert a.value_error == pytest.approx(0.5)


def test_players_who_say_no_value_have_no_value_error() -> None:
    assert accuracy(Fixed(), QUESTIONS).overall.value_error is None


def test_every_position_has_its_own_number_and_progress_is_told() -> None:
    player, told = Fixed(), list[float]()
    accuracy(player, QUESTIONS, at_once=2, progress=told.append)
    assert player.asked == [[0, 1], [2, 3], [4]]
    assert told == [0.4, 0.8, 1.0]


def test_the_perfect_player_plays_every_best_move_and_no_other() -> None:
    game = load("tictactoe")
    oracle = find_oracle(game)
    corner = game.position([0])  # only the middle draws
    edge = game.position([1])
    player = OraclePlayer(oracle, seed=1)
    assert set(player.choose(dict.fromkeys(range(50), corner)).values()) == {4}
    played = Counter(player.choose(dict.fromkeys(range(500), edge)).values())
    best = oracle.judge(edge).best
    assert sorted(played) == best and len(best) > 1
    assert min(played.values()) > 0.6 * 500 / len(best)
    same, other = (OraclePlayer(oracle, seed=seed).choose(dict.fromkeys(range(50), edge)) for seed in (7, 8))
    assert same == OraclePlayer(oracle, seed=7).choose(dict.fromkeys(range(50), edge)) and same != other


def test_the_perfect_player_says_where_it_does_not_know() -> None:
    game = load("othello")
    with pytest.raises(NoughtError, match="perfect play is known from"):
        OraclePlayer(find_oracle(game)).choose({0: game.start()})
