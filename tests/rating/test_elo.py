"""The papers' formulas and worked numbers; the two scales."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nought.rating.elo import (
    PAPERS,
    STANDARD,
    UNTRAINED,
    WANDHOVEN_GAIN,
    papers_elo_difference,
    papers_gain,
    papers_ratio,
    to_papers,
    to_standard,
)

ratings = st.floats(-5000, 5000)


def test_the_papers_worked_numbers():
    # accepted above 1.3 times the wins: every version gains 105 at least; 408 were measured, which is a ratio of 2.8
    assert round(papers_gain(1.3)) == 105
    assert round(papers_ratio(WANDHOVEN_GAIN), 1) == 2.8
    assert papers_gain(papers_ratio(WANDHOVEN_GAIN)) == pytest.approx(408)
    # the same as the rating of the first version, if it takes 1.3 points for each one it leaves
    assert round(UNTRAINED + papers_elo_difference(1.3 / 2.3)) == 205


def test_expected_scores_by_hand():
    assert PAPERS.expected(0) == 0.5
    assert PAPERS.expected(400) == pytest.approx(1 / (1 + math.exp(-1)))
    assert PAPERS.expected(-400) == pytest.approx(1 / (1 + math.exp(1)))
    assert STANDARD.expected(400) == pytest.approx(10 / 11)
    assert STANDARD.expected(191) == pytest.approx(0.75, abs=0.001)


def test_the_score_is_capped_both_ways():
    assert papers_elo_difference(1.0) == papers_elo_difference(0.99) == pytest.approx(400 * math.log(99))
    assert papers_elo_difference(0.0) == pytest.approx(-400 * math.log(99))
    assert papers_elo_difference(0.98) < papers_elo_difference(1.0)


def test_many_updates_come_to_the_direct_estimate():
    difference = 0.0
    for _ in range(5000):
        difference += 5 * (0.7 - PAPERS.expected(difference))  # r + K (W - E), equation 46
    assert difference == pytest.approx(papers_elo_difference(0.7), abs=0.01)


@given(ratings, ratings)
def test_expected_scores_add_up_to_one(a, b):
    assert PAPERS.expected(a - b) + PAPERS.expected(b - a) == pytest.approx(1)


@given(st.floats(0.011, 0.989))
def test_the_direct_estimate_inverts_the_expectation(score):
    assert PAPERS.expected(papers_elo_difference(score)) == pytest.approx(score)


@given(st.floats(-2000, 2000))
def test_a_difference_means_the_same_on_both_scales(points):
    assert STANDARD.expected(to_standard(points)) == pytest.approx(PAPERS.expected(points))
    assert to_papers(to_standard(points)) == pytest.approx(points)


def test_the_scales_are_far_apart_and_say_which_they_are():
    assert to_standard(105) == pytest.approx(45.6, abs=0.05)
    assert "papers" in PAPERS.label and "standard" in STANDARD.label
