"""What a search has found, for people: each move's visits, value, prior, proof and best line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nought.search.memory import NODES, ROOT, SIMULATIONS
from nought.search.search import Search


@dataclass(frozen=True)
class MoveAnalysis:
    """One move at the root, as the player to move sees it."""

    action: int
    visits: int  #              N
    value: float | None  #      Q, from -1 (lost) to 1 (won); None if never visited
    prior: float  #             P
    proven: bool  #             whether the value is a fact
    plies: int | None  #        of a proven move: until the end of the game, counting this move
    share: float  #             of the search's policy
    line: tuple[int, ...]  #    the best line, beginning with this move


@dataclass(frozen=True)
class Analysis:
    """The root of a search, as the player to move sees it."""

    value: float  #                     of the move to play
    proven: bool
    plies: int | None  #                until the proven end
    simulations: int
    positions: int  #                   in the graph
    moves: tuple[MoveAnalysis, ...]  #  the one to play first, then by visits and value

    @property
    def best(self) -> MoveAnalysis:
        return self.moves[0]


@dataclass(frozen=True)
class Edge:
    """An edge of the graph."""

    action: int
    prior: float
    value: float  #      Q for the player to move at the node it leaves
    visits: int
    proven: bool
    refuted: bool
    shared: bool  #      whether its child has other parents
    child: Node | None  # None: not followed yet, or the end of the game
    plies: int | None

    @property
    def rank(self) -> tuple[float, ...]:
        """The key by which edges are ordered: the higher, the better to play."""
        if self.proven and self.plies is not None and abs(self.value) == 1:
            return (2 * self.value, -self.value * self.plies, self.visits)
        return (0, self.visits, self.value, self.prior)


class Node:
    """A node of a search's graph, read from its memory. Valid until the search goes on."""

    def __init__(self, search: Search, place: int) -> None:
        self._search, self.place = search, place

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and other.place == self.place and other._search is self._search

    def __hash__(self) -> int:
        return self.place

    def _field(self, name: str) -> Any:
        memory = self._search.floats if name in ("OWN", "VALUE") else self._search.ints
        return memory[self.place + int(getattr(self._search.kernels, name))].item()

    @property
    def player(self) -> int:
        return int(self._field("PLAYER"))

    @property
    def visits(self) -> int:
        """1 + the visits of all edges; 0 while the node awaits its evaluation."""
        return int(self._field("VISITS"))

    @property
    def own_value(self) -> float:
        return float(self._field("OWN"))

    @property
    def value(self) -> float:
        return float(self._field("VALUE"))

    @property
    def plies(self) -> int | None:
        """Plies until the proven end; None if nothing is proven."""
        proof = int(self._field("PROOF"))
        return proof - 1 if proof else None

    @property
    def edges(self) -> list[Edge]:
        s, k = self._search, self._search.kernels
        count = int(self._field("EDGES"))
        start = self.place + int(k.HEADER)
        rows = s.ints[start : start + 5 * count].reshape(5, count)
        floats = rows.view("f4")
        edges = []
        for i in range(count):
            tag, to = int(rows[int(k.TAG), i]), int(rows[int(k.CHILD), i])
            child = Node(s, to) if to > 0 else None
            proven = bool(tag & k.PROVEN)
            edges.append(
                Edge(
                    action=tag & k.ACTION_MASK,
                    prior=float(floats[int(k.P), i]),
                    value=float(floats[int(k.Q), i]),
                    visits=int(rows[int(k.N), i]),
                    proven=proven,
                    refuted=bool(tag & k.REFUTED),
                    shared=bool(tag & k.SHARED),
                    child=child,
                    plies=None if not proven else 1 + (child.plies or 0) if child else 1,
                )
            )
        return edges

    def best_line(self) -> Iterator[int]:
        """The moves of the best line from here on."""
        node: Node | None = self
        while node is not None and node.visits > 0:
            edge = max(node.edges, key=lambda e: e.rank)
            if edge.visits == 0 and not edge.proven:
                return
            yield edge.action
            node = edge.child


def root(search: Search, g: int = 0) -> Node:
    """The root of the graph of game g."""
    return Node(search, int(search.blocks[g, ROOT]))


def worth(search: Search, action: int, g: int = 0) -> float:
    """What the root of game g is worth to a player who plays this move.

    The value of the root itself, a mean over all moves that were tried, is too low: the more so the fewer simulations
    there were, and the more of them at once.
    """
    node = root(search, g)
    edge = next(edge for edge in node.edges if edge.action == action)
    return edge.value if edge.visits or edge.proven else node.value


def analyse(search: Search, g: int = 0) -> Analysis:
    """What the search of game g has found."""
    node = root(search, g)
    action, policy = search.decide(g)
    moves = [
        MoveAnalysis(
            action=edge.action,
            visits=edge.visits,
            value=edge.value if edge.visits or edge.proven else None,
            prior=edge.prior,
            proven=edge.proven,
            plies=edge.plies,
            share=float(policy[edge.action]),
            line=(edge.action, *(edge.child.best_line() if edge.child else ())),
        )
        for edge in sorted(node.edges, key=lambda e: (e.action == action, e.rank), reverse=True)
    ]
    return Analysis(
        value=node.value if moves[0].value is None else moves[0].value,
        proven=node.plies is not None,
        plies=node.plies,
        simulations=int(search.blocks[g, SIMULATIONS]),
        positions=int(search.blocks[g, NODES]),
        moves=tuple(moves),
    )
