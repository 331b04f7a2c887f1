"""What an oracle says of a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from nought.arithmetic import sign
from nought.errors import NoughtError
from nought.games import Position


class Truth(NamedTuple):
    """The exact worth of every legal move, for the player to move."""

    scores: Mapping[int, int]  #    by move, in the oracle's unit; larger is better
    outcomes: Mapping[int, int]  #  by move, how the game ends with perfect play: 1 won, 0 drawn, -1 lost

    @property
    def score(self) -> int:
        return max(self.scores.values())

    @property
    def outcome(self) -> int:
        return max(self.outcomes.values())

    @property
    def best(self) -> list[int]:
        """The moves with the best score."""
        return [move for move, score in self.scores.items() if score == self.score]

    @property
    def keeping(self) -> list[int]:
        """The moves that keep the outcome."""
        return [move for move, outcome in self.outcomes.items() if outcome == self.outcome]


def truth(scores: Mapping[int, int], ahead: int = 0) -> Truth:
    """The truth where a move's outcome is the sign of its score, with the points that the mover is ahead already."""
    return Truth(scores, {move: sign(ahead + score) for move, score in scores.items()})


def ahead(position: Position) -> int:
    """By how many points the player to move is ahead."""
    return -position.margin if position.player else position.margin


class Oracle(Protocol):
    """Knows the truth about a game, or about its endgames."""

    name: str

    def knows(self, position: Position) -> bool:
        """Whether it can judge this unfinished position, within seconds."""
        ...

    def judge(self, position: Position) -> Truth:
        """The truth about an unfinished position; a NoughtError where it is not known."""
        ...


def require_unfinished(position: Position) -> None:
    """An error for a finished game: there is no truth about its moves."""
    if position.finished:
        raise NoughtError(f"{position.game.name}: the game is over: there is no move to judge")
