"""How strong does a run become, and when? Trains from nothing for so many minutes, then measures versions of that run on
labelled positions. Measuring does not count as time; everything else does, from the first line of the run on.

    python benchmarks/time_to_strength.py RUN --minutes 60                      on a CPU
    python benchmarks/time_to_strength.py RUN --minutes 10 --plot curve.png     on a GPU, where torch sees one
    python benchmarks/time_to_strength.py RUN --points 5                        a run that is there already is only measured
    python benchmarks/time_to_strength.py RUN --positions my-positions.csv --set network.filters=128
    python benchmarks/time_to_strength.py RUN --both                            with both images of each position, too

Also says where the time of an iteration went. Runs are kept under runs/. Each row of the table is also a line of JSON in runs/RUN/strength.jsonl.
"""

from __future__ import annotations

import itertools
import json
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.table import Table

from nought.agents.networks import playing
from nought.errors import NoughtError
from nought.events import IterationReport
from nought.learning.run import Run, run_folder
from nought.network import NetworkEvaluator
from nought.oracle.accuracy import accuracy
from nought.oracle.labelled import Labelled, built_in_positions, read_positions
from nought.plotting import plt, write_figure
from nought.selfplay.players import SearchPlayer
from nought.statistics import Share

OUT = Console(highlight=False)
SIMULATIONS = (0, 64, 800)
AT_ONCE = 240  # positions
MEASURED_AT_ONCE = 4  # versions


class Row(NamedTuple):
    """A version and how strong it measured."""

    minutes: float
    version: int
    games: int
    images: int  # of each position that it looked at
    shares: dict[int, Share]  # outcome-optimal moves, by simulations


def train(run: str, game: str, minutes: float, settings: list[str], device: str) -> None:
    """As a user does."""
    chosen = [word for setting in settings for word in ("--set", setting)]
    command = ["train", game, "--run", run, "--minutes", str(minutes), "--device", device, *chosen]
    if subprocess.run([sys.executable, "-m", "nought", *command]).returncode:
        raise NoughtError("the training failed; see above")


def spread(reports: list[IterationReport], points: int) -> list[IterationReport]:
    """So many of a run's accepted versions, closer together at its beginning, where more happens."""
    accepted = [r for r in reports if r.gate.accepted]
    if not accepted:
        raise NoughtError("the run has no version yet")
    wanted = [accepted[-1].minutes * (i / points) ** 2 for i in range(1, points + 1)]
    nearest = [min(accepted, key=lambda r: abs(r.minutes - minute)) for minute in wanted]
    return list({r.version: r for r in nearest}.values())


def measure(run: str, positions: Path | None, points: int, device: str, *, both: bool) -> list[Row]:
    there = Run(run_folder(run))
    game = there.game
    path = positions or built_in_positions(game)
    if path is None:
        raise NoughtError(f"{game.name} has no test set; name one with --positions")
    labelled = read_positions(path, game)
    reports = there.reports()
    show_profile(reports)
    wanted = [(report, images) for report in spread(reports, points) for images in ((1, 2) if both else (1,))]
    # all of them before the first one works: a GPU does not bear anything else while a graph is captured
    made = [
        NetworkEvaluator(
            game, there.network(report.version), device=device, capacity=AT_ONCE * images, symmetries=images
        )
        for report, images in wanted
    ]
    with ThreadPoolExecutor(MEASURED_AT_ONCE) as pool:
        found = list(pool.map(lambda evaluator: measured(evaluator, there, labelled), made))
    rows = []
    for (report, images), shares in zip(wanted, found, strict=True):
        games = sum(r.selfplay.games for r in reports if r.iteration <= report.iteration)
        rows.append(Row(report.minutes, report.version, games, images, shares))
    lines = "".join(json.dumps(row._asdict()) + "\n" for row in rows)
    (there.folder / "strength.jsonl").write_text(lines, encoding="utf-8")
    OUT.print(f"{run}: outcome-optimal moves on {len(labelled):,} positions of {path.name}, 95 % intervals")
    return rows


def measured(evaluator: NetworkEvaluator, run: Run, labelled: list[Labelled]) -> dict[int, Share]:
    """How often a network is right, by simulations."""
    shares: dict[int, Share] = {}
    for simulations in SIMULATIONS:
        player = SearchPlayer(
            run.name, run.game, evaluator, playing(simulations, AT_ONCE), games=AT_ONCE, seed=0
        )
        shares[simulations] = accuracy(player, labelled, AT_ONCE).overall.outcome
    return shares


def show_profile(reports: list[IterationReport]) -> None:
    """Where the time of an iteration of the second half went, by the median of each part."""
    pairs = list(itertools.pairwise(reports))[len(reports) // 2 :]
    if not pairs:
        return
    parts = [
        (60 * (r.minutes - before.minutes), r.selfplay.seconds, r.learning.seconds, r.selfplay.positions,
         r.selfplay.simulations / r.selfplay.seconds, r.selfplay.evaluations / r.selfplay.seconds,
         r.learning.steps / r.learning.seconds)
        for before, r in pairs
    ]  # fmt: skip
    medians = map(statistics.median, zip(*parts, strict=True))
    whole, games, gradients, new, simulations, evaluations, steps = medians
    OUT.print(
        f"{len(reports)} iterations, the first after {60 * reports[0].minutes:.0f} s; later {whole:.2f} s each: games {games:.2f} "
        f"({new:,.0f} positions, {simulations / 1e6:.2f} M simulations/s, {evaluations / 1e6:.2f} M evaluations/s), gradients "
        f"{gradients:.2f} ({steps:,.0f} steps/s), other {whole - games - gradients:.2f}"
    )


def show(rows: list[Row]) -> None:
    table = Table(box=None, header_style="dim", pad_edge=False)
    searches = ("network alone", "64 simulations", "800 simulations")
    for column in ("minutes", "version", "games", "images", *searches):
        table.add_column(column, justify="right")
    for row in rows:
        shares = (row.shares[simulations] for simulations in SIMULATIONS)
        cells = [f"{100 * s.share:.1f} ({100 * s.low:.1f}–{100 * s.high:.1f})" for s in shares]
        table.add_row(f"{row.minutes:.1f}", str(row.version), f"{row.games:,}", str(row.images), *cells)
    OUT.print(table)


def draw(rows: list[Row], path: Path) -> None:
    rows = [row for row in rows if row.images == 1]
    figure, ax = plt.subplots(figsize=(7, 4.5), constrained_layout=True)
    for simulations, colour in zip(SIMULATIONS, ("#a0aec0", "#2b6cb0", "#dd6b20"), strict=True):
        shares = [row.shares[simulations] for row in rows]
        minutes = [row.minutes for row in rows]
        label = f"{simulations} simulations" if simulations else "network alone"
        ax.plot(minutes, [100 * s.share for s in shares], "o-", ms=3, color=colour, label=label)
        low, high = ([100 * getattr(s, end) for s in shares] for end in ("low", "high"))
        ax.fill_between(minutes, low, high, color=colour, alpha=0.15, lw=0)
    ax.set(xlabel="minutes", ylabel="outcome-optimal moves, %", ylim=(70, 100.5))
    ax.legend(frameon=False, loc="lower right")
    write_figure(figure, path)


def main(
    run: Annotated[str, typer.Argument()],
    game: Annotated[str, typer.Option()] = "connect4",
    minutes: Annotated[float, typer.Option(min=0.1)] = 10,
    positions: Annotated[Path | None, typer.Option(help="Default: the game's own test set.")] = None,
    points: Annotated[int, typer.Option(min=1)] = 8,
    plot: Annotated[Path | None, typer.Option()] = None,
    both: Annotated[bool, typer.Option("--both", help="Look at both images of each position, too.")] = False,
    settings: Annotated[list[str] | None, typer.Option("--set")] = None,
    device: Annotated[str, typer.Option()] = "auto",
) -> None:
    try:
        if not run_folder(run).exists():
            train(run, game, minutes, settings or [], device)
        rows = measure(run, positions, points, device, both=both)
        show(rows)
        if plot:
            draw(rows, plot)
    except NoughtError as error:
        OUT.print(f"[red]{error}[/]")
        raise typer.Exit(2) from None


if __name__ == "__main__":
    typer.run(main)
