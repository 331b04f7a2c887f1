"""The kernels without Numba: the same search, for games whose rules cannot be compiled, and for debugging."""

import warnings

import numpy as np
import pytest

from nought.config import Choice, SearchParameters, SelfPlayParameters
from nought.games import Game, load
from nought.search import Rollout, Search, analyse
from nought.search.analysis import root
from nought.selfplay import RandomPlayer, SearchPlayer, play_games, rollout_player
from tests.search.support import Hashed, random_positions, visits

COMPILED = load("tictactoe")
PLAIN = Game("tictactoe", COMPILED.rules, COMPILED.source, compilable=False)


@pytest.mark.parametrize("choice", list(Choice))
def test_uncompiled_and_compiled_search_alike(choice: Choice) -> None:
    for seed, position in enumerate(random_positions(COMPILED, 6, seed=1)):
        found = []
        for game in (PLAIN, COMPILED):
            parameters = SearchParameters(
                simulations=40, choice=choice, noise=True, leaves=1 + seed % 2, cache=64
            )
            search = Search(game, parameters, seed=seed)
            search.begin(0, position.state)
            search.run(Hashed(game))
            found.append((visits(search), root(search).plies))
            values = [edge.value for edge in root(search).edges]
            found.append(pytest.approx(values, abs=1e-5) if game is PLAIN else values)
        assert found[:2] == found[2:]


def test_uncompiled_and_compiled_self_play_alike() -> None:
    logs = []
    for game in (PLAIN, COMPILED):
        parameters = SearchParameters(simulations=10, noise=True, sampled_moves=9)
        search = Search(game, parameters, 2, self_play=SelfPlayParameters(opening_moves=3), log_rows=12)
        search.begin_games()
        search.run(Hashed(game))
        logs.append(search.take_log())
    assert np.array_equal(logs[0].states, logs[1].states)
    assert np.array_equal(logs[0].action, logs[1].action)
    assert logs[0].policy == pytest.approx(logs[1].policy, abs=1e-6)


def test_uncompiled_and_compiled_rollouts_alike() -> None:
    states = np.array([position.state for position in random_positions(COMPILED, 50)])
    assert Rollout(PLAIN, 3)(states)[1].tolist() == Rollout(COMPILED, 3)(states)[1].tolist()


def test_uncompiled_numbers_overflow_in_silence() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        player = rollout_player(PLAIN, 20)
        player.analyse(PLAIN.start())


# ---- OpenSpiel's games -------------------------------------------------------------------------------------
pytest.importorskip("pyspiel")


def test_a_game_of_openspiel_can_be_searched() -> None:
    game = load("openspiel:tic_tac_toe")
    position = game.position([0, 3, 1, 4])  # 2 wins
    search = Search(game, SearchParameters(simulations=100))
    search.begin(0, position.state)
    search.run(Hashed(game))
    found = analyse(search)
    assert (found.best.action, found.proven, found.value, found.plies) == (2, True, 1, 1)


def test_players_play_a_game_of_openspiel() -> None:
    game = load("openspiel:tic_tac_toe")
    players = {
        "search": SearchPlayer("search", game, Hashed(game), SearchParameters(simulations=20), games=3),
        "rollout": rollout_player(game, 60, games=3),
    }
    for player in players.values():
        ends = play_games((player, RandomPlayer(2)), [game.start()] * 3)
        assert all(position.finished and len(position.moves) >= 5 for position in ends)
        if player.name == "rollout:60":
            assert [position.result for position in ends] == [1, 1, 1]
