"""Gumbel search (Danihelka et al., Policy improvement by planning with Gumbel, 2022)."""

import math

import numpy as np
import pytest

from nought.config import Choice, SearchParameters
from nought.search import Search
from nought.search.analysis import root
from nought.search.search import halving_table
from tests.search.support import Hashed, searched, start, visits
from tests.search.tiny import Table, at


@pytest.mark.parametrize(
    ("considered", "simulations", "sequence"),
    [
        # one move: all simulations go to it
        (1, 4, [0, 1, 2, 3]),
        # one round of 2 moves, 5 // 2 = 2 simulations each; the one left over goes on with both
        (2, 5, [0, 0, 1, 1, 2]),
        # ⌈log2 3⌉ = 2 rounds: 3 moves once (6 // (2 · 3)), then 2 moves once (6 // (2 · 2)), and again
        (3, 6, [0, 0, 0, 1, 1, 2]),
        # 2 rounds: 4 moves once (8 // (2 · 4)), then 2 moves twice (8 // (2 · 2))
        (4, 8, [0, 0, 0, 0, 1, 1, 2, 2]),
        # 3 rounds, too few simulations for one each in the first: the table is cut short
        (8, 6, [0, 0, 0, 0, 0, 0]),
        # 4 rounds: 16 moves once, 8 once, 4 twice
        (16, 32, [0] * 16 + [1] * 8 + [2] * 4 + [3] * 4),
    ],
)
def test_halving_table_is_the_sequence_worked_out_by_hand(considered, simulations, sequence) -> None:
    assert halving_table(considered, simulations)[considered].tolist() == sequence


def test_halving_gives_most_simulations_to_the_best_of_the_considered_moves() -> None:
    position = start("connect4")
    evaluator = Hashed(position.game)
    parameters = SearchParameters(simulations=8, choice=Choice.GUMBEL, considered=4, cache=0)
    search = searched(position, parameters, evaluator)
    # four moves are considered: those of the largest prior; two of them by their logits after one simulation
    policy, _ = evaluator.of(position)
    considered = sorted(range(7), key=lambda a: policy[a])[-4:]
    first_value = {a: -evaluator.of(position.play(a))[1] for a in considered}
    logit = {a: math.log(policy[a]) + 51 * (first_value[a] + 1) / 2 for a in considered}
    best = sorted(considered, key=lambda a: logit[a])[-2:]
    assert visits(search) == {a: 3 if a in best else int(a in considered) for a in range(7)}
    assert search.decide(0)[0] in best


def test_gumbel_noise_decides_what_is_considered() -> None:
    position = start("connect4")
    evaluator = Hashed(position.game)
    parameters = SearchParameters(simulations=2, choice=Choice.GUMBEL, considered=2, noise=True, cache=0)
    seen = set()
    for seed in range(20):
        search = searched(position, parameters, evaluator, seed)
        noise = search.floats[int(search.layout.blocks + search.layout.gumbel) :][:7]
        scores = noise + [math.log(edge.prior) for edge in root(search).edges]
        considered = tuple(sorted(np.argsort(scores)[-2:].tolist()))
        assert tuple(a for a, n in visits(search).items() if n) == considered
        seen.add(considered)
    assert len(seen) > 3


def test_gumbel_noise_is_gumbel_distributed() -> None:
    game = start("tictactoe").game
    search = Search(game, SearchParameters(simulations=1, choice=Choice.GUMBEL, noise=True, cache=0), 5000)
    search.begin_games()
    search.answer(*Hashed(game)(search.advance()))
    search.advance()
    noise = np.array([search.floats[b : b + 9] for b in _places(search)])
    share = np.linspace(0.05, 0.95, 19)
    assert np.quantile(noise, share) == pytest.approx(-np.log(-np.log(share)), abs=0.1)


def _places(search: Search) -> list[int]:
    first = int(search.layout.blocks + search.layout.gumbel)
    return [first + g * int(search.layout.block) for g in range(search.games)]


def test_halving_counts_the_simulations_of_this_search_only() -> None:
    position = start("connect4")
    evaluator = Hashed(position.game)
    parameters = SearchParameters(simulations=64, choice=Choice.GUMBEL, considered=4, cache=0)
    search = searched(position, parameters, evaluator)
    search.begin(0, position.play(search.decide(0)[0]).state)
    before = list(visits(search).values())
    assert sum(before) == 23  # of the 24 of the move played
    search.run(evaluator)
    here = np.array(list(visits(search).values())) - before
    # 2 rounds: 4 moves 8 times (64 // (2 · 4)), then 2 moves 16 times (64 // (2 · 2))
    assert sorted(here.tolist()) == [0, 0, 0, 8, 8, 24, 24]
    assert search.decide(0)[0] in np.flatnonzero(here == 24)


# `fork`: P (0.75, 0.25), own value 0.5; the values of left and right are for the other player.
FORK = {"fork": ((0.75, 0.25), 0.5), "left": ((0.5, 0.5), 0.3125), "right": ((0.5, 0.5), -0.75)}
SCALE_ONE = {"c_visit": 1.0, "c_scale": 0.5}  # (c_visit + max N) · c_scale = 1 after one simulation of a move


@pytest.mark.parametrize(
    ("simulations", "completed"),
    [
        # after left: right, never tried, gets the mixed value (0.5 + 1 · -0.3125) / (1 + 1)
        (1, (-0.3125, 0.09375)),
        (2, (-0.3125, 0.75)),
    ],
)
def test_the_policy_is_the_softmax_of_logits_and_completed_values(simulations, completed) -> None:
    parameters = SearchParameters(
        simulations=simulations, choice=Choice.GUMBEL, considered=2, proofs=False, cache=0, **SCALE_ONE
    )
    search = searched(at("fork"), parameters, Table(FORK))
    # softmax(log P + σ(Q)), σ(q) = 1 · (q + 1) / 2
    weights = [p * math.exp((q + 1) / 2) for p, q in zip((0.75, 0.25), completed, strict=True)]
    _, policy = search.decide(0)
    assert policy[:2] == pytest.approx(np.array(weights) / sum(weights), abs=1e-6)
    assert policy[2] == 0


def test_a_move_of_the_improved_policy_is_followed_below_the_root() -> None:
    # left: P (0.25, 0.75) and nothing tried, so both have the same completed value, and the improved policy is
    # P: first left1, P - 0 = 0.75. It is worth 0.5 to player 1, whose σ is 51 · (0.5 + 1) / 2, and the mixed
    # value is (0 + 0.5) / 2: the next simulation goes there again.
    evaluator = Table({"left": ((0.25, 0.75), 0.0), "left1": ((1.0,), -0.5)})
    parameters = SearchParameters(simulations=3, choice=Choice.GUMBEL, considered=1, proofs=False, cache=0)
    search = searched(at("fork"), parameters, evaluator)
    left = root(search).edges[0].child
    assert visits(search) == {0: 3, 1: 0}
    assert [edge.visits for edge in left.edges] == [0, 2]


def test_gumbel_plays_the_same_move_from_the_same_seed() -> None:
    position = start("connect4")
    parameters = SearchParameters(simulations=16, choice=Choice.GUMBEL, noise=True, cache=0)
    chosen = [
        searched(position, parameters, Hashed(position.game), seed).decide(0)[0]
        for seed in (*range(8), *range(8))
    ]
    assert chosen[:8] == chosen[8:]
    assert len(set(chosen)) > 1
