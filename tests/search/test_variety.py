"""Varied play: moves about as good as the best, and no others."""

import random
from collections import Counter

import numpy as np
import pytest

from nought.config import SearchParameters
from nought.games import load
from nought.games.notation import parse_moves
from nought.search import Search, Uniform, analyse
from nought.search.variety import VALUE_MARGIN, VISITS_SHARE, alternatives, varied_move
from nought.selfplay import SearchPlayer

CONNECT4, TICTACTOE = load("connect4"), load("tictactoe")


def searched(game, moves="", simulations=400, evaluator=None, **parameters):
    search = Search(game, SearchParameters(simulations=simulations, cache=0, **parameters))
    position = game.position(parse_moves(game, moves))
    search.begin(0, position.state, len(position.moves))
    search.run(evaluator or Uniform(game))
    return search


class Priors:
    """An evaluator with the same priors everywhere."""

    def __init__(self, *priors):
        self.priors = np.array(priors, np.float32)

    def __call__(self, states):
        return np.tile(self.priors, (len(states), 1)), np.zeros(len(states), np.float32)


def test_moves_looked_at_and_valued_nearly_as_the_best():
    search = searched(CONNECT4, "44", proofs=False)
    best, *others = analyse(search).moves
    drawn = alternatives(search)
    assert best.action in drawn and sum(drawn.values()) == pytest.approx(1)
    good = [
        m for m in others if m.visits >= VISITS_SHARE * best.visits and m.value >= best.value - VALUE_MARGIN
    ]
    assert set(drawn) == {best.action, *(move.action for move in good)}
    for move in good:
        assert drawn[move.action] / drawn[best.action] == pytest.approx(move.visits / best.visits)


def test_a_win_is_taken_and_a_threat_is_parried():
    assert set(alternatives(searched(CONNECT4, "414141"))) == {3}  # four in the column wins at once
    assert set(alternatives(searched(CONNECT4, "41414"))) == {3}  # anything else loses


def test_of_proven_wins_only_the_quickest_and_of_losses_only_the_slowest():
    search = searched(CONNECT4, "414252", 5000)  # three in a row, open on both sides
    root = analyse(search)
    assert root.proven and root.value == 1
    proven = {move.action: move.plies for move in root.moves if move.proven and move.value == 1}
    assert set(alternatives(search)) == {action for action, plies in proven.items() if plies == root.plies}


def test_all_drawing_moves_of_a_proven_draw():
    search = searched(TICTACTOE, "", 20_000)
    root = analyse(search)
    assert root.proven and root.value == 0
    assert len(alternatives(search)) == len([m for m in root.moves if m.proven and m.value == 0]) > 1


def test_without_simulations_by_the_prior():
    search = searched(CONNECT4, simulations=0, evaluator=Priors(0.1, 0.24, 0.25, 0.1, 0.1, 0.11, 0.1))
    assert alternatives(search) == pytest.approx({1: 24 / 49, 2: 25 / 49}, abs=1e-6)
    nothing = searched(CONNECT4, simulations=0, evaluator=Priors(*[0.0] * 7))
    assert len(alternatives(nothing)) >= 1


def test_every_alternative_is_drawn_in_its_share():
    search = searched(CONNECT4, "44", proofs=False)
    drawn, chance = alternatives(search), random.Random(0)
    counts = Counter(varied_move(search, chance) for _ in range(4000))
    assert set(counts) == set(drawn) and len(drawn) > 1
    for action, share in drawn.items():
        assert counts[action] / 4000 == pytest.approx(share, abs=0.04)


def test_a_player_repeats_itself_unless_given_chance():
    def games(chance):
        player = SearchPlayer(
            "p", TICTACTOE, Uniform(TICTACTOE), SearchParameters(simulations=60), chance=chance
        )
        return {tuple(player.choose({0: TICTACTOE.start()}).values()) for _ in range(30)}

    assert len(games(None)) == 1
    assert len(games(random.Random(0))) > 1
