"""A search replayed one simulation at a time: the real search, read after each of its simulations."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

from nought.config import Choice, SearchParameters
from nought.games import Position
from nought.games.notation import format_move, format_moves
from nought.search import Search
from nought.search.analysis import Edge, Node, root
from nought.server import schemas
from nought.server.thinking.agents import Contender
from nought.server.thinking.jobs import Job
from nought.server.views import board_view

EdgeKey = tuple[int, int]  # the place of a node, and an action


class Seen(NamedTuple):
    """An edge as it was at some moment."""

    q: float
    u: float
    p: float
    n: int


def look_inside(
    contender: Contender, position: Position, simulations: int, c_puct: float | None
) -> Job[schemas.Inside]:
    """Search a position by so many simulations and tell what each of them did."""
    parameters = contender.parameters(simulations)
    parameters = replace(parameters, simulations=1, nodes=2 * simulations + 8, leaves=1, cache=0)
    if c_puct is not None:
        parameters = replace(parameters, c_puct=c_puct)
    search = Search(position.game, parameters)
    film = Film(search, position)
    for count in range(simulations + 1):
        # Beginning again keeps the graph: each time the search goes on by one simulation. First none: the root alone.
        search.begin(0, position.state, len(position.moves), min(count, 1))
        while len(states := search.advance()) > 0:
            search.answer(*(yield states))
        if not film.take():
            break  # the position is proven: there is nothing more to search
    return film.view()


class Film:
    """What is seen of a search after each simulation."""

    def __init__(self, search: Search, position: Position) -> None:
        self.search = search
        self.start = position
        self.keys: dict[int, str] = {}  # of nodes, by their place: n0, n1, … as they were found
        self.positions: dict[int, Position] = {}
        self.before: dict[EdgeKey, Seen] = {}  # all edges, as they were before the last simulation
        self.steps: list[schemas.Step] = []

    def take(self) -> bool:
        """Note the last simulation; False if there was none."""
        first = root(self.search)
        if not self.keys:
            self._meet(first, self.start)
            self.steps.append(
                schemas.Step(
                    path=[], expanded=self.keys[first.place], value=first.own_value, terminal=False, backup=[]
                )
            )
        else:
            path = self._followed(first)
            if not path:
                return False
            self._note(path)
        self.before = {
            (place, edge.action): self._seen(Node(self.search, place), edge)
            for place in self.keys
            for edge in Node(self.search, place).edges
        }
        return True

    def _followed(self, node: Node | None) -> list[tuple[Node, Edge]]:
        """The way that the last simulation took: each of its edges has one visit more than before."""
        path = []
        while node is not None and node.place in self.keys:
            edges = [e for e in node.edges if e.visits > self._visits_before(node, e)]
            if not edges:
                break
            path.append((node, edges[0]))
            node = edges[0].child
        return path

    def _note(self, path: list[tuple[Node, Edge]]) -> None:
        node, edge = path[-1]
        child = edge.child
        new = child is not None and child.place not in self.keys
        if child is not None and new:
            self._meet(child, self.positions[node.place].play(edge.action))
        self.steps.append(
            schemas.Step(
                path=[self._path_edge(at, taken) for at, taken in path],
                expanded=self.keys[child.place] if child is not None and new else None,
                value=edge.value,
                terminal=child is None,
                backup=[
                    schemas.BackedUp(
                        node=self.keys[at.place], action=taken.action, n=taken.visits,
                        w=taken.visits * taken.value, q=taken.value,
                    )
                    for at, taken in reversed(path)
                ],
            )
        )  # fmt: skip

    def _path_edge(self, node: Node, edge: Edge) -> schemas.PathEdge:
        """An edge as it was when it was chosen."""
        seen = self.before[node.place, edge.action]
        name = format_move(self.start.game, edge.action)
        return schemas.PathEdge(node=self.keys[node.place], action=edge.action, name=name, **seen._asdict())

    def _meet(self, node: Node, position: Position) -> None:
        self.keys[node.place] = f"n{len(self.keys)}"
        self.positions[node.place] = position

    def _visits_before(self, node: Node, edge: Edge) -> int:
        return self.before[node.place, edge.action].n

    def _seen(self, node: Node, edge: Edge) -> Seen:
        return Seen(edge.value, exploration(self.search.parameters, node, edge), edge.prior, edge.visits)

    def view(self) -> schemas.Inside:
        nodes = {key: self._node_view(Node(self.search, place)) for place, key in self.keys.items()}
        return schemas.Inside(root="n0", steps=self.steps, nodes=nodes)

    def _node_view(self, node: Node) -> schemas.InsideNode:
        position = self.positions[node.place]
        board = board_view(position)
        return schemas.InsideNode(
            position=format_moves(position.game, position.moves),
            player=node.player,
            visits=node.visits,
            value=node.value,
            cells=board.cells,
            drawn=board.edges,
            boxes=board.boxes,
            edges=[
                schemas.InsideEdge(
                    action=edge.action,
                    name=format_move(position.game, edge.action),
                    child=self.keys.get(edge.child.place) if edge.child else None,
                    n=edge.visits,
                    w=edge.visits * edge.value,
                    q=edge.value,
                    p=edge.prior,
                    u=exploration(self.search.parameters, node, edge),
                )
                for edge in node.edges
            ],
        )


def exploration(parameters: SearchParameters, node: Node, edge: Edge) -> float:
    """U of an edge: what is added to Q when the search chooses (docs/reference/method.md)."""
    total = max(node.visits - 1, 0)
    if parameters.choice == Choice.UCB1:
        return parameters.c_puct * math.sqrt(math.log(max(total, 1)) / (1 + edge.visits))
    total += parameters.choice == Choice.PUCT_PLUS_ONE
    return parameters.c_puct * edge.prior * math.sqrt(total) / (1 + edge.visits)
