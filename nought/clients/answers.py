"""What a nought server answers, as Python objects: the names and fields are those of its OpenAPI."""

from __future__ import annotations

import dataclasses
import types
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from nought.errors import NoughtError

T = TypeVar("T")


@dataclass(frozen=True)
class Agent:
    """An opponent that a server offers."""

    name: str
    title: str
    game: str
    simulations: int | None = None
    rating: float | None = None
    interval: tuple[float, ...] | None = None
    about: str = ""


@dataclass(frozen=True)
class Game:
    """A game that a server offers, and how its board is drawn."""

    name: str
    title: str
    board: str  #          stones or dots
    notation: str  #       columns, squares or numbers
    rows: int  #           of the drawn grid
    columns: int
    actions: int
    cell_of_action: tuple[int, ...] | None = None
    counts_points: bool = False
    oracle: bool = False
    agents: tuple[Agent, ...] = ()  # weakest first

    @property
    def has_a_cell_for_each_move(self) -> bool:
        """Whether a move can be made by pointing at the board."""
        cells = self.cell_of_action
        return cells is not None and len(set(cells)) == len(cells)

    @property
    def can_be_rated(self) -> bool:
        """Whether there is an agent with a rating."""
        return any(agent.rating is not None for agent in self.agents)


@dataclass(frozen=True)
class LegalMove:
    action: int
    name: str


@dataclass(frozen=True)
class Edge:
    """An edge between two dots."""

    action: int
    cell: int
    drawn: bool


@dataclass(frozen=True)
class Box:
    cell: int
    owner: int | None = None


@dataclass(frozen=True)
class Position:
    """A position as a board shows it. Lists of games leave the board out."""

    game: str
    moves: str  #                         that led here, as text
    player: int = 0  #                    to move
    finished: bool = False
    actions: tuple[int, ...] = ()
    names: tuple[str, ...] = ()  #        of the moves, as they are written
    result: float | None = None  #        for the first player
    margin: int | None = None
    legal: tuple[LegalMove, ...] = ()
    cells: tuple[int | None, ...] = ()  # [rows × columns] whose stone stands there
    edges: tuple[Edge, ...] = ()
    boxes: tuple[Box, ...] = ()
    last: int | None = None  #            the cell of the last move
    line: tuple[int, ...] = ()  #         the cells that won


@dataclass(frozen=True)
class BestMove:
    action: int
    name: str
    value: float | None = None
    agent: str = ""
    note: str | None = None


@dataclass(frozen=True)
class MoveAnalysis:
    """One move of an analysis, as the player to move sees it."""

    action: int
    name: str
    visits: int
    value: float | None = None  #    from -1 (lost) to 1 (won)
    prior: float = 0.0
    share: float = 0.0
    proven: bool = False
    plies: int | None = None
    line: tuple[str, ...] = ()
    verdict: str | None = None  #    wins, draws or loses: exact, where an oracle knows
    keeps: bool | None = None  #     whether the exact outcome is kept


@dataclass(frozen=True)
class Exact:
    """What perfect play gives the player to move."""

    outcome: int
    score: int


@dataclass(frozen=True)
class Analysis:
    position: Position
    agent: str
    value: float
    best: int
    moves: tuple[MoveAnalysis, ...]
    note: str | None = None
    proven: bool = False
    plies: int | None = None
    simulations: int = 0
    positions: int = 0
    oracle: Exact | None = None


@dataclass(frozen=True)
class MoveJudged:
    """One move of a game, looked at afterwards."""

    ply: int
    player: int
    best: str | None = None  #       the move that should have been played
    verdict: str | None = None  #    mistake or blunder
    exact: bool = False
    text: str | None = None
    value_before: float | None = None
    value_after: float | None = None


@dataclass(frozen=True)
class Account:
    id: int | str
    name: str
    guest: bool = True


@dataclass(frozen=True)
class RatingPoint:
    at: str | float
    rating: float
    game_id: int | str | None = None


@dataclass(frozen=True)
class Rating:
    game: str
    rating: float
    games: int = 0
    deviation: float | None = None
    history: tuple[RatingPoint, ...] = ()


@dataclass(frozen=True)
class Profile:
    """An account and its rating in each game."""

    account: Account
    ratings: tuple[Rating, ...] = ()


@dataclass(frozen=True)
class Entry:
    """A line of the ladder."""

    rank: int
    kind: str  # person or agent
    name: str
    rating: float
    games: int | None = None


@dataclass(frozen=True)
class Side:
    """Who plays a side of a game."""

    kind: str  # person or agent
    name: str


@dataclass(frozen=True)
class Change:
    before: float
    after: float


@dataclass(frozen=True)
class PlayedGame:
    """A game of a person against an agent."""

    id: str
    game: str
    players: tuple[Side, ...]  #           the first moves first
    position: Position
    status: str  #                         playing or finished
    you: int | None = None
    rated: bool = False
    repeated: bool = False  #              rated, but the same game had been rated before: it changed nothing
    ended: str | None = None  #            played or resigned
    result: float | None = None  #         for the first player
    opponent_value: float | None = None  # what the agent thought at its last move
    rating_change: Change | None = None  # of who asks
    created: str | float | None = None
    finished_at: str | float | None = None

    @property
    def finished(self) -> bool:
        return self.status == "finished"

    @property
    def score(self) -> float | None:
        """The result for who asks: 1 won, 0 drawn, -1 lost; None while it is open or for a stranger."""
        if self.result is None or self.you is None:
            return None
        return self.result if self.you == 0 else -self.result


def read(kind: type[T], value: Any) -> T:
    """The answer as an object of this kind. Fields that are not known here are passed over."""
    try:
        return typing.cast(T, _read(kind, value))
    except (TypeError, ValueError, KeyError) as error:
        raise NoughtError(
            f"the server's answer is not understood: {error}; is it as new as this program?"
        ) from None


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _read(kind: Any, value: Any) -> Any:
    if dataclasses.is_dataclass(kind):
        if not isinstance(value, dict):
            raise TypeError(f"{kind!r} should be an object")
        given = {name: _read(hint, value[name]) for name, hint in _hints(kind).items() if name in value}  # type: ignore[arg-type]
        return kind(**given)  # type: ignore[operator]
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType:
        return _read_union(arguments, value)
    if origin in (tuple, list):
        if not isinstance(value, list):
            raise TypeError(f"{value!r} should be a list")
        return origin(_read(arguments[0], item) for item in value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind is not Any and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise TypeError(f"{value!r} should be of type {kind.__name__}")
    return value


def _read_union(kinds: tuple[Any, ...], value: Any) -> Any:
    if value is None and type(None) in kinds:
        return None
    reasons = []
    for kind in kinds:
        if kind is not type(None):
            try:
                return _read(kind, value)
            except TypeError as error:
                reasons.append(str(error))
    raise TypeError(reasons[0])
