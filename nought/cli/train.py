"""nought train: learn a game."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from nought.cli.watch import CtrlC, JsonLines, Terminal
from nought.config import Parameters
from nought.errors import NoughtError
from nought.events import Everyone
from nought.presets import Overrides, explained, from_toml, override, parse_overrides, preset

if TYPE_CHECKING:
    from nought.network.checkpoint import Checkpoint


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
    config: Annotated[
        Path | None,
        typer.Option(help="Start from the config.toml of a run or an agent instead of a preset."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="Begin with this network instead of random weights: a run, a file, or agents/connect4.",
        ),
    ] = None,
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

    Examples: [cyan]nought train connect4 --minutes 30 --set search.simulations=100[/]
    and [cyan]nought train connect4 --from agents/connect4-small[/]
    """
    out = Console(highlight=False)
    if config is not None:
        parameters = _from_file(config)
    else:
        parameters = preset(
            preset_name, game, gpu=preset_name == "best" and resume is None and _has_gpu(device)
        )
    parameters = _changed(parameters, settings, iterations, minutes)
    if show:
        _show(out, parameters)
        return
    from nought.learning.loop import learn
    from nought.learning.run import Run, run_folder
    from nought.learning.tensorboard import tensorboard

    if resume is not None:
        if settings or iterations or minutes or start:
            raise NoughtError(
                "a run keeps its parameters: --resume takes no --set, --iterations, --minutes or --from"
            )
        opened = Run(run_folder(resume))
    else:
        first = _network(start, game) if start is not None else None
        if first is not None:
            if any(setting.strip().startswith("network.") for setting in settings or []):
                raise NoughtError(
                    "the network given with --from keeps its shape: no --set network. beside it"
                )
            parameters = replace(parameters, network=first.parameters)
        opened = Run.create(run_folder(run or _new_name(game)), game, parameters, first)
    name = opened.folder.name
    game_argument = opened.game_name
    if not json:
        out.print(f"[bold]{escape(opened.game.name)}[/] → {opened.folder}")
    try:
        with JsonLines() if json else Terminal(out, opened.parameters.run) as listener, CtrlC() as ctrl_c:
            learn(opened, Everyone([ctrl_c, listener, *tensorboard(opened.folder)]), device)
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


def _from_file(path: Path) -> Parameters:
    try:
        return from_toml(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise NoughtError(f"cannot read {path}: {error}") from None


def _network(name: str, game: str) -> Checkpoint:
    from nought.agents.networks import trained
    from nought.games import load
    from nought.network.checkpoint import load_network

    return load_network(trained(name).path, load(game))


def _has_gpu(device: str) -> bool:
    from nought.network import choose_device

    return choose_device(device).type == "cuda"


def _changed(
    parameters: Parameters, settings: list[str] | None, iterations: int | None, minutes: float | None
) -> Parameters:
    overrides: Overrides = {}
    if iterations is not None:
        overrides |= {"run.iterations": iterations, "run.minutes": minutes or 0.0}
    elif minutes is not None:
        overrides |= {"run.minutes": minutes}
    parameters = override(parameters, overrides | parse_overrides(settings or []))
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
