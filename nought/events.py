"""What the learning loop reports. The core never prints: a terminal, a log and a page are listeners."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol


@dataclass(frozen=True)
class SelfPlayReport:
    games: int  #               finished
    positions: int  #           learned from
    seconds: float
    simulations: int
    evaluations: int
    first_player_score: float  # mean result of finished games, from -1 to 1


@dataclass(frozen=True)
class LearningReport:
    steps: int
    seconds: float
    rate: float
    policy_loss: float
    policy_entropy: float  #    of the targets: the least the policy's loss can be (cross-entropy)
    value_loss: float


@dataclass(frozen=True)
class GateReport:
    """The new network against the best so far."""

    wins: int
    draws: int
    losses: int
    accepted: bool
    elo: float | None  #        of the new network on the papers' scale, 100 for the untrained one
    seconds: float
    starting: tuple[int, int, int] = (0, 0, 0)  # wins, draws and losses of games that it began


class Met(NamedTuple):
    """Two players' games of one opening, as the first of them sees it. A version is called by its number."""

    a: str
    b: str
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class ExamReport:
    """How strong a new version is."""

    accuracy: float | None  #                   share of labelled positions where its favourite move is right
    games: tuple[Met, ...]  #                   that were played to rate it; none where it was not rated
    elo: (
        tuple[float, float, float] | None
    )  #   on the standard scale with its 95 % interval, if that is narrow
    seconds: float


@dataclass(frozen=True)
class IterationReport:
    iteration: int
    version: int  #             the best network's after this iteration
    minutes: float  #           of the whole run so far
    window: int  #              positions to learn from
    selfplay: SelfPlayReport
    learning: LearningReport
    gate: GateReport
    exam: ExamReport | None = None  # of an accepted version


class Listener(Protocol):
    def progress(self, phase: str, done: float) -> None:
        """A phase (self-play, learning, gate, exam) is done to this share."""
        ...

    def iteration(self, report: IterationReport) -> None: ...

    def warning(self, text: str) -> None:
        """Something was found damaged that the run can do without."""
        ...


class Everyone:
    """Tells several listeners."""

    def __init__(self, listeners: Iterable[Listener]) -> None:
        self.listeners = list(listeners)

    def progress(self, phase: str, done: float) -> None:
        for listener in self.listeners:
            listener.progress(phase, done)

    def iteration(self, report: IterationReport) -> None:
        for listener in self.listeners:
            listener.iteration(report)

    def warning(self, text: str) -> None:
        for listener in self.listeners:
            listener.warning(text)


class Silent:
    """Listens to nothing."""

    def progress(self, phase: str, done: float) -> None:
        pass

    def iteration(self, report: IterationReport) -> None:
        pass

    def warning(self, text: str) -> None:
        pass
