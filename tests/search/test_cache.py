"""The evaluation cache: it saves questions and changes nothing else."""

from typing import Any

import numpy as np
import pytest

from nought.config import SearchParameters, SelfPlayParameters
from nought.games import Game, load
from nought.search import Search
from nought.search.analysis import root
from tests.search.support import Hashed, random_positions, start, visits

FROM_THE_START = SelfPlayParameters(opening_share=0)


def self_play(game: Game, cache: int, rows: int) -> tuple[dict[int, list[Any]], Hashed, Search]:
    """The first moves of every game of a batch, up to as many rows of the log."""
    parameters = SearchParameters(simulations=30, noise=True, sampled_moves=6, cache=cache)
    search = Search(game, parameters, 12, seed=5, self_play=FROM_THE_START, log_rows=rows)
    evaluator = Hashed(game)
    search.begin_games()
    search.run(evaluator)
    log = search.take_log()
    games: dict[int, list[Any]] = {g: [] for g in range(12)}
    for i, g in enumerate(log.game.tolist()):
        end = (log.result[i], log.margin[i]) if log.finished[i] else None
        games[g].append(
            (log.ply[i], log.action[i], log.value[i], log.proven[i], end, log.states[i].tolist(), log.policy[i].tolist())
        )  # fmt: skip
    return games, evaluator, search


@pytest.mark.parametrize("name", ["tictactoe", "connect4"])
@pytest.mark.parametrize("cache", [2, 64, 1 << 16])
def test_self_play_is_the_same_with_and_without_cache(name: str, cache: int) -> None:
    game = load(name)
    without, asked_without, _ = self_play(game, 0, 600)
    with_cache, asked, search = self_play(game, cache, 600)
    for g in range(12):  # the cache lets some games run ahead of others
        common = min(len(without[g]), len(with_cache[g]))
        assert common > 20
        assert without[g][:common] == with_cache[g][:common]
    assert len(asked.asked) < len(asked_without.asked)
    assert search.counters()["evaluations"] == len(asked.asked)
    assert search.counters()["from_cache"] > 0


def test_a_large_cache_asks_for_every_position_once() -> None:
    _, evaluator, _ = self_play(load("tictactoe"), 1 << 16, 600)
    # two positions may fall on the same two places: then one of them is asked for again
    assert len(evaluator.asked) < 1.01 * len(set(evaluator.asked))
    _, evaluator, _ = self_play(load("tictactoe"), 0, 600)
    assert len(evaluator.asked) > 2 * len(set(evaluator.asked))


@pytest.mark.parametrize(("cache", "questions"), [(64, 1), (0, 50)])
def test_a_position_wanted_twice_in_one_batch_is_evaluated_once(cache: int, questions: int) -> None:
    game = load("connect4")
    evaluator = Hashed(game)
    search = Search(game, SearchParameters(simulations=10, cache=cache), 50)
    search.begin_games()
    states = search.advance()
    assert len(states) == questions
    search.answer(*evaluator(states))
    search.run(evaluator)
    alone = Search(game, SearchParameters(simulations=10, cache=0))
    alone.begin_games()
    alone.run(evaluator)
    assert all(visits(search, g) == visits(alone) for g in range(50))


def test_the_cache_serves_later_searches() -> None:
    game = load("connect4")
    evaluator = Hashed(game)
    search = Search(game, SearchParameters(simulations=30, reuse=False))
    positions = random_positions(game, 10)
    for position in positions * 2:
        search.begin(0, position.state)
        search.run(evaluator)
    assert len(evaluator.asked) == len(set(evaluator.asked))


def priors(search: Search) -> list[float]:
    return [edge.prior for edge in root(search).edges]


def test_after_forgetting_the_new_evaluator_is_asked_and_believed() -> None:
    game = start("connect4").game
    old, new = Hashed(game), Hashed(game, salt=b"another")
    search = Search(game, SearchParameters(simulations=20, reuse=False))
    found = []
    for evaluator, forget in ((old, False), (new, False), (new, True), (old, False), (old, True)):
        if forget:
            search.forget_evaluations()
        evaluator.asked.clear()
        search.begin(0, game.start().state)
        search.run(evaluator)
        found.append((visits(search), priors(search), len(evaluator.asked)))
    assert found[0][:2] == found[1][:2] == found[4][:2]  # without forgetting, the old answers
    assert found[2][:2] == found[3][:2] != found[0][:2]
    assert [asked > 0 for *_, asked in found] == [True, False, True, False, True]


def test_an_answer_under_way_when_the_cache_is_emptied_is_not_kept() -> None:
    game = start("connect4").game
    old, new = Hashed(game), Hashed(game, salt=b"another")
    search = Search(game, SearchParameters(simulations=0, reuse=False))
    search.begin(0, game.start().state)
    states = search.advance()
    search.forget_evaluations()
    search.answer(*old(states))
    search.run(old)
    search.begin(0, game.start().state)
    search.run(new)
    policy = np.array(new.of(game.start())[0])
    assert priors(search) == pytest.approx(policy / policy.sum())
