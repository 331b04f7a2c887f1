"""Self-play inside the kernels: games that play themselves, and the log of their moves."""

from typing import Any

import numpy as np
import pytest

from nought.config import Choice, SearchParameters, SelfPlayParameters
from nought.games import Position, load
from nought.search import Log, Search
from nought.search.memory import RANDOM
from tests.search.support import Hashed

FROM_THE_START = SelfPlayParameters(opening_share=0)
NOISY = SearchParameters(simulations=16, noise=True, sampled_moves=8)


def play(search: Search, evaluator: Hashed, finished: int) -> Log:
    """The log of self-play until this many games are finished."""
    rows = []
    search.begin_games()
    while search.counters()["games"] < finished:
        search.answer(*evaluator(search.advance()))
        rows.append(search.take_rows())
    return search.as_log(np.concatenate(rows))


def games_of(log: Log, g: int) -> list[list[int]]:
    """The rows of each game that was played in place g."""
    games: list[list[int]] = []
    for row in np.flatnonzero(log.game == g).tolist():
        if not games or log.finished[games[-1][-1]]:
            games.append([])
        games[-1].append(row)
    return games


@pytest.mark.parametrize("choice", [Choice.PUCT_PLUS_ONE, Choice.GUMBEL])
@pytest.mark.parametrize("name", ["tictactoe", "connect4", "dots-and-boxes:2x2"])
def test_the_log_replays_from_start_to_end(name: str, choice: Choice) -> None:
    game = load(name)
    parameters = SearchParameters(simulations=16, choice=choice, noise=True, sampled_moves=8)
    search = Search(game, parameters, 30, self_play=FROM_THE_START)
    log = play(search, Hashed(game), finished=150)
    for g in range(30):
        for rows in games_of(log, g):
            position = game.start()
            for ply, row in enumerate(rows):
                check_row(log, row, position, ply)
                position = position.play(int(log.action[row]))
                assert log.finished[row] == position.finished
            if position.finished:
                assert log.result[rows[-1]] == position.result
                assert log.margin[rows[-1]] == position.margin
    assert log.finished.sum() == search.counters()["games"] >= 150
    assert len(log.game) == search.counters()["moves"]


def check_row(log: Log, row: int, position: Position, ply: int) -> None:
    assert np.array_equal(log.states[row], position.state)
    assert (log.ply[row], log.player[row]) == (ply, position.player)
    illegal = np.setdiff1d(np.arange(position.game.actions), position.legal)
    assert log.policy[row].sum() == pytest.approx(1, abs=1e-5)
    assert log.policy[row].min() >= 0 and not log.policy[row][illegal].any()
    assert log.action[row] in position.legal and log.policy[row][log.action[row]] > 0
    assert -1 <= log.value[row] <= 1


def test_a_proven_value_in_the_log_is_the_result_of_best_play() -> None:
    game = load("tictactoe")
    search = Search(game, SearchParameters(simulations=100), 20, self_play=FROM_THE_START)
    log = play(search, Hashed(game), finished=40)
    proven = 0
    for g in range(20):
        for rows in games_of(log, g):
            for row in rows:
                if log.proven[row] and log.finished[rows[-1]]:
                    proven += 1
                    result = log.result[rows[-1]]
                    assert log.value[row] == (result if log.player[row] == 0 else -result)
    assert proven > 40


def test_a_finished_game_is_replaced_at_once() -> None:
    game = load("tictactoe")
    search = Search(game, NOISY, 20, self_play=FROM_THE_START)
    log = play(search, Hashed(game), finished=100)
    for g in range(20):
        rows = np.flatnonzero(log.game == g)
        following = log.finished[rows[:-1]].astype(bool)
        assert (log.ply[rows[1:]][following] == 0).all()
        assert (log.ply[rows[1:]][~following] == log.ply[rows[:-1]][~following] + 1).all()
        assert log.finished[rows].sum() >= 3


def game_rows(log: Log, g: int, count: int) -> list[Any]:
    rows = np.flatnonzero(log.game == g)[:count]
    assert len(rows) == count
    return [
        log.states[rows].tolist(),
        log.action[rows].tolist(),
        log.policy[rows].tolist(),
        log.value[rows].tolist(),
    ]


@pytest.mark.parametrize("cache", [0, 1 << 10])
def test_a_game_goes_the_same_way_whatever_is_played_beside_it(cache: int) -> None:
    game = load("connect4")
    parameters = SearchParameters(simulations=16, noise=True, sampled_moves=8, cache=cache)
    many = Search(game, parameters, 50, seed=9, self_play=FROM_THE_START)
    streams = many.blocks.view(np.uint64)[:, int(RANDOM) // 2].copy()
    log = play(many, Hashed(game), finished=60)
    for g in (0, 1, 49):
        alone = Search(game, parameters, 1, seed=9, self_play=FROM_THE_START)
        if g == 0:
            assert alone.blocks.view(np.uint64)[0, int(RANDOM) // 2] == streams[0]
        alone.blocks.view(np.uint64)[0, int(RANDOM) // 2] = streams[g]
        assert game_rows(play(alone, Hashed(game), finished=2), 0, 20) == game_rows(log, g, 20)
    first = [game_rows(log, g, 10)[1] for g in range(50)]
    assert len({tuple(actions) for actions in first}) > 40


def test_a_full_log_pauses_the_games_and_loses_nothing() -> None:
    game = load("tictactoe")
    logs = []
    for rows, times in ((12, 50), (600, 1)):
        search = Search(game, NOISY, 8, seed=2, self_play=FROM_THE_START, log_rows=rows)
        search.begin_games()
        taken = []
        for _ in range(times):
            search.run(Hashed(game))  # until all games wait for room in the log
            taken.append(search.take_rows())
            assert len(taken[-1]) == rows
        logs.append(search.as_log(np.concatenate(taken)))
    for g in range(8):
        count = min((log.game == g).sum() for log in logs)
        assert count > 10
        assert game_rows(logs[0], g, count) == game_rows(logs[1], g, count)


def test_openings_are_random_legal_and_not_logged() -> None:
    game = load("tictactoe")
    search = Search(game, NOISY, 30, self_play=SelfPlayParameters(opening_share=0.5, opening_moves=4))
    log = play(search, Hashed(game), finished=300)
    first = [games[0] for g in range(30) for games in games_of(log, g)]
    plies = log.ply[first]
    assert set(plies.tolist()) == {0, 1, 2, 3, 4}
    # half of the games, and of the others the one in five that draws no move
    assert np.mean(plies == 0) == pytest.approx(0.6, abs=0.08)
    stones = log.states[first][:, :9]
    assert ((stones == 1).sum(axis=1) == (plies + 1) // 2).all()
    assert ((stones == 2).sum(axis=1) == plies // 2).all()
    assert len(np.unique(stones[plies == 4], axis=0)) > 10


def test_fast_searches_are_short_and_marked() -> None:
    game = load("connect4")
    mixed = SelfPlayParameters(opening_share=0, full_share=0.25, fast_simulations=4)
    search = Search(game, SearchParameters(simulations=40, proofs=False, reuse=False), 30, self_play=mixed)
    log = play(search, Hashed(game), finished=60)
    assert log.full.mean() == pytest.approx(0.25, abs=0.05)
    for full, simulations in ((0, 4), (1, 40)):
        visits = log.policy[log.full == full] * simulations
        assert visits == pytest.approx(np.rint(visits), abs=1e-4)
        assert visits[visits > 0].min() == pytest.approx(1)


def test_surprise_is_the_divergence_of_policy_and_prior() -> None:
    game = load("connect4")
    evaluator = Hashed(game)
    search = Search(game, SearchParameters(simulations=40), 10, self_play=FROM_THE_START)
    log = play(search, evaluator, finished=5)
    for row in range(0, len(log.game), 7):
        position = Position(game, log.states[row])
        prior = np.array(evaluator.of(position)[0])[position.legal]
        policy = log.policy[row][position.legal].astype(float)
        tried = policy > 0
        divergence = (policy[tried] * np.log(policy[tried] / (prior / prior.sum())[tried])).sum()
        assert log.surprise[row] == pytest.approx(divergence, abs=1e-4)
