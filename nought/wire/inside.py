"""A search, one simulation at a time."""

from __future__ import annotations

from pydantic import Field

from nought.wire.games import Box, DrawnEdge
from nought.wire.message import AgentName, GameName, Message, Moves


class InsideRequest(Message):
    """A position, and who is to search it before our eyes."""

    game: GameName
    moves: Moves = ""
    agent: AgentName | None = None
    simulations: int = Field(20, ge=1)
    c_puct: float | None = Field(None, ge=0, le=100, allow_inf_nan=False)


class FollowedEdge(Message):
    """An edge as it was when a simulation chose it."""

    node: str
    action: int
    name: str
    q: float
    u: float
    p: float
    n: int


class UpdatedEdge(Message):
    """An edge as a simulation left it."""

    node: str
    action: int
    n: int
    w: float  # N · Q
    q: float
    proven: bool  # whether Q is a fact


class Simulation(Message):
    """One simulation: the edges it chose, what it found, what it changed."""

    path: tuple[FollowedEdge, ...]
    expanded: str | None
    value: float
    terminal: bool
    backup: tuple[UpdatedEdge, ...]


class InsideEdge(Message):
    """An edge of the graph, as it is after the last simulation."""

    action: int
    name: str
    child: str | None
    n: int
    w: float  # N · Q
    q: float
    p: float
    u: float
    proven: bool
    shared: bool  # whether other edges lead to its child, too


class InsideNode(Message):
    """A node of the graph, as it is after the last simulation."""

    position: str
    player: int
    visits: int
    value: float
    cells: tuple[int | None, ...]  # as of a position
    labels: tuple[str, ...] = ()  # as of a position
    drawn: tuple[DrawnEdge, ...]  # the edges between dots, as of a position
    boxes: tuple[Box, ...]
    edges: tuple[InsideEdge, ...]  # of the graph


class InsideAnswer(Message):
    """All simulations of a search in their order, and the graph that they have built."""

    root: str
    played: int  # the move that the search would play
    steps: tuple[Simulation, ...]
    nodes: dict[str, InsideNode]
