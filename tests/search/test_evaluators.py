"""Evaluators: symmetries averaged, random play, nothing known."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from nought.config import SearchParameters
from nought.errors import NoughtError
from nought.games import Position, load
from nought.search import FromPlanes, Rollout, Search, Uniform
from nought.search.evaluator import BadEvaluation
from tests.search.support import random_positions, start

Floats = NDArray[np.float32]


class Network:
    """Any function of the planes, without symmetry of its own."""

    def __init__(self, actions: int, planes: tuple[int, ...]) -> None:
        random = np.random.default_rng(4)
        self.weights = random.normal(size=(int(np.prod(planes)), actions + 1))

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        answer = np.tanh(planes.reshape(len(planes), -1) @ self.weights).astype(np.float32)
        return np.exp(answer[:, :-1]), answer[:, -1]


def states_of(positions: list[Position]) -> NDArray[np.integer]:
    return np.array([position.state for position in positions])


def by_hand(position: Position, network: Network) -> list[tuple[Floats, float]]:
    """The network's answer to the position as each symmetry shows it, turned back."""
    answers = []
    _, rows, columns = position.game.planes_shape
    for symmetry in position.game.symmetries:
        planes = position.planes()
        turned = np.zeros_like(planes)
        for cell in range(rows * columns):
            to = int(symmetry.cells[cell])
            turned[:, to // columns, to % columns] = planes[:, cell // columns, cell % columns]
        policy, value = network(turned[None])
        back = np.array([policy[0, symmetry.actions[a]] for a in range(position.game.actions)])
        answers.append((back, float(value[0])))
    return answers


@pytest.mark.parametrize(("name", "count"), [("tictactoe", 8), ("connect4", 2), ("dots-and-boxes:2x2", 8)])
def test_all_symmetries_give_the_mean_worked_out_by_hand(name: str, count: int) -> None:
    game = load(name)
    network = Network(game.actions, game.planes_shape)
    positions = random_positions(game, 10)
    policy, value = FromPlanes(game, network, symmetries=8)(states_of(positions))
    for i, position in enumerate(positions):
        answers = by_hand(position, network)
        assert len(answers) == count
        assert policy[i] == pytest.approx(np.mean([p for p, _ in answers], axis=0), abs=1e-5)
        assert value[i] == pytest.approx(np.mean([v for _, v in answers]), abs=1e-5)


def test_with_all_symmetries_a_turned_position_gets_the_turned_answer() -> None:
    game = load("tictactoe")
    evaluator = FromPlanes(game, Network(9, game.planes_shape), symmetries=8)
    for position in random_positions(game, 10):
        policy, value = evaluator(position.state[None])
        for symmetry in game.symmetries:
            turned = game.position(symmetry.actions[move] for move in position.moves)
            turned_policy, turned_value = evaluator(turned.state[None])
            assert turned_policy == pytest.approx(symmetry.apply_policy(policy), abs=1e-5)
            assert turned_value == pytest.approx(value, abs=1e-5)


def test_some_symmetries_are_distinct_and_drawn_anew() -> None:
    position = start("tictactoe", [0, 5, 7])
    network = Network(9, position.game.planes_shape)
    evaluator = FromPlanes(position.game, network, symmetries=3, seed=1)
    values = [value for _, value in by_hand(position, network)]
    means = {round(float(np.mean(three)), 4) for three in combinations(values, 3)}
    seen = {round(float(evaluator(position.state[None])[1][0]), 4) for _ in range(40)}
    assert seen <= means
    assert len(seen) > 10


def test_without_symmetries_the_network_sees_the_position_as_it_is() -> None:
    positions = random_positions(load("tictactoe"), 20)
    network = Network(9, (2, 3, 3))
    policy, value = FromPlanes(positions[0].game, network)(states_of(positions))
    expected = network(np.array([position.planes() for position in positions]))
    assert np.array_equal(policy, expected[0]) and np.array_equal(value, expected[1])


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
