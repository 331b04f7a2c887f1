"""Evaluators and readers that the tests of the search share."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nought.config import SearchParameters
from nought.games import Game, Position, load
from nought.search import Evaluator, Search, Uniform
from nought.search.analysis import Node, root


class Hashed:
    """Random-looking policies and values that depend on nothing but the position. Notes what it was asked."""

    def __init__(self, game: Game, salt: bytes = b"") -> None:
        self.game = game
        self.salt = salt
        self.asked: list[bytes] = []

    def __call__(self, states: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        keys = [state.tobytes() for state in states]
        self.asked += keys
        size = 4 * (self.game.actions + 1)
        words = np.array(
            [
                np.frombuffer(hashlib.blake2b(key, digest_size=size, salt=self.salt).digest(), np.uint32)
                for key in keys
            ]
        ).reshape(len(keys), self.game.actions + 1)
        numbers = words / 2.0**32
        return (numbers[:, 1:] + 0.05).astype(np.float32), (1.6 * numbers[:, 0] - 0.8).astype(np.float32)

    def of(self, position: Position) -> tuple[list[float], float]:
        """Policy and value of one position."""
        policy, value = self(position.state[None])
        return policy[0].tolist(), float(value[0])


def random_positions(game: Game, count: int, seed: int = 0) -> list[Position]:
    """Unfinished positions, each reached by a random number of random moves."""
    random = np.random.default_rng(seed)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        for _ in range(random.integers(game.longest)):
            position = position.play(int(random.choice(position.legal)))
            if position.finished:
                break
        if not position.finished:
            found.append(position)
    return found


def searched(
    position: Position, parameters: SearchParameters, evaluator: Evaluator | None = None, seed: int = 0
) -> Search:
    """A finished search of one position."""
    search = Search(position.game, parameters, seed=seed)
    search.begin(0, position.state, len(position.moves))
    search.run(evaluator or Uniform(position.game))
    return search


def nodes_below(node: Node) -> Iterator[Node]:
    """Every node that can be reached, the node itself first."""
    seen, todo = {node.place}, [node]
    while todo:
        here = todo.pop()
        yield here
        for edge in here.edges:
            if edge.child is not None and edge.child.place not in seen:
                seen.add(edge.child.place)
                todo.append(edge.child)


def state_of(search: Search, node: Node) -> NDArray[Any]:
    words = 2 * int(search.kernels.STATE_WORDS)
    return search.ints[node.place : node.place + words].view(search.game.state_dtype)[
        : search.game.state_length
    ]


def visits(search: Search, g: int = 0) -> dict[int, int]:
    """N of each move at the root."""
    return {edge.action: edge.visits for edge in root(search, g).edges}


def under_way(search: Search, node: Node) -> int:
    """Simulations marked as under way on the edges of a node."""
    k, edges = search.kernels, len(node.edges)
    tags = node.place + int(k.HEADER) + int(k.TAG) * edges
    return int((search.ints[tags : tags + edges] >> k.UNDER_WAY_SHIFT).sum())


def formula(node: Node) -> float:
    """What the node's value must be: (own + Σ N·Q) / (1 + ΣN) over the edges that are not refuted."""
    live = [edge for edge in node.edges if not edge.refuted]
    return (node.own_value + sum(e.visits * e.value for e in live)) / (1 + sum(e.visits for e in live))


def start(name: str, moves: list[int] | tuple[int, ...] = ()) -> Position:
    return load(name).position(moves)


def states_of(positions: list[Position]) -> NDArray[np.integer]:
    """The states of positions, as evaluators take them."""
    return np.array([position.state for position in positions])
