"""nought evaluate: how close to perfect play is a player?"""

from __future__ import annotations

import json as json_module
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from nought.cli.progress import progress_bar
from nought.cli.shared import Device, EvaluatingPrecision, Json, game_of, seed_option
from nought.cli.tables import Numbers
from nought.errors import NoughtError
from nought.games import Game, load

if TYPE_CHECKING:
    from nought.oracle.accuracy import Accuracy
    from nought.oracle.exam import Exam, ExamResult
    from nought.oracle.labelled import Labelled
    from nought.selfplay import Player
    from nought.statistics import Share

SIMULATIONS = "0,64,800"  # of a network whose name does not say
MOST_SIMULATIONS = 1_000_000


def evaluate(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT",
            help="A player: a game (its agent), connect4-1 (a run), net:RUN@5, a network's file, rollout:400 …",
        ),
    ] = "agents/connect4",
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="[dim]Default: what the player has learned, or connect4.[/]"),
    ] = None,
    positions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Labelled positions, CSV. [dim]Default: the game's own test set.[/]"
        ),
    ] = None,
    simulations: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBERS", help=f"One or more. [dim]Default: as the name says, or {SIMULATIONS}.[/]"
        ),
    ] = None,
    against_oracle: Annotated[
        int, typer.Option(min=0, max=10_000, help="Games as first and as second player against perfect play.")
    ] = 0,
    seed: Annotated[int, seed_option("Another seed has other luck.")] = 0,
    device: Device = "auto",
    precision: EvaluatingPrecision = None,  # noqa: ARG001  its callback has read it
    json: Json = False,
) -> None:
    """Measure a player against the truth, with 95 % intervals.

    Outcome: its move wins, draws or loses as perfect play would. Exact: there is no better move, by distance or
    points. Value error: how far its opinion of a position is from the outcome. Ctrl-C shows what was measured so far.

    Example: [cyan]nought evaluate connect4-1 --simulations 0,64 --against-oracle 20[/]
    """
    from nought.agents import agent as agent_by_name
    from nought.agents import has_network, named_simulations
    from nought.agents.names import parse
    from nought.oracle.exam import Exam, perfect_opponent

    loaded = load(game) if game else game_of(agent)
    named = named_simulations(agent)
    several = simulations or (SIMULATIONS if has_network(agent) and named is None else None)
    wanted: list[int | None] = _numbers(several) if several else [None]
    opponent = perfect_opponent(loaded, seed) if against_oracle else None
    file, labelled = _questions(loaded, positions)
    exam = Exam(loaded, labelled, file, opponent, against_oracle)

    def player(number: int | None, at_once: int) -> Player:
        return agent_by_name(agent, loaded, games=at_once, seed=seed, device=device, simulations=number)

    with progress_bar() as listener:
        results, interrupted = exam.take(player, wanted, named, listener)
    if json:
        typer.echo(json_module.dumps(_as_json(agent, exam, results, interrupted)))
    elif results:
        _print(Console(highlight=False), parse(agent).full, exam, results)
    if interrupted:
        order = "; the positions are asked in their order, the first first" if results else ""
        Console(stderr=True, highlight=False).print(f"stopped{order}")
        raise typer.Exit(130)


def _numbers(text: str) -> list[int | None]:
    """The numbers in a text like `0,64,800`."""
    words = [word.strip() for word in text.split(",")]
    if not all(re.fullmatch(r"\d{1,9}", word, re.ASCII) and int(word) <= MOST_SIMULATIONS for word in words):
        raise NoughtError(
            f"--simulations takes numbers from 0 to {MOST_SIMULATIONS} with commas between, not {text!r}"
        )
    return [int(word) for word in words]


def _questions(game: Game, path: Path | None) -> tuple[str, list[Labelled]]:
    """The positions to ask and their file; says so where they are to be made, which takes a moment."""
    from nought.oracle.exam import questions
    from nought.oracle.labelled import built_in_positions

    if path is not None or built_in_positions(game) is not None:
        return questions(game, path)
    with Console(stderr=True).status(f"{escape(game.name)} has no test set: making one …"):
        return questions(game, None)


def _as_json(agent: str, exam: Exam, results: list[ExamResult], interrupted: bool) -> dict[str, Any]:
    return {
        "agent": agent,
        "game": exam.game.name,
        "positions": len(exam.labelled),
        "file": exam.file,
        "interrupted": interrupted,
        "results": [
            {
                "simulations": result.simulations,
                **_numbers_of(result.report.overall),
                "categories": {name: _numbers_of(part) for name, part in result.report.categories.items()},
                "seconds": round(result.seconds, 3),
                **(
                    {
                        "against_oracle": {
                            side: games._asdict() for side, games in result.against_oracle.items()
                        }
                    }
                    if result.against_oracle
                    else {}
                ),
            }
            for result in results
        ],
    }


def _numbers_of(part: Accuracy) -> dict[str, Any]:
    return {
        "positions": part.positions,
        "outcome": part.outcome.share,
        "outcome_interval": [part.outcome.low, part.outcome.high],
        "exact": part.exact.share,
        "exact_interval": [part.exact.low, part.exact.high],
        "value_error": part.value_error,
    }


def _print(out: Console, agent: str, exam: Exam, results: list[ExamResult]) -> None:
    whence = f" [dim]({escape(exam.file)})[/]" if exam.file else ""
    out.print(
        f"[bold]{escape(agent)}[/] on {len(exam.labelled):,} positions of {escape(exam.game.name)}{whence}\n"
    )
    table = Numbers("", "positions", "outcome", "95 %", "exact", "95 %", "value error")
    for result in results:
        simulations = "all" if result.simulations is None else f"{result.simulations:,} simulations"
        table.add_row(simulations, *_cells(result.report.overall), style="bold")
        for name, part in result.report.categories.items():
            table.add_row(f"  {escape(name)}", *_cells(part))
    out.print(table)
    for result in results:
        for side, games in result.against_oracle.items():
            number = "" if result.simulations is None else f", {result.simulations:,} simulations"
            out.print(
                f"against perfect play as {side} player{number}: {games.wins} won, {games.draws} drawn, "
                f"{games.losses} lost; {games.distinct_games} distinct games",
                soft_wrap=True,
            )


def _cells(part: Accuracy) -> tuple[str, ...]:
    return (
        f"{part.positions:,}",
        *(cell for share in (part.outcome, part.exact) for cell in _percent(share)),
        "–" if part.value_error is None else f"{part.value_error:.3f}",
    )


def _percent(share: Share) -> tuple[str, str]:
    return f"{100 * share.share:.1f}", f"[dim]{100 * share.low:.1f}–{100 * share.high:.1f}[/]"
