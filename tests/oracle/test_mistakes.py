"""Mistakes found by perfect play."""

import pytest

from nought.games import load
from nought.games.notation import parse_moves
from nought.oracle.exhaustive import Exhaustive
from nought.oracle.mistakes import Mistake, mistakes

CORNER, EDGE, CENTRE = 0, 1, 4


@pytest.fixture(scope="module")
def tictactoe():
    game = load("tictactoe")
    return game, Exhaustive(game)


def judged(tictactoe, text):
    game, oracle = tictactoe
    return mistakes(oracle, game, parse_moves(game, text))


def test_a_game_without_a_mistake(tictactoe):
    assert judged(tictactoe, "a1 b2 c3 b1 b3 a3 c1 c2 a2") == (1, [])


def test_an_edge_against_a_corner_loses_a_draw_and_the_punishment_can_be_missed(tictactoe):
    first, [lost, missed] = judged(tictactoe, "a1 b1 b3")
    assert first == 1
    assert lost == Mistake(2, 1, EDGE, (CENTRE,), 0, -1)  # only the centre draws against a corner
    assert (missed.number, missed.player, missed.before, missed.after) == (3, 0, 1, 0)
    assert CENTRE in missed.kept


def test_only_what_the_oracle_knows_is_judged(tictactoe):
    game, _ = tictactoe
    moves = parse_moves(game, "a1 b1 b3 b2")
    near_the_end = Exhaustive(game, limit=300)
    first, found = mistakes(near_the_end, game, moves)
    assert first == 1 + next(i for i in range(4) if near_the_end.knows(game.position(moves[:i])))
    assert 1 < first <= 4 and all(mistake.number >= first for mistake in found)


def test_no_moves_no_mistakes(tictactoe):
    assert judged(tictactoe, "") == (1, [])
