"""The server itself, and the training runs on its machine."""

from __future__ import annotations

from typing import Any, Literal

from nought.wire.message import Message


class HealthAnswer(Message):
    """Whether the server is well."""

    status: Literal["ok", "no database"]
    warm: bool  # whether every game has been compiled; until then a first move may take ten seconds
    workers: int = 1  # processes that answer


class RunSummary(Message):
    """How far a training run has come."""

    name: str
    game: str
    state: Literal["running", "stopped", "done"]
    iteration: int
    iterations: int | None  # planned
    version: int
    minutes: float
    minutes_planned: float | None
    share: float  # of the run that is done


class RunAnswer(RunSummary):
    """A training run with its parameters and the report of every iteration."""

    config: dict[str, Any]
    metrics: tuple[dict[str, Any], ...]


class MoveShare(Message):
    """How probable a network holds a move to be the best."""

    name: str
    share: float


class VersionOpinion(Message):
    """What the network of one version, without search, thinks of a position."""

    version: int
    value: float
    best: str
    policy: tuple[MoveShare, ...]
