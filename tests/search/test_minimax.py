"""On every position of small games the search plays a move that minimax finds best, and no proof is wrong."""

from functools import cache

import pytest

from nought.config import Choice, SearchParameters
from nought.games import Position, load
from nought.search import Search, Uniform, analyse
from nought.search.analysis import root
from tests.search.support import Hashed, nodes_below, state_of

# A position's graph is never larger than the game: 5,478 and 5,349 positions.
NODES, GAMES_AT_ONCE = 6000, 100


def all_positions(name: str) -> list[Position]:
    start = load(name).start()
    seen, todo = {start}, [start]
    while todo:
        for move in (position := todo.pop()).legal:
            if (following := position.play(move)) not in seen:
                seen.add(following)
                todo.append(following)
    return list(seen)


@cache
def minimax(position: Position) -> float:
    """For player 0."""
    if position.finished:
        return position.result
    return (max, min)[position.player](minimax(position.play(move)) for move in position.legal)


def for_mover(position: Position, value: float) -> float:
    return value if position.player == 0 else -value


@pytest.mark.parametrize(
    ("name", "positions", "choice", "simulations", "leaves"),
    [
        ("tictactoe", 5478, Choice.PUCT, 5000, 1),
        ("tictactoe", 5478, Choice.PUCT_PLUS_ONE, 5000, 8),
        ("tictactoe", 5478, Choice.UCB1, 5000, 1),
        ("tictactoe", 5478, Choice.GUMBEL, 5000, 1),
        ("dots-and-boxes:2x2", 5349, Choice.PUCT_PLUS_ONE, 20000, 1),
        ("dots-and-boxes:2x2", 5349, Choice.UCB1, 20000, 8),
    ],
)
def test_the_move_is_optimal_and_no_proof_is_wrong_on_every_position(
    name: str, positions: int, choice: Choice, simulations: int, leaves: int
) -> None:
    every = all_positions(name)
    assert len(every) == positions
    unfinished = [position for position in every if not position.finished]
    game = load(name)
    parameters = SearchParameters(
        simulations=simulations, choice=choice, c_puct=1.5, nodes=NODES, leaves=leaves, cache=0, reuse=False
    )
    search = Search(game, parameters, GAMES_AT_ONCE)
    proven = 0
    for first in range(0, len(unfinished), GAMES_AT_ONCE):
        here = unfinished[first : first + GAMES_AT_ONCE]
        for g, position in enumerate(here):
            search.begin(g, position.state)
        search.run(Uniform(game))
        for g, position in enumerate(here):
            action, _ = search.decide(g)
            assert minimax(position.play(action)) == minimax(position), (position.state, action)
            node = root(search, g)
            if node.plies is not None:
                proven += 1
                assert node.value == for_mover(position, minimax(position)), position.state
    assert proven > 0.98 * len(unfinished)


@pytest.mark.parametrize("leaves", [1, 8])
@pytest.mark.parametrize(("name", "moves"), [("tictactoe", []), ("dots-and-boxes:2x2", [0, 4, 7, 11])])
def test_no_proof_inside_a_graph_is_wrong(name: str, moves: list[int], leaves: int) -> None:
    game = load(name)
    search = Search(game, SearchParameters(simulations=3000, nodes=NODES, leaves=leaves, cache=0))
    search.begin(0, game.position(moves).state)
    search.run(Hashed(game))  # strong opinions: some lines are searched to the end
    proven = 0
    for node in nodes_below(root(search)):
        position = Position(game, state_of(search, node).copy())
        if node.plies is not None:
            proven += 1
            assert node.value == for_mover(position, minimax(position))
        for edge in node.edges:
            if edge.proven:
                assert edge.value == for_mover(position, minimax(position.play(edge.action)))
    assert proven > 100


def test_the_longest_possible_search_proves_the_start() -> None:
    for name in ("tictactoe", "dots-and-boxes:2x2"):
        game = load(name)
        search = Search(game, SearchParameters(simulations=100_000, nodes=NODES, cache=0))
        search.begin(0, game.start().state)
        search.run(Uniform(game))
        found = analyse(search)
        assert (found.proven, found.value) == (True, minimax(game.start()))
        assert found.simulations < 100_000
