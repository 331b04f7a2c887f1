"""Analyses as clients see them, with the truth beside them; and a whole game, move by move."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from nought.games import Position
from nought.games.notation import format_move, move_names
from nought.oracle import Truth
from nought.search import Analysis
from nought.server.thinking.agents import Agent
from nought.server.thinking.engine import ThinkingEngine
from nought.server.thinking.jobs import Budget
from nought.server.views import line_view, position_after, position_view
from nought.wire.analysis import (
    AnalysedMove,
    AnalysisAnswer,
    ExactOutcome,
    MoveTruth,
    ReviewedMove,
    TruthAnswer,
)

SIMULATIONS_PER_POSITION = 100  # of a whole game
AT_ONCE = 16  # positions of one game searched at the same time
# where the truth is not known: how much of the value a move must lose to be called so
MISTAKE_LOSS, BLUNDER_LOSS = 0.35, 0.8
IN_BROWSERS = {  # the same for those who think for themselves
    "simulations": SIMULATIONS_PER_POSITION,
    "mistake": MISTAKE_LOSS,
    "blunder": BLUNDER_LOSS,
}
OUTCOME_VERBS = {1: "wins", 0: "draws", -1: "loses"}
OUTCOME_NOUNS = {1: "win", 0: "draw"}


def analysis_view(
    position: Position,
    agent: Agent,
    note: str | None,
    found: Analysis,
    truth: Truth | None,
    *,
    done: bool | None = None,
) -> AnalysisAnswer:
    """An analysis as clients see it; `done` says of a live one whether it is the last."""
    return AnalysisAnswer(
        position=position_view(position),
        agent=agent.name,
        note=note,
        value=found.value,
        proven=found.proven,
        plies=found.plies,
        simulations=found.simulations,
        positions=found.positions,
        best=found.best.action,
        moves=tuple(
            AnalysedMove(
                action=move.action,
                name=format_move(position, move.action),
                visits=move.visits,
                value=move.value,
                prior=move.prior,
                share=move.share,
                proven=move.proven,
                plies=move.plies,
                line=tuple(move_names(position, move.line)),
                line_moves=line_view(position, move.line),
                verdict=OUTCOME_VERBS[truth.outcomes[move.action]] if truth else None,  # type: ignore[arg-type]
                keeps=truth.outcomes[move.action] == truth.outcome if truth else None,
            )
            for move in found.moves
        ),
        oracle=_exact(truth) if truth else None,
        done=done,
    )


def truth_view(truth: Truth | None) -> TruthAnswer:
    """What perfect play says of a position, as clients see it."""
    if truth is None:
        return TruthAnswer(oracle=None)
    return TruthAnswer(
        oracle=_exact(truth),
        best=truth.best[0],
        moves=tuple(
            MoveTruth(action=action, verdict=OUTCOME_VERBS[outcome], keeps=outcome == truth.outcome)  # type: ignore[arg-type]
            for action, outcome in truth.outcomes.items()
        ),
    )


async def truths(engine: ThinkingEngine, positions: Sequence[Position], client: str) -> list[Truth | None]:
    """What perfect play says of each of these positions."""
    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(engine.truth(position, client)) for position in positions]
    return [task.result() for task in asked]


def _exact(truth: Truth) -> ExactOutcome:
    return ExactOutcome(outcome=truth.outcome, score=truth.score)


async def review(
    engine: ThinkingEngine, agent: Agent, moves: Sequence[int], client: str
) -> list[ReviewedMove]:
    """What every move of a game did to the chances of who made it, as an agent sees it."""
    positions = [position_after(agent.game, tuple(moves[:count])) for count in range(len(moves) + 1)]
    budget = Budget(min(SIMULATIONS_PER_POSITION, agent.simulations))
    turns = asyncio.Semaphore(AT_ONCE)

    async def search(position: Position) -> Analysis | None:
        async with turns:
            return None if position.finished else await engine.analyse(agent, position, budget, client)

    async with asyncio.TaskGroup() as group:
        searches = [group.create_task(search(position)) for position in positions]
        truths = [group.create_task(engine.truth(position, client)) for position in positions]
    found = [task.result() for task in searches]
    return [
        reviewed_move(positions[ply], positions[ply + 1], found[ply], found[ply + 1], truths[ply].result())
        for ply in range(len(moves))
    ]


def reviewed_move(
    before: Position, after: Position, found: Analysis | None, then: Analysis | None, truth: Truth | None
) -> ReviewedMove:
    """One move: what was found before it and after it, and what perfect play says of it where it is known."""
    assert found is not None  # a move was made, so the game was not over
    move, mover = after.moves[-1], before.player
    value_after = after.result if then is None else then.value
    owner = 0 if then is None else after.player  # whose value that is
    value_after = value_after if owner == mover else -value_after
    best, lost = found.best.action, found.value - value_after
    verdict = None
    if truth is not None:
        lost = truth.outcome - truth.outcomes[move]
        best = best if best in truth.keeping else truth.best[0]
        verdict = ("mistake" if lost == 1 else "blunder") if lost else None
    elif move != best:
        verdict = "blunder" if lost >= BLUNDER_LOSS else "mistake" if lost >= MISTAKE_LOSS else None
    return ReviewedMove(
        ply=len(before.moves),
        player=mover,
        value_before=found.value,
        value_after=value_after,
        best=format_move(before, best),
        verdict=verdict,  # type: ignore[arg-type]
        exact=truth is not None,
        text=_text(truth, move, verdict, lost),
    )


def _text(truth: Truth | None, move: int, verdict: str | None, lost: float) -> str:
    if truth is None:
        return f"this move seems to cost {50 * lost:.0f} % of the points" if verdict else ""
    if verdict:
        return f"this move throws away a {OUTCOME_NOUNS[truth.outcome]}"
    if truth.outcome > 0:
        return "this move keeps the win"
    return "this move holds the draw" if truth.outcome == 0 else "every move loses here"
