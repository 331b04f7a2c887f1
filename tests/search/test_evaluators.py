"""Evaluators: random play, nothing known, and answers that are none."""

import numpy as np
import pytest
from numpy.typing import NDArray

from nought.config import SearchParameters
from nought.errors import NoughtError
from nought.games import Position, load
from nought.search import Rollout, Search, Uniform
from nought.search.evaluator import BadEvaluation
from tests.search.support import random_positions, start, states_of

Floats = NDArray[np.float32]


def test_uniform_knows_nothing() -> None:
    positions = random_positions(load("connect4"), 3)
    policy, value = Uniform(positions[0].game)(states_of(positions))
    assert policy.tolist() == [[1] * 7] * 3 and value.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("name", "moves"),
    [("tictactoe", [0, 1, 2, 6, 3]), ("dots-and-boxes:2x2", [0, 1, 2, 5, 4, 9, 11])],
)
def test_rollouts_have_the_odds_of_random_play_for_the_player_to_move(name: str, moves: list[int]) -> None:
    position = start(name, moves)
    assert position.player == 1
    states = np.repeat(position.state[None], 6000, axis=0)
    before = states.copy()
    _, value = Rollout(position.game, seed=7)(states)
    assert np.array_equal(states, before)
    assert set(value.tolist()) <= {-1.0, 0.0, 1.0}
    assert value.mean() == pytest.approx(-expectation(position), abs=0.04)


def expectation(position: Position) -> float:
    """For player 0, if both play at random."""
    if position.finished:
        return position.result
    return float(np.mean([expectation(position.play(move)) for move in position.legal]))


class Answers:
    """Always the same policy and value."""

    def __init__(self, policy: list[float], value: float) -> None:
        self.policy, self.value = policy, value

    def __call__(self, states: NDArray[np.int8]) -> tuple[Floats, Floats]:
        return np.tile(np.float32(self.policy), (len(states), 1)), np.full(
            len(states), self.value, np.float32
        )


EVEN = [1.0] * 9


@pytest.mark.parametrize(
    ("policy", "value", "says"),
    [
        (EVEN, np.nan, "a value of nan; values are from -1 to 1"),
        (EVEN, 1.01, "a value of 1.01; values are from -1 to 1"),
        (EVEN, -np.inf, "a value of -inf"),
        ([*EVEN[:8], np.nan], 0.0, "a policy with weights whose sum is nan"),
        ([*EVEN[:8], np.inf], 0.0, "a policy with weights whose sum is inf"),
        ([*EVEN[:8], -0.5], 0.0, "a policy with a negative weight -0.5"),
    ],
)
@pytest.mark.parametrize("compilable", [True, False])
def test_what_no_evaluator_may_answer(policy: list[float], value: float, says: str, compilable: bool) -> None:
    game = load("tictactoe")
    game.compilable = compilable
    search = Search(game, SearchParameters(simulations=8), 2)
    search.begin_games()
    with pytest.raises(BadEvaluation, match=says) as caught:
        search.run(Answers(policy, value))
    assert isinstance(caught.value, NoughtError) and isinstance(caught.value, ValueError)


def test_rounding_is_no_mistake() -> None:
    search = Search(load("tictactoe"), SearchParameters(simulations=8))
    search.begin_games()
    search.run(Answers([0.0] * 9, 1.0005))  # and no weights at all are even ones
    assert search.decide(0)[1].sum() == pytest.approx(1)
