"""nought match: which of two players is stronger, and by how much?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from nought.cli.progress import progress_bar
from nought.errors import NoughtError
from nought.files import write_whole
from nought.games import Game, load

if TYPE_CHECKING:
    from nought.rating import MatchResult


def match(
    a: Annotated[
        str, typer.Argument(help="A player: random, rollout:400, search:RUN@best:800, agents/NAME …")
    ] = "agents/connect4",
    b: Annotated[str, typer.Argument(help="Its opponent.")] = "rollout:1000",
    games: Annotated[
        int,
        typer.Option(min=2, help="Games to play, an even number: each opening is played with both colours."),
    ] = 100,
    game: Annotated[
        str | None, typer.Option(help="[dim]Default: what one of them has learned, or connect4.[/]")
    ] = None,
    openings: Annotated[
        int | None,
        typer.Option(
            min=0, help="Different openings; 0: always the start. [dim]Default: one for two games.[/]"
        ),
    ] = None,
    opening_moves: Annotated[
        int | None,
        typer.Option(min=0, help="Random moves in an opening. [dim]Default: 4, fewer in a short game.[/]"),
    ] = None,
    stop_early: Annotated[
        bool, typer.Option("--stop-early", help="Stop as soon as it is clear whether A is stronger.")
    ] = False,
    elo0: Annotated[float, typer.Option(help="With --stop-early: not stronger means so many Elo.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="With --stop-early: stronger means so many Elo.")] = 50.0,
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays other games.")] = 0,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    save: Annotated[
        Path | None, typer.Option(help="Write the games to this file, for [cyan]nought replay[/].")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Let two players play a match: won, drawn, lost, and the difference in Elo with its 95 % interval.

    The openings are random, even, and no two alike. A game that was played before counts once.

    Example: [cyan]nought match search:connect4-1:64 rollout:400 --games 200[/]
    """
    from nought.agents.match import named_match
    from nought.rating import varied_openings

    if stop_early and not elo0 < elo1:
        raise NoughtError(f"--elo0 must be less than --elo1, not {elo0:g} and {elo1:g}")
    if save is not None and not save.parent.is_dir():  # better now than after the match
        raise NoughtError(f"cannot write the games to {save}: there is no folder {save.parent}")
    loaded = load(game) if game else _game_of(a, b)
    with progress_bar() as listener:
        count = 0 if opening_moves == 0 else -(games // -2) if openings is None else openings
        start = varied_openings(loaded, count, moves=opening_moves, seed=seed) or [loaded.start()]
        result = named_match(
            loaded,
            (a, b),
            games,
            openings=start,
            seed=seed,
            device=device,
            bounds=(elo0, elo1) if stop_early else None,
            progress=partial(listener, ""),
        )
    if save is not None:
        _save(save, result)
    if json:
        typer.echo(result.as_json())
    else:
        _print(Console(highlight=False, soft_wrap=True), loaded, result)


def _game_of(a: str, b: str) -> Game:
    """What one of the players has learned."""
    from nought.agents import learned_game

    return learned_game(a) or learned_game(b) or load("connect4")


def _save(path: Path, result: MatchResult) -> None:
    try:
        write_whole(path, "".join(line + "\n" for line in result.lines()).encode())
    except OSError as error:
        raise NoughtError(f"cannot write the games to {path}: {error.strerror}") from None


def _print(out: Console, game: Game, result: MatchResult) -> None:
    from nought.rating import STANDARD

    out.print(f"[bold]{escape(result.a)}[/] against [bold]{escape(result.b)}[/], {escape(game.name)}\n")
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in ("", "won", "drawn", "lost", "score"):
        table.add_column(column, justify="right" if column else "left")
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
    if distinct == result.played:
        out.print(f"{distinct} games from {openings}, all different")
    else:
        out.print(
            f"{result.played} games from {openings}, only {distinct} of them different: the others do not count"
        )
    if result.verdict is not None:
        out.print(f"stopped early: {escape(result.a)} is {'' if result.verdict else 'not '}stronger")
