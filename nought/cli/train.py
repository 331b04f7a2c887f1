"""nought train: learn a game."""

from __future__ import annotations

import dataclasses
import itertools
import json as json_module
import re
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from nought.config import Parameters
from nought.errors import NoughtError
from nought.events import IterationReport
from nought.presets import Overrides, explained, override, parse_overrides, preset


def train(
    game: Annotated[str, typer.Argument(help="A name or a file, as in `nought games`.")] = "connect4",
    run: Annotated[
        str | None,
        typer.Option(help="Name of the run, a folder under runs/. [dim]Default: the game and a number.[/]"),
    ] = None,
    resume: Annotated[str | None, typer.Option(help="Go on with this run instead of starting one.")] = None,
    preset_name: Annotated[
        str, typer.Option("--preset", help="best, wandhoven, prince, blog or classic.")
    ] = "best",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change a parameter: section.name=value. Repeat as needed."),
    ] = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="Stop after so many iterations.")] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0.01, help="Stop after so many minutes. [dim]Default: 10.[/]")
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    show: Annotated[
        bool, typer.Option("--show", help="Print the parameters with their meaning, and do nothing.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line instead of a table.")] = False,
) -> None:
    """Learn a game from its rules alone, by playing against itself.

    Ctrl-C stops it; [cyan]--resume[/] goes on where it stopped.

    Example: [cyan]nought train connect4 --minutes 30 --set search.simulations=100[/]
    """
    out = Console(highlight=False)
    gpu = preset_name == "best" and resume is None and _has_gpu(device)
    parameters = _parameters(preset(preset_name, game, gpu=gpu), settings, iterations, minutes)
    if show:
        _show(out, parameters)
        return
    from nought.learning.loop import learn
    from nought.learning.run import Run, run_folder

    if resume is not None:
        if settings or iterations or minutes:
            raise NoughtError(
                "a run keeps its parameters: --resume takes no --set, --iterations or --minutes"
            )
        opened = Run(run_folder(resume))
    else:
        opened = Run.create(run_folder(run or _new_name(game)), game, parameters)
    name = opened.folder.name
    game_argument = opened.game_name
    listener = JsonLines() if json else Terminal(out)
    if not json:
        out.print(f"[bold]{escape(opened.game.name)}[/] → {opened.folder}")
    try:
        with listener:
            learn(opened, listener, device)
    except KeyboardInterrupt:
        done = opened.progress()
        Console(stderr=True, highlight=False).print(
            f"stopped after iteration {done.iteration}; go on with [cyan]nought train --resume {name}[/]"
        )
        raise typer.Exit(130) from None
    done = opened.progress()
    if not json:
        out.print(f"version {done.version} after {done.iteration} iterations, {done.minutes:.1f} minutes")
        out.print(f"play against it: [cyan]nought play {escape(game_argument)} --agent search:{name}[/]")
        out.print(f"draw its curves: [cyan]nought plot {name}[/]")


def _has_gpu(device: str) -> bool:
    from nought.network import choose_device

    return choose_device(device).type == "cuda"


def _parameters(
    start: Parameters, settings: list[str] | None, iterations: int | None, minutes: float | None
) -> Parameters:
    overrides: Overrides = {}
    if iterations is not None:
        overrides |= {"run.iterations": iterations, "run.minutes": minutes or 0.0}
    elif minutes is not None:
        overrides |= {"run.minutes": minutes}
    parameters = override(start, overrides | parse_overrides(settings or []))
    parameters.check()
    return parameters


def _new_name(game: str) -> str:
    """The game's name and the first number that is free."""
    base = re.sub("[^a-z0-9]+", "-", Path(game).stem.lower() if game.endswith(".py") else game.lower()).strip(
        "-"
    )
    from nought.learning.run import run_folder

    return next(f"{base}-{n}" for n in itertools.count(1) if not run_folder(f"{base}-{n}").exists())


def _show(out: Console, parameters: Parameters) -> None:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in ("parameter", "value", "meaning", "in the papers"):
        table.add_column(column, overflow="fold")
    for row in explained(parameters):
        table.add_row(*map(escape, row))
    out.print(table)


class JsonLines:
    """Every iteration as a line of JSON on standard output."""

    def __enter__(self) -> JsonLines:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def progress(self, phase: str, done: float) -> None:
        pass

    def iteration(self, report: IterationReport) -> None:
        typer.echo(json_module.dumps(dataclasses.asdict(report)))


class Terminal:
    """A line for every iteration, and in a real terminal a bar for the phase under way."""

    COLUMNS = (
        ("iter", 4), ("minutes", 7), ("games", 6), ("positions", 9), ("/s", 6),
        ("policy (best)", 13), ("value", 5), ("version", 7), ("gate", 14),
    )  # fmt: skip

    def __init__(self, out: Console) -> None:
        self.out = out
        self.bar = Progress(
            TextColumn("[dim]{task.description:<10}"),
            BarColumn(40),
            TextColumn("[dim]{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            console=out,
            transient=True,
            disable=not out.is_terminal,
        )
        self.task = self.bar.add_task("preparing", total=1.0)

    def __enter__(self) -> Terminal:
        self.header()
        self.bar.start()
        return self

    def header(self) -> None:
        self.out.print("[dim]" + " ".join(f"{name:>{width}}" for name, width in self.COLUMNS) + "[/]")

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def progress(self, phase: str, done: float) -> None:
        self.bar.update(self.task, description=phase, completed=done)

    def iteration(self, report: IterationReport) -> None:
        played, learned, judged = report.selfplay, report.learning, report.gate
        verdict = "✓" if judged.accepted else "✗"
        match = f"{judged.wins}-{judged.draws}-{judged.losses} {verdict}" if judged.seconds else "–"
        cells = (
            f"{report.iteration}",
            f"{report.minutes:.1f}",
            f"{played.games:,}",
            f"{played.positions:,}",
            f"{played.positions / played.seconds:,.0f}",
            f"{learned.policy_loss:.3f} ({learned.policy_entropy:.2f})",
            f"{learned.value_loss:.3f}",
            f"{report.version}",
            match,
        )
        self.out.print(
            " ".join(f"{cell:>{width}}" for cell, (_, width) in zip(cells, self.COLUMNS, strict=True))
        )
