"""Chance: root noise, and moves sampled by visits. Everywhere else the search is deterministic."""

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from nought.config import Choice, NoiseInto, SearchParameters, SelfPlayParameters
from nought.games import Position
from nought.search import Search, Uniform
from nought.search.analysis import root
from nought.search.memory import RANDOM
from tests.search.support import Hashed, nodes_below, random_positions, searched, start, state_of, visits

NOISY = SearchParameters(simulations=60, noise=True, noise_share=0.25, noise_alpha=1.0, cache=0)


def priors(search: Search, g: int = 0) -> NDArray[np.float64]:
    return np.array([edge.prior for edge in root(search, g).edges])


def policy_of(evaluator: Hashed, position: Position) -> NDArray[np.float64]:
    weights = np.array(evaluator.of(position)[0])[position.legal]
    return weights / weights.sum()


def test_root_noise_is_a_mixture_drawn_once_for_the_whole_search() -> None:
    position = start("connect4")
    evaluator = Hashed(position.game)
    search = Search(position.game, NOISY)
    search.begin(0, position.state)
    search.answer(*evaluator(search.advance()))
    search.answer(*evaluator(search.advance()))
    mixed = priors(search)
    noise = (mixed - 0.75 * policy_of(evaluator, position)) / 0.25
    assert noise.min() > -1e-6 and noise.sum() == pytest.approx(1, abs=1e-5)
    assert noise.std() > 0.01
    search.run(evaluator)
    assert np.array_equal(priors(search), mixed)


def test_noise_reaches_only_the_root_and_is_drawn_again_for_the_next_move() -> None:
    position = start("connect4")
    evaluator = Hashed(position.game)
    search = searched(position, NOISY, evaluator)
    for node in nodes_below(root(search)):
        if node.visits and node != root(search):
            below = Position(position.game, state_of(search, node))
            assert [e.prior for e in node.edges] == pytest.approx(policy_of(evaluator, below), abs=1e-6)
    following = position.play(search.decide(0)[0])
    search.begin(0, following.state)
    search.run(evaluator)
    noise = (priors(search) - 0.75 * policy_of(evaluator, following)) / 0.25
    assert noise.min() > -1e-6 and noise.sum() == pytest.approx(1, abs=1e-5)
    assert noise.std() > 0.01


@pytest.mark.parametrize("sampled", [0, 9])
def test_noise_in_the_move_leaves_search_and_policy_alone(sampled: int) -> None:
    position = start("tictactoe")
    evaluator = Hashed(position.game)
    plain = searched(position, dataclasses.replace(NOISY, noise=False), evaluator)
    wanted = plain.decide(0)[1]
    parameters = dataclasses.replace(NOISY, noise_into=NoiseInto.MOVE, sampled_moves=sampled, noise_share=0.9)
    search = searched(position, parameters, evaluator)
    assert np.array_equal(priors(search), priors(plain))
    moves = set()
    for _ in range(50):
        move, policy = search.decide(0)
        assert np.array_equal(policy, wanted)
        moves.add(move)
    assert len(moves) > 6  # nine are as good for the noise; visits alone have one answer


def test_a_little_noise_in_the_move_hardly_ever_overrules_the_visits() -> None:
    position = start("tictactoe")
    evaluator = Hashed(position.game)
    parameters = dataclasses.replace(NOISY, noise_into=NoiseInto.MOVE, noise_share=1e-6)
    search = searched(position, parameters, evaluator)
    counted = visits(search)
    assert {search.decide(0)[0] for _ in range(20)} <= {
        m for m in counted if counted[m] == max(counted.values())
    }


@pytest.mark.parametrize("off", [{"noise": False}, {"noise_share": 0.0}])
def test_without_noise_the_prior_is_the_policy_and_no_chance_is_used(off: dict[str, float]) -> None:
    position = start("connect4")
    evaluator = Hashed(position.game)
    search = Search(position.game, dataclasses.replace(NOISY, **off))
    stream = search.blocks[0, RANDOM : RANDOM + np.uint64(2)].tolist()
    search.begin(0, position.state)
    search.run(evaluator)
    search.decide(0)
    assert priors(search) == pytest.approx(policy_of(evaluator, position))
    assert search.blocks[0, RANDOM : RANDOM + np.uint64(2)].tolist() == stream


def test_the_seed_decides_the_noise() -> None:
    position = start("tictactoe")
    drawn = [priors(searched(position, NOISY, seed=seed)).tolist() for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize("alpha", [0.03, 0.3, 1.0, 10.0])
def test_noise_is_dirichlet_distributed(alpha: float) -> None:
    game = start("tictactoe").game
    parameters = SearchParameters(simulations=0, noise=True, noise_share=1.0, noise_alpha=alpha, cache=0)
    search = Search(game, parameters, 4000)
    search.begin_games()
    search.run(Uniform(game))
    drawn = np.array([priors(search, g) for g in range(4000)])
    assert np.isfinite(drawn).all() and drawn.min() >= 0
    assert drawn.sum(axis=1) == pytest.approx(np.ones(4000), abs=1e-5)
    expected = np.random.default_rng(0).dirichlet([alpha] * 9, 4000)
    assert drawn.mean(axis=0) == pytest.approx(np.full(9, 1 / 9), abs=0.025)
    assert drawn.std() == pytest.approx(expected.std(), rel=0.03)
    share = np.linspace(0.05, 0.95, 19)
    largest, expected_largest = drawn.max(axis=1), expected.max(axis=1)
    assert np.quantile(largest, share) == pytest.approx(np.quantile(expected_largest, share), abs=0.03)


# ---- which move ------------------------------------------------------------------------------------------
def test_without_sampling_the_most_visited_move_is_played() -> None:
    game = start("connect4").game
    evaluator = Hashed(game)
    for position in random_positions(game, 40):
        search = searched(position, SearchParameters(simulations=30, proofs=False, cache=0), evaluator)
        best = max(root(search).edges, key=lambda edge: (edge.visits, edge.value, edge.prior))
        assert {search.decide(0)[0] for _ in range(5)} == {best.action}


@pytest.mark.parametrize("temperature", [0.25, 1.0, 3.0])
def test_sampled_moves_follow_visits_to_the_power_of_one_over_the_temperature(temperature: float) -> None:
    position = start("connect4")
    parameters = SearchParameters(
        simulations=60, c_puct=4.0, sampled_moves=1, temperature=temperature, cache=0
    )
    search = searched(position, parameters, Hashed(position.game))
    weights = np.array(list(visits(search).values())) ** (1 / temperature)
    draws = 20_000
    counts = np.zeros(7)
    for _ in range(draws):
        counts[search.decide(0)[0]] += 1
    expected = draws * weights / weights.sum()
    often = expected > 5
    chi_square = ((counts - expected) ** 2 / expected)[often].sum()
    assert chi_square < 30  # 6 degrees of freedom: one in 25,000
    assert counts[~often].sum() < 50


def test_the_policy_is_never_tempered() -> None:
    position = start("connect4")
    for temperature in (0.1, 1.0, 5.0):
        parameters = SearchParameters(simulations=60, sampled_moves=99, temperature=temperature, cache=0)
        search = searched(position, parameters, Hashed(position.game))
        _, policy = search.decide(0)
        assert policy == pytest.approx(np.array(list(visits(search).values())) / 60)


def test_the_policy_in_the_log_is_never_tempered() -> None:
    game = start("connect4").game
    first: list[NDArray[np.float32]] = []
    for temperature in (0.1, 5.0):
        parameters = SearchParameters(simulations=60, sampled_moves=99, temperature=temperature, cache=0)
        search = Search(game, parameters, self_play=SelfPlayParameters(opening_share=0), log_rows=1)
        search.begin_games()
        search.run(Hashed(game))
        first.append(search.take_log().policy[0])
    plain = searched(game.start(), SearchParameters(simulations=60, cache=0), Hashed(game))
    assert first[0].tolist() == first[1].tolist() == plain.decide(0)[1].tolist()


def test_sampling_counts_plies() -> None:
    position = start("connect4", [3, 3, 2])
    parameters = SearchParameters(simulations=40, c_puct=4.0, sampled_moves=3, cache=0)
    for ply, sampled in ((0, True), (2, True), (3, False), (9, False)):
        search = Search(position.game, parameters)
        search.begin(0, position.state, ply)
        search.run(Hashed(position.game))
        assert (len({search.decide(0)[0] for _ in range(60)}) > 1) == sampled


def test_temperature_zero_and_gumbel_are_not_sampled() -> None:
    position = start("connect4")
    for changes in ({"temperature": 0.0}, {"choice": Choice.GUMBEL}):
        parameters = SearchParameters(simulations=40, c_puct=4.0, sampled_moves=99, cache=0)
        search = searched(position, dataclasses.replace(parameters, **changes), Hashed(position.game))
        assert len({search.decide(0)[0] for _ in range(60)}) == 1


def test_sampling_chooses_no_refuted_move_and_of_a_proven_root_only_its_best() -> None:
    game = start("tictactoe").game
    parameters = SearchParameters(simulations=80, sampled_moves=99, temperature=5.0, cache=0)
    for position in random_positions(game, 60, seed=3):
        search = searched(position, parameters, Hashed(game))
        node = root(search)
        if node.plies is None:
            allowed = {edge.action for edge in node.edges if not edge.refuted}
        else:
            allowed = {edge.action for edge in node.edges if edge.proven and edge.value == node.value}
        assert {search.decide(0)[0] for _ in range(30)} <= allowed
