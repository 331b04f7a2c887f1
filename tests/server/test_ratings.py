"""The rating of people against agents of known strength."""

import math
import random

import pytest
from server.people_support import RandomAgents

from nought.games import load
from nought.rating.elo import STANDARD
from nought.server.ratings import (
    LEAST,
    NEW,
    RatedGame,
    Standing,
    after,
    closest,
    deviation_of,
    fold,
    starting_rating,
)

AGENTS = RandomAgents().agents(load("connect4"))  # 100, 300, 500, 700, 900


def test_one_game_as_glickman_counts():
    # His example's first game: 1500 ± 200 beats 1400 ± 30, with g = 0.9955 and E = 0.639.
    q = math.log(10) / 400
    d2 = 1 / (q**2 * 0.9955**2 * 0.639 * 0.361)
    certainty = 1 / 200**2 + 1 / d2
    found = after(Standing(1500, 200, 3), RatedGame(1400, 30, 1.0))
    assert found.rating == pytest.approx(1500 + q / certainty * 0.9955 * 0.361, abs=0.1)
    assert found.deviation == pytest.approx(math.sqrt(1 / certainty), abs=0.1)
    assert found.games == 4


def test_wins_raise_losses_lower_and_draws_go_towards_the_opponent():
    even = Standing(500, 100)
    won, drawn, lost = (after(even, RatedGame(500, 0, score)).rating for score in (1, 0.5, 0))
    assert won - 500 == pytest.approx(500 - lost) and won > drawn == pytest.approx(500)
    assert after(even, RatedGame(700, 0, 0.5)).rating > 500 > after(even, RatedGame(300, 0, 0.5)).rating


def test_games_count_less_and_less_but_always_for_something():
    steps, standing = [], Standing(500)
    for _ in range(100):
        won = after(standing, RatedGame(standing.rating, 20, 1.0))
        steps.append(won.rating - standing.rating)
        standing = after(standing, RatedGame(standing.rating, 20, 0.5))
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > 150 and steps[-1] > 9
    assert standing.deviation == LEAST < NEW


def test_nothing_overflows():
    for rating in (-1e6, 1e6):
        found = after(Standing(100), RatedGame(rating, 0, 1.0))
        assert math.isfinite(found.rating) and LEAST <= found.deviation <= NEW


@pytest.mark.parametrize("strength", [150, 420, 800])
def test_a_rating_finds_the_strength(strength):
    """Thirty people of one strength, each against the closest agent, thirty games: the mean is right."""
    chance, ends = random.Random(strength), []
    for _ in range(30):
        standing = Standing(starting_rating(AGENTS))
        for _ in range(30):
            agent = closest(AGENTS, standing.rating)
            won = chance.random() < STANDARD.expected(strength - agent.rating)
            standing = after(standing, RatedGame(agent.rating, deviation_of(agent.interval), float(won)))
        ends.append(standing.rating)
    assert abs(sum(ends) / len(ends) - strength) < 50


def test_closest_but_better():
    assert [closest(AGENTS, r).rating for r in (-50, 100, 100.1, 300, 899, 900, 901, 5000)] == [
        100, 100, 300, 300, 900, 900, 900, 900,
    ]  # fmt: skip
    assert closest([], 100) is None
    unrated = RandomAgents().agents(load("othello"))
    assert closest(unrated, 100) is None
    assert closest([*unrated, AGENTS[2]], 0) is AGENTS[2]
    assert starting_rating(AGENTS) == starting_rating(unrated) == 100


def test_fold():
    games = [RatedGame(300, 25, 1.0), RatedGame(500, 25, 0.0), RatedGame(300, 25, 0.5)]
    step = Standing(100)
    for game in games:
        step = after(step, game)
    assert fold(100, games) == step and step.games == 3
