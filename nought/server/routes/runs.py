"""Training runs on this machine."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from nought.server import runs as training_runs
from nought.server import schemas
from nought.server.dependencies import ServicesDep

router = APIRouter(prefix="/api/runs", tags=["training"])
RunName = Annotated[str, Path(max_length=200)]


class RunSummary(BaseModel):
    name: str
    game: str
    state: Literal["running", "stopped", "done"]
    iteration: int
    iterations: int | None  # planned
    version: int
    minutes: float
    minutes_planned: float | None
    share: float  # of the run that is done


class WholeRun(RunSummary):
    config: dict[str, Any]
    metrics: list[dict[str, Any]]  # a report for every iteration


class Share(BaseModel):
    name: str
    share: float


class Judgement(BaseModel):
    version: int
    value: float
    best: str
    policy: list[Share]


@router.get("")
def runs(services: ServicesDep) -> list[RunSummary]:
    """All runs, the one that has changed last first."""
    return [RunSummary(**run) for run in training_runs.runs(services.settings.runs)]


@router.get("/{name}")
def run(services: ServicesDep, name: RunName) -> WholeRun:
    """A run with its parameters and the report of every iteration."""
    return WholeRun(**training_runs.whole(training_runs.find_run(services.settings.runs, name)))


@router.get("/{name}/judge")
def judge(
    services: ServicesDep, name: RunName, moves: Annotated[schemas.Moves, Query()] = ""
) -> list[Judgement]:
    """How each version's network, without search, judged one position; at most 30 versions, spread evenly."""
    found = training_runs.judgements(training_runs.find_run(services.settings.runs, name), moves)
    return [Judgement(**judgement) for judgement in found]
