"""How strong does a run become, and when? Trains from nothing for so many minutes, then measures versions of that run on
labelled positions. Measuring does not count as time; everything else does, from the first line of the run on.

    python benchmarks/time_to_strength.py RUN --minutes 60                      on a CPU
    python benchmarks/time_to_strength.py RUN --minutes 10 --plot curve.png     on a GPU, where torch sees one
    python benchmarks/time_to_strength.py RUN --points 5                        a run that is there already is only measured
    python benchmarks/time_to_strength.py RUN --positions my-positions.csv --set network.filters=128

Runs are kept under runs/. Each row of the table is also a line of JSON in runs/RUN/strength.jsonl.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.table import Table

from nought.agents import agent
from nought.cli.progress import progress_bar
from nought.errors import NoughtError
from nought.events import IterationReport
from nought.learning.run import Run, run_folder
from nought.oracle.accuracy import accuracy
from nought.oracle.labelled import built_in_positions, read_positions
from nought.plotting import plt, write_figure
from nought.statistics import Share

OUT = Console(highlight=False)
SIMULATIONS = (0, 64, 800)
AT_ONCE = 128  # positions


class Row(NamedTuple):
    """A version and how strong it measured."""

    minutes: float
    version: int
    games: int
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


def measure(run: str, positions: Path | None, points: int, device: str) -> list[Row]:
    there = Run(run_folder(run))
    game = there.game
    path = positions or built_in_positions(game)
    if path is None:
        raise NoughtError(f"{game.name} has no test set; name one with --positions")
    labelled = read_positions(path, game)
    reports = there.reports()
    rows: list[Row] = []
    with progress_bar() as progress:
        for report in spread(reports, points):
            shares: dict[int, Share] = {}
            for simulations in SIMULATIONS:
                progress(f"version {report.version}, {simulations} simulations", 0.0)
                player = agent(
                    f"search:{run}@{report.version}:{simulations}", game, games=AT_ONCE, device=device
                )
                shares[simulations] = accuracy(player, labelled, AT_ONCE).overall.outcome
            games = sum(r.selfplay.games for r in reports if r.iteration <= report.iteration)
            rows.append(Row(report.minutes, report.version, games, shares))
    lines = "".join(json.dumps(row._asdict()) + "\n" for row in rows)
    (there.folder / "strength.jsonl").write_text(lines, encoding="utf-8")
    OUT.print(f"{run}: outcome-optimal moves on {len(labelled):,} positions of {path.name}, 95 % intervals")
    return rows


def show(rows: list[Row]) -> None:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in ("minutes", "version", "games", "network alone", "64 simulations", "800 simulations"):
        table.add_column(column, justify="right")
    for row in rows:
        shares = (row.shares[simulations] for simulations in SIMULATIONS)
        cells = [f"{100 * s.share:.1f} ({100 * s.low:.1f}–{100 * s.high:.1f})" for s in shares]
        table.add_row(f"{row.minutes:.1f}", str(row.version), f"{row.games:,}", *cells)
    OUT.print(table)


def draw(rows: list[Row], path: Path) -> None:
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
    settings: Annotated[list[str] | None, typer.Option("--set")] = None,
    device: Annotated[str, typer.Option()] = "auto",
) -> None:
    try:
        if not run_folder(run).exists():
            train(run, game, minutes, settings or [], device)
        rows = measure(run, positions, points, device)
        show(rows)
        if plot:
            draw(rows, plot)
    except NoughtError as error:
        OUT.print(f"[red]{error}[/]")
        raise typer.Exit(2) from None


if __name__ == "__main__":
    typer.run(main)
