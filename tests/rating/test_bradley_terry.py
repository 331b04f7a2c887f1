"""Ratings recover strengths that are known, within the intervals they claim."""

import itertools
import math

import numpy as np
import pytest

from nought.errors import NoughtError
from nought.rating import Meeting, gain, rate
from nought.rating.bradley_terry import elo_interval
from nought.rating.elo import STANDARD


def meeting(a, b, expected, random, draws=0.0, colour=0.0):
    """Two games of an opening that favours one side; a's expected score over both is as given."""
    points = 0.0
    favour = min(colour * random.random(), expected, 1 - expected)
    for score in (expected + favour, expected - favour):
        drawn = min(draws, 2 * score, 2 * (1 - score))
        u = random.random()
        points += 1 if u < score - drawn / 2 else 0.5 if u < score + drawn / 2 else 0
    return Meeting(a, b, points, 2)


def neighbours(players):
    return [pair for step in (1, 2) for pair in zip(players, players[step:], strict=False)]


@pytest.mark.parametrize(
    ("gap", "openings", "draws", "colour"),
    [
        (30, 10, 0.0, 0.0),
        (100, 20, 0.0, 0.0),
        (100, 20, 0.4, 0.0),  # draws: games vary less than wins and losses would
        (100, 20, 0.0, 0.4),  # lopsided openings: the two games of one depend on each other
        (200, 20, 0.3, 0.3),
        (260, 20, 0.0, 0.0),  # a ladder so steep that many pairings are all wins
    ],
)
def test_the_intervals_hold_the_truth_95_times_in_100(gap, openings, draws, colour):
    random = np.random.default_rng(7)
    truth = {f"v{i}": 100.0 + gap * i for i in range(7)}
    inside = total = 0
    for _ in range(200):
        meetings = [
            meeting(a, b, STANDARD.expected(truth[a] - truth[b]), random, draws, colour)
            for a, b in neighbours(list(truth))
            for _ in range(openings)
        ]
        for rating in rate(meetings, "v0", 100.0):
            if rating.player != "v0":
                inside += rating.low <= truth[rating.player] <= rating.high
                total += 1
    assert 0.92 <= inside / total <= 0.98


def test_without_correction_it_is_the_maximum_of_the_likelihood():
    """Against a search of the likelihood itself, with so many games that virtual draws do not matter."""
    games = {("a", "b"): (6e6, 1e7), ("b", "c"): (7e6, 1e7), ("a", "c"): (7.5e6, 1e7)}  # not consistent
    found = {r.player: r.elo for r in rate([Meeting(*p, *g) for p, g in games.items()], "c")}

    def likelihood(a, b):
        strength = {"a": a, "b": b, "c": 0.0}
        terms = ((p, n, STANDARD.expected(strength[x] - strength[y])) for (x, y), (p, n) in games.items())
        return sum(p * math.log(e) + (n - p) * math.log(1 - e) for p, n, e in terms)

    best = likelihood(found["a"], found["b"])
    for da, db in itertools.product((-1, 0, 1), repeat=2):
        assert likelihood(found["a"] + da, found["b"] + db) <= best


def test_two_players_by_hand():
    # 30 of 40, and the virtual draw: the odds are 30.5 to 10.5
    meetings = [Meeting("a", "b", 1.5, 2)] * 20
    a, b = rate(meetings, "b", 1000.0)
    assert (a.player, b.player) == ("a", "b")
    assert a.elo == pytest.approx(1000 + 400 * math.log10(30.5 / 10.5))
    assert (a.score, a.games) == (0.75, 40)
    assert b == ("b", 1000.0, 1000.0, 1000.0, 40, 0.25)


def test_who_won_everything_or_nothing_has_a_finite_rating_and_a_wide_interval():
    meetings = [Meeting("best", "mean", 2, 2)] * 10 + [Meeting("mean", "worst", 2, 2)] * 10
    meetings += [Meeting("best", "worst", 2, 2)] * 10
    best, mean, worst = rate(meetings, "mean")
    assert (best.player, mean.player, worst.player) == ("best", "mean", "worst")
    assert 300 < best.elo < 1500
    assert worst.elo == pytest.approx(-best.elo)
    assert best.high - best.low > 400


def test_more_games_narrow_the_interval():
    def width(openings):
        rating = rate([Meeting("a", "b", p, 2) for p in (2, 1, 1, 0)] * openings, "b")[0]
        return rating.high - rating.low

    assert width(40) == pytest.approx(width(10) / 2, rel=0.05)


def test_openings_that_always_go_one_to_one_are_no_certainty():
    low, high = elo_interval([Meeting("a", "b", 1, 2)] * 10)[1:]
    assert -high == pytest.approx(low)
    assert 10 < high < 100  # independent games would give 152


def test_the_order_in_which_players_are_named_does_not_matter():
    meetings = [Meeting("a", "b", 1.5, 2), Meeting("b", "c", 2, 2), Meeting("a", "c", 1, 2)] * 5
    turned = [Meeting(b, a, n - p, n) for a, b, p, n in meetings]
    for one, other in zip(rate(meetings, "b"), rate(turned, "b"), strict=True):
        assert one.player == other.player
        assert one[1:] == pytest.approx(other[1:])


def test_the_anchor_shifts_everything_alike():
    meetings = [Meeting("a", "b", 1.5, 2), Meeting("b", "c", 1.5, 2)] * 5
    by_b = {r.player: r.elo for r in rate(meetings, "b", 100)}
    by_c = {r.player: r.elo for r in rate(meetings, "c", 100)}
    assert by_b["a"] - by_b["c"] == pytest.approx(by_c["a"] - by_c["c"])
    assert by_b["b"] == by_c["c"] == 100


def test_players_whom_no_games_connect_are_named():
    with pytest.raises(NoughtError, match="no games lead from c, d to a"):
        rate([Meeting("a", "b", 1, 2), Meeting("c", "d", 1, 2)], "a")


def test_the_anchor_alone():
    assert rate([], "a", 100.0) == [("a", 100.0, 100.0, 100.0, 0, 0.0)]


@pytest.mark.parametrize("expected", [0.5, 0.75, 0.95])
def test_a_match_of_two_covers_the_truth_too(expected):
    random = np.random.default_rng(1)
    inside = 0
    for _ in range(1000):
        low, high = elo_interval([meeting("a", "b", expected, random, 0.2, 0.3) for _ in range(25)])[1:]
        inside += low <= STANDARD.difference(expected) <= high
    assert 0.92 <= inside / 1000 <= 0.99


def test_the_gain_of_two_players_is_their_difference():
    meetings = [Meeting("v0", "v1", points, 2) for points in (0, 1, 0.5, 1)]
    first, second = (next(r for r in rate(meetings, "v0", 100.0) if r.player == p) for p in ("v0", "v1"))
    found = gain(meetings, "v0", {"v0": 0, "v1": 1}, 100.0)
    assert found == pytest.approx((second.elo - first.elo, second.low - 100, second.high - 100, 100.0))
    # numbers twice as far apart: half the gain for each
    assert gain(meetings, "v0", {"v0": 0, "v1": 2}).elo == pytest.approx(found.elo / 2)


def test_the_gain_is_the_line_of_least_squares_by_hand():
    """With so many games that virtual draws do not matter: v1 has 3 times the points of v0, v2 as many as v1. In log-odds
    that is 0, ln 3, ln 3, whose best line rises by (ln 3 - 0) / 2 and begins at ln 3 / 6. Others do not count."""
    score = 1e6
    meetings = [
        Meeting("v0", "v1", 0.25 * score, int(score)),
        Meeting("v1", "v2", 0.5 * score, int(score)),
        Meeting("v2", "other", 0.9 * score, int(score)),
    ]
    found = gain(meetings, "v0", {"v0": 0, "v1": 1, "v2": 2})
    logit = 400 / math.log(10)
    assert found.elo == pytest.approx(logit * math.log(3) / 2, rel=1e-4)
    assert found.start == pytest.approx(logit * math.log(3) / 6, rel=1e-3)


def test_the_gains_interval_holds_the_truth_95_times_in_100():
    random = np.random.default_rng(8)
    truth = {f"v{i}": 100.0 * i for i in range(6)}
    inside = 0
    for _ in range(200):
        meetings = [
            meeting(a, b, STANDARD.expected(truth[a] - truth[b]), random, 0.3, 0.2)
            for a, b in neighbours(list(truth))
            for _ in range(20)
        ]
        found = gain(meetings, "v0", {name: i for i, name in enumerate(truth)})
        inside += found.low <= 100 <= found.high
    assert 0.91 <= inside / 200 <= 0.99
