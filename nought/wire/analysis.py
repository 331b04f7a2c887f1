"""What agents think of positions and of whole games."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nought.wire.games import PositionAnswer
from nought.wire.message import AgentName, GameName, Message, Moves


class AnalysisRequest(Message):
    """A position, who is asked about it, and how long they may think: simulations or seconds."""

    game: GameName
    moves: Moves = ""
    agent: AgentName | None = None
    simulations: int | None = Field(None, ge=0)
    seconds: float | None = Field(None, gt=0, allow_inf_nan=False)


class StopRequest(Message):
    """Ends a live analysis."""

    stop: bool


class BestMoveAnswer(Message):
    """What an agent would play."""

    action: int
    name: str
    value: float | None
    agent: str
    note: str | None


class LineMove(Message):
    """A move of a line of play: where it is seen on the board, and whose it is."""

    name: str
    cell: int | None
    player: int


class AnalysedMove(Message):
    """One move of an analysis, as the player to move sees it."""

    action: int
    name: str
    visits: int
    value: float | None  # from -1 (lost) to 1 (won)
    prior: float
    share: float
    proven: bool
    plies: int | None
    line: tuple[str, ...]
    line_moves: tuple[LineMove, ...]  # the same moves, for drawing
    verdict: Literal["wins", "draws", "loses"] | None = None  # exact, where an oracle knows
    keeps: bool | None = None  # whether the exact outcome is kept


class ExactOutcome(Message):
    """What perfect play gives the player to move."""

    outcome: int
    score: int


class MoveTruth(Message):
    """What perfect play says of a move."""

    action: int
    verdict: Literal["wins", "draws", "loses"]
    keeps: bool  # whether the exact outcome is kept


class TruthAnswer(Message):
    """What perfect play says of a position, where it is known."""

    oracle: ExactOutcome | None
    best: int | None = None  # a move that is as good as any
    moves: tuple[MoveTruth, ...] = ()


class AnalysisAnswer(Message):
    """What an agent thinks of a position."""

    position: PositionAnswer
    agent: str
    note: str | None
    value: float
    proven: bool
    plies: int | None
    simulations: int
    positions: int
    best: int
    moves: tuple[AnalysedMove, ...]
    oracle: ExactOutcome | None = None
    done: bool | None = None  # of a live analysis: whether this is the last


class ReviewRequest(Message):
    """A whole game, whose mistakes are looked for."""

    game: GameName
    moves: Moves


class ReviewedMove(Message):
    """A move of a game and what it did to the chances of who made it."""

    ply: int
    player: int
    value_before: float  # for who made the move
    value_after: float
    best: str
    verdict: Literal["mistake", "blunder"] | None
    exact: bool
    text: str
