"""What is kept from move to move, and what happens at the limits of memory, simulations and time."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from nought.config import SearchParameters, SelfPlayParameters
from nought.errors import NoughtError
from nought.games import Position
from nought.search import Search, Uniform, analyse
from nought.search.analysis import Node, root
from nought.search.memory import LOG_COUNT, NODES
from tests.search.support import (
    Hashed,
    formula,
    nodes_below,
    random_positions,
    searched,
    start,
    state_of,
    visits,
)

PARAMETERS = SearchParameters(simulations=200, proofs=False, cache=0)


def go_on(search: Search, position: Position, evaluator: Hashed) -> None:
    search.begin(0, position.state)
    search.run(evaluator)


@pytest.mark.parametrize("plies", [1, 2])
def test_the_graph_below_the_moves_played_is_kept(plies: int) -> None:
    position = start("connect4")
    evaluator = Hashed(position.game)
    search = searched(position, PARAMETERS, evaluator)
    node = root(search)
    for _ in range(plies):
        edge = max(node.edges, key=lambda edge: edge.visits)
        position, node = position.play(edge.action), edge.child
    before = [edge.visits for edge in node.edges]
    assert sum(before) > 10
    search.begin(0, position.state)
    assert [edge.visits for edge in root(search).edges] == before
    search.run(evaluator)
    after = list(visits(search).values())
    assert sum(after) == sum(before) + 200
    assert all(a >= b for a, b in zip(after, before, strict=True))


def test_without_reuse_everything_is_forgotten() -> None:
    position = start("connect4")
    evaluator = Hashed(position.game)
    search = searched(position, dataclasses.replace(PARAMETERS, reuse=False), evaluator)
    following = position.play(3)
    go_on(search, following, evaluator)
    fresh = searched(following, PARAMETERS, evaluator)
    assert visits(search) == visits(fresh)
    assert sum(visits(search).values()) == 200


@pytest.mark.parametrize("reuse", [True, False])
def test_self_play_keeps_the_graph_only_with_reuse(reuse: bool) -> None:
    game = start("connect4").game
    evaluator = Hashed(game)
    parameters = dataclasses.replace(PARAMETERS, simulations=50, reuse=reuse)
    search = Search(game, parameters, self_play=SelfPlayParameters(opening_share=0), log_rows=8)
    search.begin_games()
    moves = 0
    while len(states := search.advance()):
        if search.ints[LOG_COUNT] > moves:
            moves += 1
            current = state_of(search, root(search))
            assert np.array_equal(states[0], current) == (not reuse)  # a new root must be evaluated
        search.answer(*evaluator(states))
    assert moves == 8


def test_a_position_elsewhere_in_the_game_is_searched_from_nothing() -> None:
    game = start("connect4").game
    evaluator = Hashed(game)
    search = searched(game.position([0, 1, 2]), PARAMETERS, evaluator)
    elsewhere = game.position([6, 6, 6, 6])
    go_on(search, elsewhere, evaluator)
    assert visits(search) == visits(searched(elsewhere, PARAMETERS, evaluator))


# ---- compaction -------------------------------------------------------------------------------------------
def dump(search: Search, top: Node) -> dict[bytes, Any]:
    """Everything about the nodes below, by state: nothing depends on where they stand."""
    return {
        state_of(search, node).tobytes(): (
            node.player,
            node.visits,
            node.own_value,
            node.value,
            node.plies,
            [
                (
                    dataclasses.astuple(dataclasses.replace(edge, child=None)),
                    edge.child and state_of(search, edge.child).tobytes(),
                )
                for edge in node.edges
            ],
        )
        for node in nodes_below(top)
    }


@pytest.mark.parametrize(
    ("name", "moves", "proofs"),
    [("connect4", [3], False), ("dots-and-boxes:2x2", [0, 4, 7, 11], True), ("tictactoe", [4], True)],
)
def test_making_room_leaves_the_graph_below_the_root_as_it_was(
    name: str, moves: list[int], proofs: bool
) -> None:
    position = start(name, moves)
    evaluator = Hashed(position.game)
    # room for one and a half searches: the second must make room
    parameters = SearchParameters(simulations=400, nodes=601, proofs=proofs, cache=0)
    compacted = 0
    for _ in range(3):
        search = searched(position, parameters, evaluator)
        edge = max(root(search).edges, key=lambda edge: edge.visits)
        used, before = search.blocks[0, NODES], dump(search, edge.child)
        position = position.play(edge.action)
        search.begin(0, position.state)
        if search.blocks[0, NODES] == used:
            continue
        compacted += 1
        assert search.blocks[0, NODES] == len(before) < used
        assert dump(search, root(search)) == before
        # every node is found in the table: searching it begins with what is there
        for node in list(nodes_below(root(search))):
            search.begin(0, state_of(search, node).copy())
            assert root(search) == node
        assert search.blocks[0, NODES] == len(before)
        # and the search goes on as it should
        go_on(search, position, evaluator)
        for node in nodes_below(root(search)):
            if node.visits and node.plies is None:
                assert node.value == pytest.approx(formula(node), abs=1e-5)
    assert compacted > 0


def test_transpositions_are_still_noticed_after_making_room() -> None:
    game = start("dots-and-boxes:2x2").game
    position = game.position([0, 4])
    parameters = SearchParameters(simulations=300, nodes=420, proofs=False, cache=0)
    search = searched(position, parameters, Hashed(game))
    position = position.play(search.decide(0)[0])
    go_on(search, position, Hashed(game))
    seen: dict[bytes, int] = {}
    parents: dict[int, list[bool]] = {}
    for node in nodes_below(root(search)):
        key = state_of(search, node).tobytes()
        assert seen.setdefault(key, node.place) == node.place
        for edge in node.edges:
            if edge.child is not None:
                parents.setdefault(edge.child.place, []).append(edge.shared)
    shared = [marks for marks in parents.values() if len(marks) > 1]
    assert len(shared) > 10
    assert all(all(marks) for marks in shared)


# ---- limits -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("leaves", [1, 8])
@pytest.mark.parametrize("nodes", [2, 3, 20, 100])
@pytest.mark.parametrize("name", ["tictactoe", "connect4", "dots-and-boxes:2x2"])
def test_a_search_out_of_memory_still_answers(name: str, nodes: int, leaves: int) -> None:
    game = start(name).game
    parameters = SearchParameters(simulations=500, nodes=nodes, leaves=leaves, cache=0)
    positions = random_positions(game, 30)
    search = Search(game, parameters, len(positions))
    for _ in range(2):  # the second time with what the first has left
        for g, position in enumerate(positions):
            search.begin(g, position.state)
        search.run(Hashed(game))
        for g, position in enumerate(positions):
            action, policy = search.decide(g)
            assert action in position.legal
            assert policy.sum() == pytest.approx(1, abs=1e-5)
            assert search.blocks[g, NODES] <= nodes
            assert all(n.visits for n in nodes_below(root(search, g)))


def test_the_limit_of_simulations_is_kept() -> None:
    position = start("connect4")
    search = Search(position.game, PARAMETERS)
    for simulations in (0, 1, 7, 100):
        search.begin(0, position.state, simulations=simulations)
        search.run(Hashed(position.game))
        assert analyse(search).simulations == simulations


def test_without_simulations_the_policy_is_the_prior() -> None:
    position = start("connect4", [3, 3, 3, 3, 3, 3])
    evaluator = Hashed(position.game)
    search = searched(position, SearchParameters(simulations=0, cache=0), evaluator)
    weights = np.array(evaluator.of(position)[0])
    weights[3] = 0  # full
    action, policy = search.decide(0)
    assert policy == pytest.approx(weights / weights.sum())
    assert action == weights.argmax()


@pytest.mark.parametrize("leaves", [1, 8])
def test_when_time_is_up_at_once_the_search_still_answers(leaves: int) -> None:
    position = start("connect4")
    search = Search(position.game, dataclasses.replace(PARAMETERS, simulations=100_000, leaves=leaves))
    search.begin(0, position.state)
    search.run(Uniform(position.game), seconds=0)
    assert analyse(search).simulations < 10
    assert search.decide(0)[0] in position.legal


def test_stopping_never_asks_for_more_than_the_limit() -> None:
    position = start("connect4")
    search = Search(position.game, dataclasses.replace(PARAMETERS, simulations=0))
    search.begin(0, position.state)
    search.answer(*Uniform(position.game)(search.advance()))
    search.stop()
    search.run(Uniform(position.game))
    assert analyse(search).simulations == 0


@pytest.mark.parametrize("leaves", [1, 8])
def test_a_search_that_was_abandoned_leaves_nothing_behind(leaves: int) -> None:
    position = start("connect4")
    evaluator = Hashed(position.game)
    parameters = dataclasses.replace(PARAMETERS, leaves=leaves)
    search = Search(position.game, parameters)
    search.begin(0, position.state)
    for _ in range(10):
        search.answer(*evaluator(search.advance()))
    search.advance()
    search.begin(0, position.state)  # while leaves await their evaluation
    search.run(evaluator)
    assert visits(search) == visits(searched(position, parameters, evaluator))


def test_asking_for_the_decision_does_not_disturb_the_search() -> None:
    position = start("connect4")
    evaluator = Hashed(position.game)
    search = Search(position.game, PARAMETERS)
    search.begin(0, position.state)
    while len(states := search.advance()):
        analyse(search)
        search.answer(*evaluator(states))
        analyse(search)
    assert visits(search) == visits(searched(position, PARAMETERS, evaluator))


def test_before_the_first_evaluation_there_is_a_legal_decision() -> None:
    position = start("connect4", [3, 3, 3, 3, 3, 3])
    search = Search(position.game, PARAMETERS)
    search.begin(0, position.state)
    action, policy = search.decide(0)
    assert action in position.legal
    assert policy == pytest.approx(np.array([1, 1, 1, 0, 1, 1, 1]) / 6)


def test_a_finished_position_cannot_be_searched() -> None:
    position = start("tictactoe", [0, 3, 1, 4, 2])
    with pytest.raises(NoughtError, match="the game is over"):
        Search(position.game, PARAMETERS).begin(0, position.state)


@pytest.mark.parametrize("g", [-1, 2])
def test_there_is_no_game_outside_the_batch(g: int) -> None:
    position = start("tictactoe")
    search = Search(position.game, PARAMETERS, 2)
    with pytest.raises(IndexError, match=f"no game {g}"):
        search.begin(g, position.state)
    with pytest.raises(IndexError, match=f"no game {g}"):
        search.decide(g)


def test_a_search_too_large_for_its_memory_says_so() -> None:
    with pytest.raises(NoughtError, match="use fewer games, simulations or nodes"):
        Search(start("connect4").game, SearchParameters(simulations=100_000), 10_000)
