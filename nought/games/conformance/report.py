"""What a check of a game found, and where it was when it found it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

PLAIN, COMPILED = "", "compiled"  # how rules are called
NOTHING, LOADING, COMPILING = "", "load", "compile"  # in place of a rule that is called


@dataclass(frozen=True)
class Finding:
    """Something wrong with a game, and where it shows first."""

    check: str  # which promise is broken; a report has one finding for each
    message: str
    moves: tuple[int, ...]  # that lead there from the start
    line: str  # the same moves as people write them


@dataclass
class Report:
    """What a check found, and how much it looked at."""

    game: str
    games: int = 0
    positions: int = 0
    longest: int = 0  # moves in the longest game seen
    allowed: int = 0  # moves in the longest game that the file promises
    transpositions: int = 0  # positions met again by another order of moves
    symmetries: int = 1
    symmetries_played: int = 1  # that the starting position has, so that mirrored games can be played
    compile_seconds: float | None = None  # None: not compiled
    failures: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.failures

    def as_values(self) -> dict[str, Any]:
        """All of it as what JSON knows."""
        return asdict(self)

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> Report:
        """The report that `as_values` told of."""
        found = {
            kind: [Finding(**{**finding, "moves": tuple(finding["moves"])}) for finding in values[kind]]
            for kind in ("failures", "warnings")
        }
        return cls(**{**values, **found})


def note(findings: list[Finding], new: Finding) -> None:
    """Keep a finding, or the one with the shorter way to it of two that break the same promise."""
    known = next((i for i, finding in enumerate(findings) if finding.check == new.check), None)
    if known is None:
        findings.append(new)
    elif len(new.moves) < len(findings[known].moves):
        findings[known] = new


class Failed(Exception):
    """A promise is broken, after the moves of the trace."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(message)
        self.check, self.message = check, message


class Trace:
    """Which rule is being asked, and after which moves: what can still be said of rules that never return."""

    def __init__(self) -> None:
        self.moves: Sequence[int] = ()

    def at(self, moves: Sequence[int]) -> None:
        """What is asked from now on is asked after these moves."""
        self.moves = moves

    def asking(self, how: str, rule: str) -> None:
        """A rule is about to be called."""


def called(how: str, rule: str) -> str:
    """How a message names a rule that was called."""
    return f"{how}, {rule}" if how else rule
