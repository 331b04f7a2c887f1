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
from nought.server.thinking.agents import Agent
from nought.server.thinking.jobs import Job
from nought.server.views import board_view
from nought.wire.inside import FollowedEdge, InsideAnswer, InsideEdge, InsideNode, Simulation, UpdatedEdge

EdgeKey = tuple[int, int]  # the place of a node, and an action


class EdgeNumbers(NamedTuple):
    """An edge as it was at some moment."""

    q: float
    u: float
    p: float
    n: int


def look_inside(
    agent: Agent, position: Position, simulations: int, c_puct: float | None
) -> Job[InsideAnswer]:
    """Search a position and tell what each simulation did."""
    parameters = agent.parameters(simulations)
    # without look_ahead: that the agent is asked about every new position is what the page tells
    parameters = replace(
        parameters, simulations=1, nodes=2 * simulations + 8, leaves=1, cache=0, look_ahead=False
    )
    if c_puct is not None:
        parameters = replace(parameters, c_puct=c_puct)
    search = Search(position.game, parameters)
    recording = SearchRecording(search, position)
    for count in range(simulations + 1):
        # Beginning again keeps the graph: each time the search goes on by one simulation. First none: the root alone.
        search.begin(0, position.state, len(position.moves), min(count, 1))
        while len(states := search.advance()) > 0:
            search.answer(*(yield states))
        if not recording.take():
            break  # the position is proven: there is nothing more to search
    return recording.view()


class SearchRecording:
    """What is seen of a search after each simulation."""

    def __init__(self, search: Search, position: Position) -> None:
        self.search = search
        self.start = position
        self.keys: dict[int, str] = {}  # of nodes, by their place: n0, n1, … as they were found
        self.positions: dict[int, Position] = {}
        self.before: dict[EdgeKey, EdgeNumbers] = {}  # all edges, as they were before the last simulation
        self.steps: list[Simulation] = []

    def take(self) -> bool:
        """Note the last simulation; False if there was none."""
        first = root(self.search)
        if not self.keys:
            self._meet(first, self.start)
            self.steps.append(
                Simulation(
                    path=(), expanded=self.keys[first.place], value=first.own_value, terminal=False, backup=()
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
            Simulation(
                path=tuple(self._path_edge(at, taken) for at, taken in path),
                expanded=self.keys[child.place] if child is not None and new else None,
                value=edge.value,
                terminal=child is None,
                backup=tuple(
                    UpdatedEdge(
                        node=self.keys[at.place], action=taken.action, n=taken.visits,
                        w=taken.visits * taken.value, q=taken.value, proven=taken.proven,
                    )
                    for at, taken in reversed(path)
                ),
            )
        )  # fmt: skip

    def _path_edge(self, node: Node, edge: Edge) -> FollowedEdge:
        """An edge as it was when it was chosen."""
        seen = self.before[node.place, edge.action]
        name = format_move(self.positions[node.place], edge.action)
        return FollowedEdge(node=self.keys[node.place], action=edge.action, name=name, **seen._asdict())

    def _meet(self, node: Node, position: Position) -> None:
        self.keys[node.place] = f"n{len(self.keys)}"
        self.positions[node.place] = position

    def _visits_before(self, node: Node, edge: Edge) -> int:
        return self.before[node.place, edge.action].n

    def _seen(self, node: Node, edge: Edge) -> EdgeNumbers:
        return EdgeNumbers(
            edge.value, exploration(self.search.parameters, node, edge), edge.prior, edge.visits
        )

    def view(self) -> InsideAnswer:
        nodes = {key: self._node_view(Node(self.search, place)) for place, key in self.keys.items()}
        played, _ = self.search.decide()
        return InsideAnswer(root="n0", played=played, steps=tuple(self.steps), nodes=nodes)

    def _node_view(self, node: Node) -> InsideNode:
        position = self.positions[node.place]
        board = board_view(position)
        return InsideNode(
            position=format_moves(position.game, position.moves),
            player=node.player,
            visits=node.visits,
            value=node.value,
            cells=board.cells,
            labels=board.labels,
            drawn=board.edges,
            boxes=board.boxes,
            edges=tuple(
                InsideEdge(
                    action=edge.action,
                    name=format_move(position, edge.action),
                    child=self.keys.get(edge.child.place) if edge.child else None,
                    n=edge.visits,
                    w=edge.visits * edge.value,
                    q=edge.value,
                    p=edge.prior,
                    u=exploration(self.search.parameters, node, edge),
                    proven=edge.proven,
                    shared=edge.shared,
                )
                for edge in node.edges
            ),
        )


def exploration(parameters: SearchParameters, node: Node, edge: Edge) -> float:
    """U of an edge: what is added to Q when the search chooses (docs/reference/method.md)."""
    total = max(node.visits - 1, 0)
    if parameters.choice == Choice.UCB1:
        return parameters.c_puct * math.sqrt(math.log(max(total, 1)) / (1 + edge.visits))
    total += parameters.choice == Choice.PUCT_PLUS_ONE
    return parameters.c_puct * edge.prior * math.sqrt(total) / (1 + edge.visits)
