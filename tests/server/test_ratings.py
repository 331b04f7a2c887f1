"""The rating of people against agents of known strength."""

import math
import random

import pytest

from nought.games import load
from nought.rating.elo import STANDARD
from nought.server.people.ratings import (
    FIRST_DEVIATION,
    LEAST_DEVIATION,
    RatedGame,
    Standing,
    after,
    closest,
    deviation_of,
    fold,
    middling,
    starting_rating,
)
from tests.server.support.people import RandomAgents

AGENTS = RandomAgents().agents(load("connect4"))  # 100, 300, 500, 700, 900


NONE = -math.inf  # no floor


def test_one_game_is_the_most_probable_rating():
    """Against a search of the whole curve: the prior's density times the result's probability."""

    def log_probability(x, before, game):
        g = 1 / math.sqrt(1 + 3 * (math.log(10) / 400 * game.deviation / math.pi) ** 2)
        win = 1 / (1 + 10 ** (-g * (x - game.opponent) / 400))
        likely = game.score * math.log(win) + (1 - game.score) * math.log(1 - win)
        return likely - (x - before.rating) ** 2 / (2 * before.deviation**2)

    for before in (Standing(1500, 200, 3), Standing(100), Standing(700, LEAST_DEVIATION)):
        for game in (RatedGame(1400, 30, 1.0), RatedGame(300, 0, 0.0), RatedGame(900, 100, 0.5)):
            found = after(before, game, NONE)
            best = max((x / 10 for x in range(-15000, 35000)), key=lambda x: log_probability(x, before, game))
            assert found.rating == pytest.approx(best, abs=0.11)
            h = 1.0  # the curve's bend at its top is one over the deviation squared
            bend = sum(
                k * log_probability(found.rating + d * h, before, game) for d, k in ((-1, 1), (0, -2), (1, 1))
            )
            assert found.deviation == pytest.approx(max(LEAST_DEVIATION, 1 / math.sqrt(-bend)), rel=1e-3)
            assert found.games == before.games + 1


def test_wins_raise_losses_lower_and_draws_go_towards_the_opponent():
    even = Standing(500, 100)
    won, drawn, lost = (after(even, RatedGame(500, 0, score), NONE).rating for score in (1, 0.5, 0))
    assert won - 500 == pytest.approx(500 - lost) and won > drawn == pytest.approx(500)
    up, down = (after(even, RatedGame(rating, 0, 0.5), NONE).rating for rating in (700, 300))
    assert down < 500 < up


def test_games_count_less_and_less_but_always_for_something():
    steps, standing = [], Standing(500)
    for _ in range(100):
        won = after(standing, RatedGame(standing.rating, 20, 1.0), NONE)
        steps.append(won.rating - standing.rating)
        standing = after(standing, RatedGame(standing.rating, 20, 0.5), NONE)
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > 300 and 10 < steps[-1] < 20
    assert standing.deviation == LEAST_DEVIATION < FIRST_DEVIATION


def test_nobody_falls_below_who_plays_anything():
    lost = [RatedGame(100, 25, 0.0)] * 5
    assert fold(500, lost).rating == fold(100, lost).rating == 100
    assert fold(500, [*lost, RatedGame(100, 25, 1.0)]).rating > 100


def test_nothing_overflows():
    for rating in (-1e6, 1e6):
        for score in (0.0, 1.0):
            found = after(Standing(100), RatedGame(rating, 0, score), NONE)
            assert math.isfinite(found.rating) and LEAST_DEVIATION <= found.deviation <= FIRST_DEVIATION


@pytest.mark.parametrize("strength", [150, 420, 800])
def test_a_rating_finds_the_strength(strength):
    """A hundred people of one strength, twenty games each against the closest agent: most are where they say."""
    chance, ends = random.Random(strength), []
    for _ in range(100):
        standing = Standing(starting_rating(AGENTS))
        for _ in range(20):
            agent = closest(AGENTS, standing.rating)
            won = chance.random() < STANDARD.expected(strength - agent.rating)
            game = RatedGame(agent.rating, deviation_of(agent.interval), float(won))
            standing = after(standing, game)
        ends.append(standing)
    assert abs(sum(end.rating for end in ends) / len(ends) - strength) < 50
    assert sum(abs(end.rating - strength) < 2 * end.deviation for end in ends) >= 88


def test_closest_but_better():
    assert [closest(AGENTS, r).rating for r in (-50, 100, 100.1, 300, 899, 900, 901, 5000)] == [
        100, 100, 300, 300, 900, 900, 900, 900,
    ]  # fmt: skip
    assert closest([], 100) is None
    unrated = RandomAgents().agents(load("othello"))
    assert closest(unrated, 100) is None
    assert closest([*unrated, AGENTS[2]], 0) is AGENTS[2]
    assert starting_rating(unrated) == 100


def test_a_new_player_starts_half_way_up():
    assert middling(AGENTS).rating == starting_rating(AGENTS) == 500
    assert middling([AGENTS[4], AGENTS[0], AGENTS[1]]) is AGENTS[1]  # of 100, 300 and 900, in any order
    assert middling([AGENTS[0], AGENTS[1]]) is AGENTS[0]  # the weaker of two that are as close
    assert middling([]) is middling(RandomAgents().agents(load("othello"))) is None


def test_fold():
    games = [RatedGame(300, 25, 1.0), RatedGame(500, 25, 0.0), RatedGame(300, 25, 0.5)]
    step = Standing(100)
    for game in games:
        step = after(step, game)
    assert fold(100, games) == step and step.games == 3
