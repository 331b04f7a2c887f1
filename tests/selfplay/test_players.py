"""Players, and the loop in which they play."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nought.config import SearchParameters
from nought.errors import NoughtError
from nought.games import Position, load
from nought.search import Uniform, analyse
from nought.selfplay import (
    RandomPlayer,
    SearchPlayer,
    analyse_with,
    choose_move,
    play_games,
    policy_player,
    rollout_player,
)

CONNECT4, TICTACTOE, DOTS = load("connect4"), load("tictactoe"), load("dots-and-boxes:2x2")


class Favourites:
    """Prefers moves in a fixed order."""

    def __init__(self, order: list[int]) -> None:
        self.policy = np.zeros(len(order), np.float32)
        self.policy[order] = np.arange(len(order), 0, -1)

    def __call__(self, states: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return np.tile(self.policy, (len(states), 1)), np.zeros(len(states), np.float32)


# ---- random and rollout ------------------------------------------------------------------------------------
def test_random_plays_every_legal_move_and_no_other() -> None:
    position = CONNECT4.position([3, 3, 3, 3, 3, 3])
    chosen = Counter(RandomPlayer(1).choose(dict.fromkeys(range(600), position)).values())
    assert set(chosen) == {0, 1, 2, 4, 5, 6}
    assert min(chosen.values()) > 60


def test_random_is_decided_by_its_seed() -> None:
    games = [play_games((RandomPlayer(s), RandomPlayer(9)), [CONNECT4.start()] * 3) for s in (1, 1, 2)]
    moves = [[position.moves for position in ends] for ends in games]
    assert moves[0] == moves[1] != moves[2]


@pytest.mark.parametrize("side", [0, 1])
def test_rollout_beats_random(side: int) -> None:
    rollout, random = rollout_player(CONNECT4, 400, games=10, seed=1), RandomPlayer(2)
    players = (rollout, random) if side == 0 else (random, rollout)
    ends = play_games(players, [CONNECT4.start()] * 10)
    results = [position.result if side == 0 else -position.result for position in ends]
    assert results.count(1) >= 9


def test_rollout_takes_a_win_and_stops_a_loss() -> None:
    player = rollout_player(CONNECT4, 400)
    assert player.choose({0: CONNECT4.position([0, 6, 1, 6, 2, 5])}) == {0: 3}
    assert player.choose({0: CONNECT4.position([0, 6, 1, 6, 2])}) == {0: 3}


# ---- policy and search -------------------------------------------------------------------------------------
def test_a_policy_player_plays_the_favourite_legal_move() -> None:
    player = policy_player("policy", CONNECT4, Favourites([3, 2, 4, 1, 5, 0, 6]), games=2)
    assert player.choose({0: CONNECT4.start(), 1: CONNECT4.position([3] * 6)}) == {0: 3, 1: 2}
    assert player.choose({0: CONNECT4.position([3] * 6 + [2] * 6)}) == {0: 4}
    assert player.name == "policy"


def test_a_search_player_is_given_more_games_than_it_has_places() -> None:
    player = SearchPlayer("search", TICTACTOE, Uniform(TICTACTOE), SearchParameters(simulations=50), games=4)
    # X wins with 2 in every one of them
    positions = dict.fromkeys((0, 1, 5, 9, 13, 14, 22), TICTACTOE.position([0, 3, 1, 4]))
    assert player.choose(positions) == dict.fromkeys(positions, 2)


def test_a_search_player_goes_on_with_what_it_knows() -> None:
    evaluator = Favourites([3, 2, 4, 1, 5, 0, 6])
    experienced, fresh = (
        SearchPlayer("search", CONNECT4, evaluator, SearchParameters(simulations=100, cache=0))
        for _ in range(2)
    )
    position = CONNECT4.start()
    position = position.play(experienced.choose({0: position})[0])
    assert sum(move.visits for move in fresh.analyse(position).moves) == 100
    assert sum(move.visits for move in experienced.analyse(position).moves) > 110


def test_a_search_player_without_time_still_moves() -> None:
    player = SearchPlayer(
        "quick", CONNECT4, Uniform(CONNECT4), SearchParameters(simulations=100_000), seconds=0
    )
    assert player.choose({0: CONNECT4.start()})[0] in range(7)


def test_analysis_of_a_position_says_what_the_player_plays() -> None:
    player = SearchPlayer("search", TICTACTOE, Uniform(TICTACTOE), SearchParameters(simulations=500))
    found = player.analyse(TICTACTOE.position([0, 3, 1, 4]))
    assert (found.best.action, found.proven, found.plies) == (2, True, 1)


# ---- the loop ----------------------------------------------------------------------------------------------
class Recorder:
    """Plays the lowest legal move and notes for which positions it was asked."""

    name = "recorder"

    def __init__(self) -> None:
        self.asked: list[Position] = []

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        self.asked += positions.values()
        return {g: position.legal[0] for g, position in positions.items()}


def test_one_position_is_one_question() -> None:
    position = load("tictactoe").position("a1b1a2b2")
    player = rollout_player(position.game, 200)
    assert choose_move(player, position) == analyse_with(player, position).best.action == 6
    assert choose_move(RandomPlayer(), position) in position.legal
    with pytest.raises(NoughtError, match="random has no search"):
        analyse_with(RandomPlayer(), position)


def test_players_are_asked_for_their_own_positions_only() -> None:
    players = (Recorder(), Recorder())
    ends = play_games(players, [DOTS.start(), DOTS.position([0, 4, 7])])
    for side, player in enumerate(players):
        assert {position.player for position in player.asked} == {side}
    assert [position.moves for position in ends] == [tuple(range(12)), (0, 4, 7, 1, 2, 3, 5, 6, 8, 9, 10, 11)]
    assert all(position.finished for position in ends)
    # every unfinished position on the way was asked for once, though players do not alternate
    on_the_way = [
        DOTS.position(end.moves[:n])
        for end, first in zip(ends, (0, 3), strict=True)
        for n in range(first, 12)
    ]
    asked = Counter(position.moves for player in players for position in player.asked)
    assert asked == Counter(position.moves for position in on_the_way)
    movers = [DOTS.position(range(n)).player for n in range(12)]
    assert any(a == b for a, b in pairwise(movers))


def test_finished_openings_are_returned_as_they_are() -> None:
    over = TICTACTOE.position([0, 3, 1, 4, 2])
    ends = play_games((Recorder(), Recorder()), [over, TICTACTOE.start()])
    assert ends[0] is over and ends[1].finished
    assert play_games((Recorder(), Recorder()), []) == []


def test_search_players_play_games_in_which_players_do_not_alternate() -> None:
    searcher = SearchPlayer("search", DOTS, Uniform(DOTS), SearchParameters(simulations=400), games=6)
    points = 0.0
    for side in (0, 1):
        players = (searcher, RandomPlayer(3)) if side == 0 else (RandomPlayer(3), searcher)
        for end in play_games(players, [DOTS.start()] * 6):
            points += end.result if side == 0 else -end.result
    assert points >= 8


def test_a_game_with_another_number_knows_nothing_of_the_games_before_it() -> None:
    def player(simulations: int) -> SearchPlayer:
        parameters = SearchParameters(simulations=simulations, nodes=5000, cache=0)
        return SearchPlayer("uniform", TICTACTOE, Uniform(TICTACTOE), parameters, games=2)

    def found(player: SearchPlayer, number: int) -> int:
        player.choose({number: TICTACTOE.start()})
        return analyse(player.search, number % 2).positions

    fresh = found(player(40), 0)
    same = player(40)
    assert [found(same, number) for number in (0, 2, 4)] == [fresh] * 3
    assert found(same, 4) > fresh  # the same number is the same game: what was found is kept
