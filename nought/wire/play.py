"""Games of people against agents."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from nought.wire.games import PositionAnswer
from nought.wire.message import AgentName, ErrorAnswer, GameName, Message, Moves

CLOSEST = "closest"  # in place of an opponent's name: the agent closest to one's rating


class NewGameRequest(Message):
    """What game a person wants to play."""

    game: GameName
    side: Literal["first", "second", "random"] = "random"
    opponent: AgentName = Field(CLOSEST, description="closest to your rating, or an agent's name")
    rated: bool = False
    start: Moves | None = Field(None, description="Moves to begin after, in a casual game.")
    simulations: int | None = Field(None, ge=0, description="Instead of the agent's own, in a casual game.")
    give_up: bool = Field(
        False,
        description="Of a rated game: lose the one that is still open, if any. Without it, that is 409.",
    )


class MoveRequest(Message):
    """A person's move."""

    action: int
    ply: int | None = None  # moves before this one, as the client sees the game; another number is refused


class RecordRequest(Message):
    """A casual game that was played in a person's browser, where the agent thought, and that is over."""

    id: str = Field(
        pattern="^[A-Za-z0-9_-]{22}$",
        description="Of your own, by chance: whoever has it may see the game. Sent twice, it is one game.",
    )
    game: GameName
    side: Literal["first", "second"]
    opponent: AgentName
    given: int = Field(0, ge=0, description="How many of the moves were given, not played.")
    moves: Moves
    resigned: bool = False


class NewGameRefusal(ErrorAnswer):
    """Why a game is not begun."""

    open_game: str | None = None  # the id of a rated game that a new one would give up


class Participant(Message):
    """Who plays a side of a game."""

    kind: Literal["person", "agent"]
    name: str


class RatingChange(Message):
    """What a game did to a rating."""

    before: float
    after: float


class MovesAnswer(Message):
    """A position in a list of games: the moves that led to it."""

    game: str
    moves: str


class PlayedGameFacts(Message):
    """A game of a person against an agent."""

    id: str  # whoever has it may see the game
    game: str
    players: tuple[Participant, ...]  # who moves first, first
    you: int | None  # the caller's place among them
    rated: bool
    repeated: bool  # rated, but the same game had been rated before: it changed no rating
    position: PositionAnswer | MovesAnswer
    status: Literal["playing", "finished"]
    ended: Literal["played", "resigned"] | None
    result: int | None  # for who moved first
    opponent_value: float | None  # what the agent thought of its own chances at its last move
    rating_change: RatingChange | None  # the caller's
    created: datetime
    finished_at: datetime | None

    @property
    def finished(self) -> bool:
        return self.status == "finished"

    @property
    def score(self) -> float | None:
        """The result for who asks: 1 won, 0 drawn, -1 lost; None while it is open or for a stranger."""
        if self.result is None or self.you is None:
            return None
        return self.result if self.you == 0 else -self.result


class PlayedGameAnswer(PlayedGameFacts):
    """A game of a person against an agent, with its board."""

    position: PositionAnswer


class ListedGame(PlayedGameFacts):
    """A game in a list: its moves without its board."""

    position: MovesAnswer
