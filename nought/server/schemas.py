"""What goes over the wire: the things that requests hold and answers are made of."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, WithJsonSchema

GameName = Annotated[str, Field(max_length=200, description="As in /api/games.", examples=["connect4"])]
Moves = Annotated[
    str,
    Field(max_length=4_000, description="As the game writes them: 44325, f5d6 or 0 7 12.", examples=["44"]),
]
AgentName = Annotated[str, Field(max_length=200, examples=["agents/connect4"])]
# Two numbers, said without prefixItems, which readers of OpenAPI take for many things.
Interval = Annotated[
    tuple[float, float],
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
]


class Error(BaseModel):
    error: str


class Agent(BaseModel):
    """Somebody to play against."""

    name: str
    title: str
    game: str
    simulations: int
    rating: float | None = None
    interval: Interval | None = None  # of the rating, 95 %
    about: str = ""


class Game(BaseModel):
    name: str
    title: str
    board: Literal["stones", "dots"]
    notation: Literal["columns", "squares", "numbers"]
    rows: int
    columns: int
    actions: int
    cell_of_action: list[int] | None
    counts_points: bool
    oracle: bool  # whether perfect play is known, of some positions at least
    agents: list[Agent]  # weakest first


class LegalMove(BaseModel):
    action: int
    name: str
    cell: int | None  # that it would fill


class DrawnEdge(BaseModel):
    action: int
    cell: int
    drawn: bool


class Box(BaseModel):
    cell: int
    owner: int | None


class Board(BaseModel):
    """What is to be seen; which of them are filled depends on the kind of board."""

    cells: list[int | None]  # [rows * columns] the owner of the stone
    edges: list[DrawnEdge]
    boxes: list[Box]


class Position(Board):
    game: str
    moves: str
    actions: list[int]
    names: list[str]
    movers: list[int]  # who made each move: players need not take turns
    player: int
    finished: bool
    result: float | None  # of a finished game, for the first player
    margin: int | None  # by which the first player leads, in games that count points
    legal: list[LegalMove]
    last: int | None  # the cell of the last move
    line: list[int]  # the cells of the row that won


class Query(BaseModel):
    """A position, who is asked about it, and how long they may think: simulations or seconds."""

    game: GameName
    moves: Moves = ""
    agent: AgentName | None = None
    simulations: int | None = Field(None, ge=0)
    seconds: float | None = Field(None, gt=0, allow_inf_nan=False)


class BestMove(BaseModel):
    action: int
    name: str
    value: float | None
    agent: str
    note: str | None


class LineMove(BaseModel):
    """A move of a line of play: where it is seen on the board, and whose it is."""

    name: str
    cell: int | None
    player: int


class MoveAnalysis(BaseModel):
    action: int
    name: str
    visits: int
    value: float | None
    prior: float
    share: float
    proven: bool
    plies: int | None
    line: list[str]
    line_moves: list[LineMove]  # the same moves, for drawing
    verdict: Literal["wins", "draws", "loses"] | None = None
    keeps: bool | None = None


class Verdict(BaseModel):
    outcome: int
    score: int


class Analysis(BaseModel):
    position: Position
    agent: str
    note: str | None
    value: float
    proven: bool
    plies: int | None
    simulations: int
    positions: int
    best: int
    moves: list[MoveAnalysis]
    oracle: Verdict | None = None
    done: bool | None = None  # of a live analysis: whether this is the last


class WholeGame(BaseModel):
    game: GameName
    moves: Moves


class JudgedMove(BaseModel):
    """A move of a game and what it did to the chances of who made it."""

    ply: int
    player: int
    value_before: float  # for who made the move
    value_after: float
    best: str
    verdict: Literal["mistake", "blunder"] | None
    exact: bool
    text: str


class LookInside(BaseModel):
    game: GameName
    moves: Moves = ""
    agent: AgentName | None = None
    simulations: int = Field(20, ge=1)
    c_puct: float | None = Field(None, ge=0, le=100, allow_inf_nan=False)


class PathEdge(BaseModel):
    """An edge as it was when a simulation chose it."""

    node: str
    action: int
    name: str
    q: float
    u: float
    p: float
    n: int


class BackedUp(BaseModel):
    """An edge as a simulation left it."""

    node: str
    action: int
    n: int
    w: float
    q: float


class Step(BaseModel):
    """One simulation."""

    path: list[PathEdge]
    expanded: str | None
    value: float
    terminal: bool
    backup: list[BackedUp]


class InsideEdge(BaseModel):
    action: int
    name: str
    child: str | None
    n: int
    w: float
    q: float
    p: float
    u: float


class InsideNode(BaseModel):
    position: str
    player: int
    visits: int
    value: float
    cells: list[int | None]  # as of a position
    drawn: list[DrawnEdge]  # the edges between dots, as of a position
    boxes: list[Box]
    edges: list[InsideEdge]  # of the graph


class Inside(BaseModel):
    root: str
    steps: list[Step]
    nodes: dict[str, InsideNode]
