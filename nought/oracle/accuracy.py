"""How often a player finds the right move."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from nought.games import Position
from nought.oracle.labelled import Labelled
from nought.selfplay.players import Opinion, Player
from nought.statistics import Share, wilson


@dataclass(frozen=True)
class Accuracy:
    """How often the move was right."""

    positions: int
    outcome: Share  #              the move keeps the outcome of perfect play
    exact: Share  #                and is among the best by score
    value_error: float | None  #   mean |value − outcome|, where the player says what it thinks


@dataclass(frozen=True)
class AccuracyReport:
    """The accuracy over all positions and in each category."""

    overall: Accuracy
    categories: Mapping[str, Accuracy]


class AccuracyInterrupted(KeyboardInterrupt):
    """A measurement that was interrupted, with the answers that were there by then."""

    def __init__(self, report: AccuracyReport | None) -> None:
        super().__init__()
        self.report = report  # None: no answer yet


@runtime_checkable
class Thinker(Protocol):
    """A player that says what it thinks of a position, too."""

    def consider(self, positions: Mapping[int, Position]) -> Mapping[int, Opinion]:
        """The move for each position and what the player thinks of it."""
        ...


class _Answer(NamedTuple):
    category: str
    keeps: bool
    exact: bool
    value_error: float | None


def accuracy(
    player: Player,
    labelled: Sequence[Labelled],
    at_once: int = 256,
    progress: Callable[[float], None] = lambda _: None,
) -> AccuracyReport:
    """Ask for a move in every position, `at_once` of them together. Ctrl-C is an AccuracyInterrupted."""
    answers: list[_Answer] = []
    numbered = list(enumerate(labelled))  # players remember games by their numbers
    try:
        for first in range(0, len(labelled), at_once):
            answers += _answers(player, dict(numbered[first : first + at_once]))
            progress(len(answers) / len(labelled))
    except KeyboardInterrupt:
        raise AccuracyInterrupted(_report(answers) if answers else None) from None
    return _report(answers)


def _report(answers: Sequence[_Answer]) -> AccuracyReport:
    categories = dict.fromkeys(answer.category for answer in answers)  # in their order
    return AccuracyReport(
        _accuracy(answers),
        {name: _accuracy([a for a in answers if a.category == name]) for name in categories},
    )


def _answers(player: Player, labelled: Mapping[int, Labelled]) -> list[_Answer]:
    positions = {n: item.position for n, item in labelled.items()}
    values: dict[int, float] = {}
    if isinstance(player, Thinker):
        opinions = player.consider(positions)
        moves = {n: opinion.move for n, opinion in opinions.items()}
        values = {n: opinion.value for n, opinion in opinions.items()}
    else:
        moves = player.choose(positions)
    return [
        _Answer(
            category=item.category,
            keeps=item.truth.outcomes[moves[n]] == item.truth.outcome,
            exact=item.truth.scores[moves[n]] == item.truth.score,
            value_error=abs(values[n] - item.truth.outcome) if n in values else None,
        )
        for n, item in labelled.items()
    ]


def _accuracy(answers: Sequence[_Answer]) -> Accuracy:
    errors = [answer.value_error for answer in answers if answer.value_error is not None]
    return Accuracy(
        positions=len(answers),
        outcome=wilson(sum(answer.keeps for answer in answers), len(answers)),
        exact=wilson(sum(answer.exact for answer in answers), len(answers)),
        value_error=math.fsum(errors) / len(errors) if errors else None,
    )
