"""Training runs on this machine."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from nought.server.dependencies import ServicesDep
from nought.server.runs import opinions, whole
from nought.wire.message import Moves
from nought.wire.server import RunAnswer, RunSummary, VersionOpinion

router = APIRouter(prefix="/api/runs", tags=["training"])
RunName = Annotated[str, Path(max_length=200)]


@router.get("")
def runs(services: ServicesDep) -> list[RunSummary]:
    """All runs, the one that has changed last first."""
    return services.runs.summaries()


@router.get("/{name}")
def run(services: ServicesDep, name: RunName) -> RunAnswer:
    """A run with its parameters and the report of every iteration."""
    return whole(services.runs.find(name))


@router.get("/{name}/judge")
def judge(
    services: ServicesDep, name: RunName, moves: Annotated[Moves, Query()] = ""
) -> list[VersionOpinion]:
    """How each version's network, without search, judged one position; at most 30 versions, spread evenly."""
    return opinions(services.runs.find(name), moves)
