"""nought count: how large is a game?"""

from __future__ import annotations

import json as json_module
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from nought.cli.shared import Json
from nought.cli.tables import Numbers

if TYPE_CHECKING:
    from nought.games import Game
    from nought.oracle.count import Level


def count(
    game: Annotated[str, typer.Argument(help="A name, a file or openspiel:NAME, as in `nought games`.")],
    depth: Annotated[int | None, typer.Option(min=0, help="Count up to this many moves.")] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=100_000_000, help="Keep at most this many positions in memory.")
    ] = 5_000_000,
    samples: Annotated[
        int, typer.Option(min=2, max=10_000_000, help="Random games from which all games are estimated.")
    ] = 20_000,
    json: Json = False,
) -> None:
    """Count a game's positions and games: exactly as far as there is room, by an estimate, and by what is known.

    Positions are counted move by move from the start, each once, however many orders of moves lead to it. Two are different
    if the rules tell them apart: by stones, by points, by who is to move; OpenSpiel's by all moves so far.

    Example: [cyan]nought count connect4 --depth 10[/]
    """
    from nought.games import load
    from nought.oracle.count import bounds, estimated_games

    rules = load(game)
    counted = _counted(rules, depth, limit)
    whole = counted[-1].finished == counted[-1].positions
    estimate = None if whole else estimated_games(rules, samples)
    known, value = bounds(rules), _value(rules)
    if json:
        facts = {
            "game": rules.name,
            "levels": [level._asdict() for level in counted],
            "whole": whole,
            "estimated_games": estimate._asdict() if estimate else None,
            "known": [{"what": bound.what, "number": bound.number} for bound in known],
            "perfect_play": value,
        }
        typer.echo(json_module.dumps(facts))
        return
    out = Console(highlight=False)
    table = Numbers("moves", "positions", "of them finished", "games that end here", words=())
    for level in counted:
        table.add_row(str(level.moves), f"{level.positions:,}", f"{level.finished:,}", _number(level.games))
    out.print(table)
    positions, games = sum(level.positions for level in counted), sum(level.games for level in counted)
    if whole:
        out.print(f"[bold]{positions:,}[/] positions, [bold]{_number(games)}[/] games: all there are")
    else:
        out.print(f"[bold]{positions:,}[/] positions within {counted[-1].moves} moves; there are more")
    if estimate:
        out.print(
            f"about [bold]{estimate.number:.2g}[/] games, estimated from {estimate.samples:,} random ones "
            f"(standard error {estimate.error:.1g})"
        )
    for bound in known:
        out.print(f"[bold]{_number(bound.number)}[/] {bound.what}")
    if value is not None:
        ends = f"[bold]{value:+d}[/] for the first player" if value else "[bold]a draw[/]"
        out.print(f"perfect play ends with {ends}")


def _counted(game: Game, depth: int | None, limit: int) -> list[Level]:
    from nought.oracle.count import levels

    counted: list[Level] = []
    with Console(stderr=True).status("compiling …") as status:
        for level in levels(game, limit):
            counted.append(level)
            status.update(f"{level.positions:,} positions after {level.moves} moves …")
            if level.moves == depth:
                break
    return counted


def _value(game: Game) -> int | None:
    """How perfect play ends, where an oracle knows the start: points ahead, or 1, 0, -1."""
    from nought.oracle import find_oracle

    judge, start = find_oracle(game), game.start()
    if not judge.knows(start):
        return None
    truth = judge.judge(start)
    return truth.score if game.counts_points else truth.outcome


def _number(number: float) -> str:
    """In full as far as it is exact and can be read."""
    readable = number < (10**24 if isinstance(number, int) else 2**53)
    return f"{number:,}".removesuffix(".0") if readable else f"{float(number):.3g}"
