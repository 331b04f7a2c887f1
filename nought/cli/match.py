"""nought match: which of two players is stronger, and by how much?"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from nought.arithmetic import ceil_div
from nought.cli.output import require_writable
from nought.cli.progress import progress_bar
from nought.cli.shared import Cluster, Device, EvaluatingPrecision, Json, Seed, game_of, matches_on
from nought.cli.tables import Numbers
from nought.errors import NoughtError
from nought.files import write_whole
from nought.games import Game, Position, load

if TYPE_CHECKING:
    from nought.rating import MatchResult

MOST_GAMES = 1_000_000
MOST_OPENINGS = 10_000  # about a hundred can be judged in a second


def match(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="A player: random, rollout:400, a game (its agent), a run, search:RUN@best:800, agents/NAME …",
        ),
    ] = "agents/connect4",
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")] = "rollout:1000",
    games: Annotated[
        int,
        typer.Option(
            min=2,
            max=MOST_GAMES,
            help="Games to play, an even number: each opening is played with both colours.",
        ),
    ] = 100,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="[dim]Default: what one of them has learned, or connect4.[/]"),
    ] = None,
    openings: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MOST_OPENINGS,
            help=f"Different openings; 0: always the start. [dim]Default: one for two games, at most {MOST_OPENINGS:,}.[/]",
        ),
    ] = None,
    opening_moves: Annotated[
        int | None,
        typer.Option(min=0, help="Random moves in an opening. [dim]Default: 4, fewer in a short game.[/]"),
    ] = None,
    stop_early: Annotated[
        bool, typer.Option("--stop-early", help="Stop as soon as it is clear whether A is stronger.")
    ] = False,
    elo0: Annotated[float, typer.Option(help="With --stop-early: not stronger means this many Elo.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="With --stop-early: stronger means this many Elo.")] = 50.0,
    seed: Seed = 0,
    device: Device = "auto",
    precision: EvaluatingPrecision = None,  # noqa: ARG001  its callback has read it
    cluster: Cluster = None,
    save: Annotated[
        Path | None,
        typer.Option(
            help="Write the games to this new file, with what was searched, for [cyan]nought replay[/].",
            metavar="FILE",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Let two players play a match: won, drawn, lost, and the difference in Elo with its 95 % interval.

    The openings are random, even, and no two alike. A game that was played before counts once. Ctrl-C ends the match
    with the score so far.

    Example: [cyan]nought match search:connect4-1:64 rollout:400 --games 200[/]
    """
    from nought.rating import MatchInterrupted

    if stop_early and not elo0 < elo1:
        raise NoughtError(f"--elo0 must be less than --elo1, not {elo0:g} and {elo1:g}")
    if save is not None:
        require_writable(save, new=True)
    loaded = load(game) if game else game_of(a, b)
    with matches_on(cluster, device) as play_match, progress_bar() as listener:
        pairs = ceil_div(games, 2)
        count = 0 if opening_moves == 0 else min(pairs, MOST_OPENINGS if openings is None else openings)
        listener("openings", 0.0)
        start = _openings(loaded, count, opening_moves, seed, partial(listener, "openings"))
        try:
            result = play_match(
                loaded,
                (a, b),
                games,
                openings=start,
                seed=seed,
                device=device,
                bounds=(elo0, elo1) if stop_early else None,
                notes=save is not None,
                progress=partial(listener, ""),
            )
        except MatchInterrupted as stop:
            result = stop.result
    _report(loaded, result, games, save, json=json)
    if result.interrupted:
        raise typer.Exit(130)


def _openings(
    game: Game, count: int, moves: int | None, seed: int, progress: Callable[[float], None]
) -> list[Position]:
    """Find `count` openings, or as many as there are; the start, where there are none."""
    from nought.rating import varied_openings

    found = varied_openings(game, count, moves=moves, seed=seed, progress=progress)
    if len(found) < count:
        only = f"[dim]{escape(game.name)} has hardly more than {len(found):,} different openings[/]"
        Console(stderr=True, highlight=False).print(only)
    return found or [game.start()]


def _report(game: Game, result: MatchResult, games: int, save: Path | None, *, json: bool) -> None:
    """Save the games where that is wanted, and print the result."""
    errors = Console(stderr=True, highlight=False)
    if result.played == 0:
        errors.print("stopped before the first game was over")
        return
    if save is not None:
        _save(save, result)
    if json:
        typer.echo(result.as_json())
    else:
        _print(Console(highlight=False), game, result)
    if result.interrupted:
        errors.print(
            f"stopped after {result.played:,} of {games:,} games. Short games are over first: "
            "this score may not be that of the whole match."
        )


def _save(path: Path, result: MatchResult) -> None:
    try:
        write_whole(path, "".join(line + "\n" for line in result.lines()).encode())
    except OSError as error:
        raise NoughtError(f"cannot write the games to {path}: {error.strerror}") from None


def _print(out: Console, game: Game, result: MatchResult) -> None:
    from nought.rating import STANDARD

    out.print(f"[bold]{escape(result.a)}[/] against [bold]{escape(result.b)}[/], {escape(game.name)}\n")
    table = Numbers("", "won", "drawn", "lost", "score")
    rows = (("moving first", result.as_first), ("moving second", result.as_second), ("all", result.all))
    for name, tally in rows:
        table.add_row(name, *map(str, tally), f"{tally.score:.1%}" if tally.games else "–")
    out.print(table)
    elo, low, high = result.elo
    out.print(
        f"\nElo [bold]{elo:+.0f}[/], 95 % between {low:+.0f} and {high:+.0f} [dim]({STANDARD.label})[/]"
    )
    distinct = len(result.distinct)
    openings = f"{result.openings} opening{'s' if result.openings != 1 else ''}"
    if result.played == 1:
        out.print(f"1 game from {openings}")
    elif distinct == result.played:
        out.print(f"{distinct} games from {openings}, all different")
    else:
        out.print(
            f"{result.played} games from {openings}, only {distinct} of them different: the others do not count"
        )
    if result.verdict is not None:
        out.print(f"stopped early: {escape(result.a)} is {'' if result.verdict else 'not '}stronger")
