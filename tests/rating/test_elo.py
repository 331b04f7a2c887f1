"""The papers' formulas and worked numbers; the two scales."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nought.rating.elo import (
    PAPERS,
    STANDARD,
    UNTRAINED,
    papers_elo_difference,
    papers_expected,
    papers_gain,
    papers_rating,
    papers_ratio,
    papers_update,
    to_papers,
    to_standard,
)

ratings = st.floats(-5000, 5000)


def test_the_papers_worked_numbers():
    # accepted above 1.3 times the wins: every version gains 105 at least; 408 were measured, which is a ratio of 2.8
    assert round(papers_gain(1.3)) == 105
    assert round(papers_ratio(408), 1) == 2.8
    assert papers_gain(papers_ratio(408)) == pytest.approx(408)
    # the same as the rating of the first version, if it takes 1.3 points for each one it leaves
    assert round(papers_rating(UNTRAINED, 1.3 / 2.3)) == 205


def test_expected_scores_by_hand():
    assert papers_expected(100, 100) == 0.5
    assert papers_expected(500, 100) == pytest.approx(1 / (1 + math.exp(-1)))
    assert papers_expected(100, 500) == pytest.approx(1 / (1 + math.exp(1)))
    assert STANDARD.expected(400) == pytest.approx(10 / 11)
    assert STANDARD.expected(191) == pytest.approx(0.75, abs=0.001)


def test_the_score_is_capped_both_ways():
    assert papers_rating(100, 1.0) == papers_rating(100, 0.99) == pytest.approx(100 + 400 * math.log(99))
    assert papers_rating(100, 0.0) == pytest.approx(100 - 400 * math.log(99))
    assert papers_elo_difference(0.98) < papers_elo_difference(1.0)


def test_the_update_by_hand_and_that_nothing_is_won_or_lost():
    assert papers_update(100, 100, 1, k=20) == 110
    assert papers_update(500, 100, 0.5, k=20) == pytest.approx(500 + 20 * (0.5 - 0.7310586))
    a, b = papers_update(500, 100, 0.5, k=20), papers_update(100, 500, 0.5, k=20)
    assert a + b == pytest.approx(600)


def test_many_updates_come_to_the_direct_estimate():
    rating = 100.0
    for _ in range(5000):
        rating = papers_update(rating, 100, 0.7, k=5)
    assert rating == pytest.approx(papers_rating(100, 0.7), abs=0.01)


@given(ratings, ratings)
def test_expected_scores_add_up_to_one(a, b):
    assert papers_expected(a, b) + papers_expected(b, a) == pytest.approx(1)


@given(st.floats(0.011, 0.989), ratings)
def test_the_direct_estimate_inverts_the_expectation(score, opponent):
    assert papers_expected(papers_rating(opponent, score), opponent) == pytest.approx(score)


@given(st.floats(-2000, 2000))
def test_a_difference_means_the_same_on_both_scales(points):
    assert STANDARD.expected(to_standard(points)) == pytest.approx(PAPERS.expected(points))
    assert to_papers(to_standard(points)) == pytest.approx(points)


def test_the_scales_are_far_apart_and_say_which_they_are():
    assert to_standard(105) == pytest.approx(45.6, abs=0.05)
    assert "papers" in PAPERS.label and "standard" in STANDARD.label
