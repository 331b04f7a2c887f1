"""Searches worked out by hand on the tiny game, in which the papers' N, W, Q, P and U fit into a comment.

W is the sum of a move's values, Q = W / N; the kernels keep N and Q.
"""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nought.config import Choice, SearchParameters
from nought.games import Position, load
from nought.search import Search
from nought.search.analysis import Node, root
from tests.search.support import formula, nodes_below, searched
from tests.search.tiny import Table, at

PLAIN = SearchParameters(c_puct=2.0, proofs=False, cache=0)
# `fork` and what follows. The values of left and right are for player 1, those below them for player 0.
FORK = {
    "fork": ((0.75, 0.25), 0.5),
    "left": ((0.25, 0.75), 0.3125),
    "right": ((0.5, 0.5), -0.75),
    "left1": ((1.0,), -0.5),
    "right0": ((1.0,), 0.25),
}


def after(choice: Choice, c_puct: float, simulations: int) -> Node:
    parameters = SearchParameters(
        simulations=simulations, choice=choice, c_puct=c_puct, proofs=False, cache=0
    )
    return root(searched(at("fork"), parameters, Table(FORK)))


def check(node: Node, n: tuple[int, int], w: tuple[float, float], value: float) -> None:
    assert [edge.visits for edge in node.edges] == list(n)
    assert [edge.visits * edge.value for edge in node.edges] == pytest.approx(w, abs=1e-6)
    assert node.value == pytest.approx(value, abs=1e-6)


# Selection: the largest Q + U, ties to the larger P, then to the lower move.
# A leaf's value v is added to W as -v where the player to move changes (fork: 0, left, right: 1, below: 0).
# The root's value is its own 0.5 and all of W, divided by 1 + ΣN.
PUCT = [
    # U = 2 P √ΣN / (1 + N)
    # ΣN 0: Q (0, 0)            U (0, 0)               tie, larger P: left, v 0.3125
    ((1, 0), (-0.3125, 0.0), (0.5 - 0.3125) / 2),
    # ΣN 1: Q (-0.3125, 0)      U (0.75, 0.5)          0.4375 < 0.5: right, v -0.75
    ((1, 1), (-0.3125, 0.75), (0.5 - 0.3125 + 0.75) / 3),
    # ΣN 2: Q (-0.3125, 0.75)   U (1.0607, 0.3536)     0.748 < 1.104: right, tie there: right0, v 0.25
    ((1, 2), (-0.3125, 1.0), (0.5 - 0.3125 + 1.0) / 4),
    # ΣN 3: Q (-0.3125, 0.5)    U (1.2990, 0.2887)     0.987 > 0.789: left, larger P there: left1, v -0.5
    ((2, 2), (-0.8125, 1.0), (0.5 - 0.8125 + 1.0) / 5),
    # ΣN 4: Q (-0.40625, 0.5)   U (1, 0.3333)          0.594 < 0.833: right, there Q (-0.25, 0) and
    #                                                  U (0.5, 1): right1, v 0
    ((2, 3), (-0.8125, 1.0), (0.5 - 0.8125 + 1.0) / 6),
]
PUCT_PLUS_ONE = [
    # U = 2 P √(1 + ΣN) / (1 + N)
    # Q (0, 0)                  U (1.5, 0.5)           left, v 0.3125
    ((1, 0), (-0.3125, 0.0), (0.5 - 0.3125) / 2),
    # Q (-0.3125, 0)            U (1.0607, 0.7071)     0.748 > 0.707: left, there U (0.5, 1.5): left1, v -0.5
    ((2, 0), (-0.8125, 0.0), (0.5 - 0.8125) / 3),
    # Q (-0.40625, 0)           U (0.8660, 0.8660)     right, v -0.75
    ((2, 1), (-0.8125, 0.75), (0.5 - 0.8125 + 0.75) / 4),
    # Q (-0.40625, 0.75)        U (1, 0.5)             0.594 < 1.25: right, tie there: right0, v 0.25
    ((2, 2), (-0.8125, 1.0), (0.5 - 0.8125 + 1.0) / 5),
]
UCB1 = [
    # U = √(ln ΣN / (1 + N)); every move once, in order: left, v 0.3125 …
    ((1, 0), (-0.3125, 0.0), (0.5 - 0.3125) / 2),
    # … and right, v -0.75
    ((1, 1), (-0.3125, 0.75), (0.5 - 0.3125 + 0.75) / 3),
    # Q (-0.3125, 0.75)         U (0.5887, 0.5887)     right, there the first: right0, v 0.25
    ((1, 2), (-0.3125, 1.0), (0.5 - 0.3125 + 1.0) / 4),
    # Q (-0.3125, 0.5)          U (0.7412, 0.6052)     0.429 < 1.105: right, there the second: right1, v 0
    ((1, 3), (-0.3125, 1.0), (0.5 - 0.3125 + 1.0) / 5),
    # Q (-0.3125, 0.3333)       U (0.8326, 0.5887)     0.520 < 0.922: right, there Q (-0.25, 0) and equal U:
    #                                                  right1, from there the even end
    ((1, 4), (-0.3125, 1.0), (0.5 - 0.3125 + 1.0) / 6),
]


@pytest.mark.parametrize(
    ("choice", "c_puct", "steps"),
    [(Choice.PUCT, 2.0, PUCT), (Choice.PUCT_PLUS_ONE, 2.0, PUCT_PLUS_ONE), (Choice.UCB1, 1.0, UCB1)],
)
def test_every_step_is_the_one_worked_out_by_hand(choice: Choice, c_puct: float, steps: list) -> None:
    for simulations, (n, w, value) in enumerate(steps, start=1):
        check(after(choice, c_puct, simulations), n, w, value)


def test_the_prior_is_the_evaluators_policy_over_legal_moves() -> None:
    # `left` has two of three moves; weights 1, 3 and, for the illegal one, 100
    node = root(searched(at("left"), PLAIN, Table({"left": ((1.0, 3.0, 100.0), 0.0)})))
    assert [edge.prior for edge in node.edges] == [0.25, 0.75]


def test_a_policy_of_zeros_is_taken_as_even() -> None:
    node = root(searched(at("left"), PLAIN, Table({"left": ((0.0, 0.0, 1.0), 0.0)})))
    assert [edge.prior for edge in node.edges] == [0.5, 0.5]


# ---- two orders of moves, one position --------------------------------------------------------------------
# diamond: near and far alike, both lead to `both` (value 0.5 for player 0, to move there); puct+1, c 2.
#   1  near, v 0                                   2  far, v 0
#   3  near → both, v 0.5                          N(near, both) 1, Q -0.5; V(near) -0.25
#   4  far → both, known: no evaluation            N(far, both) 1, Q -0.5; V(far) -0.25
#   5  near → both → both0, v 0.75 for player 1    V(both) (0.5 - 0.75) / 2 = -0.125
#                                                  N(near, both) 2, Q 0.125; V(near) 0.25 / 3
#   6  far → both → both1, v 0                     V(both) (0.5 - 0.75 + 0) / 3 = -0.08333
#      far has seen Q = 0.125 on its way down; now N(far, both) 2, Q 0.08333; V(far) 0.16667 / 3
DIAMOND = {
    "near": ((0.9, 0.1), 0.0),
    "far": ((0.9, 0.1), 0.0),
    "both": ((0.5, 0.5), 0.5),
    "both0": ((1.0,), 0.75),
}


def diamond(simulations: int) -> tuple[Search, Table]:
    evaluator = Table(DIAMOND)
    parameters = SearchParameters(simulations=simulations, c_puct=2.0, proofs=False, cache=0)
    return searched(at("diamond"), parameters, evaluator), evaluator


def test_two_orders_of_moves_reach_one_node() -> None:
    search, evaluator = diamond(4)
    near, far = (edge.child for edge in root(search).edges)
    assert near.edges[0].child == far.edges[0].child
    assert evaluator.asked == ["diamond", "near", "far", "both"]
    assert search.counters()["from_graph"] == 1


def test_only_the_edges_to_a_common_node_are_marked_shared() -> None:
    search, _ = diamond(3)
    assert not any(edge.shared for node in nodes_below(root(search)) for edge in node.edges)
    search, _ = diamond(4)
    near, far = (edge.child for edge in root(search).edges)
    assert [edge.shared for edge in (*near.edges, *far.edges)] == [True, False, True, False]
    assert not any(edge.shared for edge in root(search).edges)


def test_both_parents_of_a_node_take_over_its_value() -> None:
    search, _ = diamond(4)
    near, far = (edge.child for edge in root(search).edges)
    assert (near.value, far.value) == (-0.25, -0.25)
    search, _ = diamond(5)
    near, far = (edge.child for edge in root(search).edges)
    assert near.edges[0].child.value == pytest.approx(-0.125)
    assert near.value == pytest.approx(0.25 / 3)
    assert far.value == -0.25  # until a simulation passes there
    search, _ = diamond(6)
    near, far = (edge.child for edge in root(search).edges)
    assert far.edges[0].value == pytest.approx(0.25 / 3)
    assert far.value == pytest.approx(0.5 / 9)
    assert root(search).value == pytest.approx((0 - 3 * 0.25 / 3 - 3 * 0.5 / 9) / 7)


@pytest.mark.parametrize("simulations", [40, 400])
def test_the_formula_holds_at_every_node_of_a_graph(simulations: int) -> None:
    search, _ = diamond(simulations)
    for node in nodes_below(root(search)):
        assert node.value == pytest.approx(formula(node), abs=1e-5)
        assert node.visits == 1 + sum(edge.visits for edge in node.edges)
    near, far = (edge.child for edge in root(search).edges)
    for parent in (near, far):  # the later visit's is exact, the other's one visit older
        assert parent.edges[0].value == pytest.approx(-near.edges[0].child.value, abs=0.1)


# ---- the same player moves three times --------------------------------------------------------------------
def test_values_flip_only_where_the_mover_changes() -> None:
    # run1, run2, run3: player 0 to move; after: player 1, v 0.75
    #   1  run2:   V(run1) (0.5 + 0.25) / 2
    #   2  run3:   V(run2) (0.25 + 0.125) / 2 = 0.1875       V(run1) (0.5 + 2 · 0.1875) / 3
    #   3  after:  V(run3) (0.125 - 0.75) / 2 = -0.3125      V(run2) (0.25 - 2 · 0.3125) / 3 = -0.125
    #                                                        V(run1) (0.5 - 3 · 0.125) / 4
    evaluator = Table(
        {"run1": ((1.0,), 0.5), "run2": ((1.0,), 0.25), "run3": ((1.0,), 0.125), "after": ((1.0,), 0.75)}
    )
    for simulations, value in enumerate([0.375, 0.875 / 3, 0.125 / 4], start=1):
        parameters = SearchParameters(simulations=simulations, proofs=False, cache=0)
        search = searched(at("run1"), parameters, evaluator)
        assert root(search).value == pytest.approx(value)
    run2 = root(search).edges[0].child
    run3 = run2.edges[0].child
    assert [node.player for node in (root(search), run2, run3, run3.edges[0].child)] == [0, 0, 0, 1]
    assert (run3.value, run3.edges[0].value) == (-0.3125, -0.75)
    assert (run2.value, run2.edges[0].value) == (-0.125, -0.3125)
    assert root(search).edges[0].value == -0.125


def test_dots_and_boxes_values_flip_only_where_the_mover_changes() -> None:
    # Edges of 2×2 boxes: 0 1 / 2 3 4 / 5 6 / 7 8 9 / 10 11. Drawing 3, 6 and 8 closes a box each time; then 7
    # closes none, and the opponent has the last box.
    line = [load("dots-and-boxes:2x2").position([0, 1, 2, 4, 5, 9, 11])]
    moves = [3, 6, 8, 7]
    for move in moves:
        line.append(line[-1].play(move))
    assert [position.player for position in line] == [1, 1, 1, 1, 0]
    own = [0.5, 0.25, 0.125, -0.25, 0.5]

    def evaluator(states: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        depth = [line.index(Position(line[0].game, state)) for state in states]
        policy = np.zeros((len(states), 12), np.float32)
        policy[range(len(states)), [(*moves, 10)[d] for d in depth]] = 1
        return policy, np.array([own[d] for d in depth], np.float32)

    search = searched(line[0], SearchParameters(simulations=4, proofs=False, cache=0), evaluator)
    # V = (own + N·Q) / (1 + N); N is how many simulations went on from there, Q = V(child), but -V of the last
    v4 = 0.5
    v3 = (-0.25 + 1 * -v4) / 2
    v2 = (0.125 + 2 * v3) / 3
    v1 = (0.25 + 3 * v2) / 4
    v0 = (0.5 + 4 * v1) / 5
    node = root(search)
    for value, child_value, move in zip([v0, v1, v2, v3], [v1, v2, v3, -v4], moves, strict=True):
        edge = next(edge for edge in node.edges if edge.action == move)
        assert (node.value, edge.value) == (pytest.approx(value), pytest.approx(child_value))
        node = edge.child
    assert node.value == v4
