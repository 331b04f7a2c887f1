"""nought check: is a game's file right?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from nought.games.conformance import Finding, Report


def check(
    game: Annotated[str, typer.Argument(help="A name, a file or openspiel:NAME, as in `nought games`.")],
    games: Annotated[int, typer.Option(min=1, help="How many random games to play.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays other games.")] = 0,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds after which a rule that has not returned is stuck.")
    ] = 10.0,
) -> None:
    """Play random games and test everything a game promises.

    Exit code 0: the game is right. 1: it is not, and what is wrong is printed with the moves that lead there.

    Example: [cyan]nought check mygame.py --games 500[/]
    """
    from nought.games.conformance.apart import check_apart

    out = Console(highlight=False, soft_wrap=True)
    with Console(stderr=True).status("compiling …") as status:
        report = check_apart(
            game,
            games,
            seed,
            timeout,
            lambda report: status.update(f"playing game {report.games + 1} of {games} …"),
        )
    if report.passed:
        out.print(f"[bold green]✓[/] [bold]{escape(report.game)}[/] passes every check")
        for line in _summary(report):
            out.print(line)
    else:
        count = len(report.failures)
        out.print(
            f"[bold red]✗[/] [bold]{escape(report.game)}[/] fails {count} check{'s' if count > 1 else ''}"
        )
    for finding in report.failures:
        _print(out, "[red]✗[/]", finding)
    for finding in report.warnings:
        _print(out, "[yellow]![/]", finding)
    if not report.passed:
        raise typer.Exit(1)


def _summary(report: Report) -> Iterator[str]:
    seconds = report.compile_seconds
    again = (
        f"; {report.transpositions:,} were reached again by another order of moves"
        if seconds is not None
        else ""
    )
    for name, value in (
        (
            "games",
            f"{report.games:,}, the longest of {report.longest} moves (at most {report.allowed} are allowed)",
        ),
        ("positions", f"{report.positions:,}{again}"),
        ("symmetries", f"{report.symmetries}{_played(report)}"),
        (
            "compiled",
            "no, this game cannot be" if seconds is None else f"in {seconds:.1f} s, equal to the plain rules",
        ),
    ):
        yield f"  [dim]{name:<10}[/]  {value}"


def _played(report: Report) -> str:
    if report.symmetries == 1:
        return ""
    if report.symmetries == report.symmetries_played:
        return ", all fit the rules"
    return f"; the {report.symmetries_played} that the starting position has fit the rules"


def _print(out: Console, sign: str, finding: Finding) -> None:
    out.print(f"  {sign} {escape(finding.message)}")
    out.print(
        f"    [dim]after the moves[/] {escape(finding.line)}" if finding.line else "    [dim]at the start[/]"
    )
