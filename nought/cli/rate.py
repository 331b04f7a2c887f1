"""nought rate: how strong is every version of a run?"""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from nought.cli.output import require_writable
from nought.cli.progress import progress_bar
from nought.cli.shared import Cluster, Device, EvaluatingPrecision, Json, Seed, matches_on
from nought.cli.tables import Numbers
from nought.errors import NoughtError
from nought.shell import command

if TYPE_CHECKING:
    from nought.agents.ladder import Ladder
    from nought.learning.run import Run

MOST_GAMES = 10_000  # of a pairing


def rate(
    name: Annotated[str, typer.Argument(metavar="RUN", help="A run, as in `nought runs`.")],
    games: Annotated[
        int, typer.Option(min=2, max=MOST_GAMES, help="Games for each pairing; those played before count.")
    ] = 40,
    versions: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBERS",
            help="all, or a list: 0,5,10. [dim]Default: all, but at most 10, evenly spaced.[/]",
        ),
    ] = None,
    simulations: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="Of each version, per move; 0: no search.")
    ] = 64,
    seed: Seed = 0,
    device: Device = "auto",
    precision: EvaluatingPrecision = None,  # noqa: ARG001  its callback has read it
    cluster: Cluster = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Picture to write. [dim]Default: ratings.png in the run's folder.[/]"
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Rate the versions of a run, together with random play, plain Monte-Carlo search and perfect play.

    The games are kept in the run's folder, ratings.json: Ctrl-C shows the ratings so far, the same command goes on,
    and more games may be added.
    The untrained version has 100 Elo, as in the papers. What a version gains is the slope of the line that fits best.

    Example: [cyan]nought rate connect4-1 --games 100[/]
    """
    from nought.agents.ladder import Ladder, rate_run
    from nought.plotting import picture_format

    run = _run(name)
    errors = Console(stderr=True, highlight=False)
    chosen = _chosen(run, versions, errors)
    picture = output or run.folder / "ratings.png"
    picture_format(picture)
    for path in (picture, Ladder(run, simulations).path):
        require_writable(path)
    interrupted = False
    with matches_on(cluster, device) as play_match, progress_bar() as listener:
        try:
            rate_run(
                run,
                chosen,
                games=games,
                simulations=simulations,
                seed=seed,
                device=device,
                progress=listener,
                play_match=play_match,
            )
        except KeyboardInterrupt:
            interrupted = True
    _report(Ladder(run, simulations), picture, json=json)  # as the file has it
    if interrupted:
        errors.print("stopped; the games so far are kept, and the same command goes on with them")
        raise typer.Exit(130)


def _run(name: str) -> Run:
    """The run of this name; versions are what is rated, so an agent will not do."""
    from nought.agents.names import packaged
    from nought.learning.run import Run, run_folder, runs_folder

    if not (runs_folder() / name).is_dir() and (agent := packaged(name)):
        raise NoughtError(
            f"{name} is {agent.full}, which has one version: `{command('match', agent.full)}` measures it; "
            "rate takes a run, as in `nought runs`"
        )
    return Run(run_folder(name))


def _report(ladder: Ladder, picture: Path, *, json: bool) -> None:
    """Draw and print the ratings, as far as games have been played."""
    from nought.agents.ladder_plot import plot_ladder

    if not any(ladder.played.values()):
        return
    plot_ladder(ladder, picture)
    if json:
        typer.echo(json_module.dumps(ladder.facts()))
    else:
        _print(Console(highlight=False), ladder, picture)


def _chosen(run: Run, versions: str | None, errors: Console) -> list[int]:
    """The versions that were asked for."""
    from nought.agents.ladder import MOST_VERSIONS, all_versions, evenly_spaced

    there = all_versions(run)
    if versions == "all":
        return there
    if versions is None:
        chosen = evenly_spaced(there, MOST_VERSIONS)
        if len(chosen) < len(there):
            errors.print(
                f"[dim]{len(chosen)} of {len(there)} versions, evenly spaced; --versions all rates every one[/]"
            )
        return chosen
    try:
        chosen = [int(version) for version in versions.split(",")]
    except ValueError:
        raise NoughtError(f"--versions takes all or numbers like 0,5,10, not {versions!r}") from None
    if missing := [str(version) for version in chosen if version not in there]:
        raise NoughtError(f"the run {run.name} has no version {', '.join(missing)}; it has 0 to {there[-1]}")
    return chosen


def _print(out: Console, ladder: Ladder, picture: Path) -> None:
    from nought.agents.ladder import on_papers_scale
    from nought.agents.ladder_plot import gain_in_words
    from nought.rating import STANDARD

    table = Numbers("player", "Elo", "95 %", "papers' scale", "games", "score", words=("player",))
    for rating in ladder.ratings():
        interval = "given" if rating.player == ladder.anchor else f"{rating.low:.0f} to {rating.high:.0f}"
        table.add_row(
            escape(rating.player),
            f"[bold]{rating.elo:.0f}[/]",
            interval,
            f"{on_papers_scale(rating.elo):.0f}",
            f"{rating.games}",
            f"{rating.score:.0%}",
        )
    out.print(table)
    if (gain := ladder.gain()) is not None:
        out.print(f"gain: {gain_in_words(gain)}", soft_wrap=True)
    out.print(f"[dim]Elo: {STANDARD.label}[/]\n{ladder.path}\n{picture}", soft_wrap=True)
