"""What the learning loop reports. The core never prints: a terminal, a log and a page are listeners."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

PhaseProgress = Callable[[str, float], None]  # told what is being done, and the share of it that is


@dataclass(frozen=True)
class MachineReport:
    """What a run computes with."""

    device: str  #              CPU, or the GPU's name
    threads: int  #             of self-play
    precision: str
    why: str  #                 this precision, in a few words
    device_games: int = 0  #    that the GPU searches by itself; 0: the threads search

    def __str__(self) -> str:
        threads = f"{self.threads} thread{'s' if self.threads != 1 else ''}"
        searching = f"which also searches {self.device_games:,} games" if self.device_games else threads
        return f"{self.device}, {searching}, {self.precision} ({self.why})"


@dataclass(frozen=True)
class NodeReport:
    """What a machine of a cluster has given to an iteration."""

    node: str
    players: int
    positions: int  #           learned from
    seconds: float  #           of play, of all its players together
    version: int  #             the oldest that played them
    dropped: int = 0  #         positions of versions that are too old by now

    @property
    def speed(self) -> float:
        """Positions a second of all its players."""
        return self.players * self.positions / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class SelfPlayReport:
    """The games of an iteration."""

    games: int  #               finished
    positions: int  #           learned from
    seconds: float
    simulations: int
    evaluations: int
    first_player_score: float  # mean result of finished games, from -1 to 1
    nodes: tuple[NodeReport, ...] = ()  # of a cluster, by their names


@dataclass(frozen=True)
class LearningReport:
    """The training steps of an iteration, and the mean errors in them."""

    steps: int
    seconds: float
    rate: float
    policy_loss: float
    policy_entropy: float  #    of the targets: the least the policy's loss can be (cross-entropy)
    value_loss: float


@dataclass(frozen=True)
class StepsReport:
    """The losses of every gradient step of an iteration."""

    iteration: int
    first: int  #                    steps of the run before them
    policy: tuple[float, ...]
    value: tuple[float, ...]


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
    # how many points it was ahead at the end, where points are counted: of each opening the game that it began, then the other
    margins: tuple[int, ...] = ()


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
    elo: tuple[float, float, float] | None  # on the standard scale with its 95 % interval, if that is narrow
    seconds: float


@dataclass(frozen=True)
class IterationReport:
    """What an iteration did: it played games, learned from them, and kept the new network or not."""

    iteration: int
    version: int  #             the best network's after this iteration
    minutes: float  #           of the whole run so far
    window: int  #              positions to learn from
    selfplay: SelfPlayReport
    learning: LearningReport
    gate: GateReport
    exam: ExamReport | None = None  # of an accepted version


class Listener:
    """Is told what a run does, and does nothing about it: a class of yours overrides what it wants to hear."""

    def machine(self, report: MachineReport) -> None:
        """The run is ready to begin or to go on."""

    def progress(self, phase: str, done: float) -> None:
        """A phase (self-play, learning, gate, exam) is done to this share."""

    def iteration(self, report: IterationReport) -> None:
        """An iteration has ended."""

    def steps(self, report: StepsReport) -> None:
        """What the steps of an iteration have found, which has just ended."""

    def warning(self, text: str) -> None:
        """Something was found damaged that the run can do without."""


class Everyone(Listener):
    """Tells several listeners the same."""

    def __init__(self, listeners: Iterable[Listener]) -> None:
        self.listeners = list(listeners)

    def machine(self, report: MachineReport) -> None:
        for listener in self.listeners:
            listener.machine(report)

    def progress(self, phase: str, done: float) -> None:
        for listener in self.listeners:
            listener.progress(phase, done)

    def iteration(self, report: IterationReport) -> None:
        for listener in self.listeners:
            listener.iteration(report)

    def steps(self, report: StepsReport) -> None:
        for listener in self.listeners:
            listener.steps(report)

    def warning(self, text: str) -> None:
        for listener in self.listeners:
            listener.warning(text)
