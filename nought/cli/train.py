"""nought train: learn a game."""

from __future__ import annotations

import itertools
import re
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from nought.cli.shared import Cluster, Precision, say_note
from nought.config import Parameters, RunParameters
from nought.errors import NoughtError
from nought.events import Everyone
from nought.presets import Overrides, explained, from_toml, override, parse_overrides, preset
from nought.shell import command

if TYPE_CHECKING:
    from nought.learning.players import MakePlayers
    from nought.learning.run import Run
    from nought.learning.state import Progress
    from nought.network.checkpoint import Checkpoint


@dataclass(frozen=True)
class Limits:
    """How long to learn, as far as the command line says so; what it does not name is no limit."""

    iterations: int | None
    games: int | None
    minutes: float | None

    @property
    def given(self) -> bool:
        return any((self.iterations, self.games, self.minutes))

    @property
    def overrides(self) -> Overrides:
        """What of a run's parameters they change."""
        if not self.given:
            return {}
        return {
            "run.iterations": self.iterations or 0,
            "run.games": self.games or 0,
            "run.minutes": self.minutes or 0.0,
        }

    def after(self, done: Progress, before: RunParameters) -> RunParameters:
        """The limits of a run that has come this far and is to do as much more as is asked for."""
        return replace(
            before,
            iterations=done.iteration + self.iterations if self.iterations else 0,
            games=done.games + self.games if self.games else 0,
            minutes=round(done.minutes + self.minutes, 3) if self.minutes else 0.0,
        )

    def __str__(self) -> str:
        units = (("iterations", self.iterations), ("games", self.games), ("minutes", self.minutes))
        return " or ".join(f"{number:,g} {unit}" for unit, number in units if number)


def train(
    game: Annotated[str, typer.Argument(help="A name or a file, as in `nought games`.")] = "connect4",
    run: Annotated[
        str | None,
        typer.Option(help="Name of the run, a folder under runs/. [dim]Default: the game and a number.[/]"),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            help="Go on with this run instead of starting one; with --minutes, --iterations or --games for so "
            "many more, from where it stands."
        ),
    ] = None,
    preset_name: Annotated[
        str, typer.Option("--preset", help="best, wandhoven, wandhoven-code, prince, blog or classic.")
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
    iterations: Annotated[int | None, typer.Option(min=1, help="Stop after this many iterations.")] = None,
    games: Annotated[int | None, typer.Option(min=1, help="Stop after this many games of self-play.")] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            help="Stop after this many minutes, starting up included; for 30 or more a CPU learns a larger network. "
            "[dim]Default: 10.[/]",
        ),
    ] = None,
    device: Annotated[
        str, typer.Option(help="auto, cpu or cuda; several for the games, as cuda:0,cuda:1.")
    ] = "auto",
    cluster: Cluster = None,
    precision: Precision = None,
    show: Annotated[
        bool, typer.Option("--show", help="Print the parameters with their meaning, and do nothing.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line instead of a table.")] = False,
) -> None:
    """Learn a game from its rules alone, by playing against itself.

    Ctrl-C stops it; [cyan]--resume[/] goes on where it stopped, and lets a finished run learn further.

    Examples: [cyan]nought train connect4 --minutes 30 --set search.simulations=100[/],
    [cyan]nought train --resume connect4-1 --minutes 20[/]
    and [cyan]nought train connect4 --from agents/connect4-small[/]
    """
    from nought.learning.run import Run, new_run_folder, run_folder

    began = time.perf_counter()
    out = Console(highlight=False)
    limits = Limits(iterations, games, minutes)
    if resume is not None:
        if settings or start or config or precision:
            raise NoughtError(
                "a run keeps its parameters: --resume takes no --set, --precision, --config or --from; --minutes, "
                "--iterations and --games let it learn further"
            )
        if show:
            _show(out, Run(run_folder(resume)).parameters)
            return
        kept = Run(run_folder(resume)).parameters.cluster.address
        players = _players(kept if cluster is None else cluster)
        opened = _reopened(out if not json else Console(stderr=True, highlight=False), resume, limits)
        if opened is not None:
            _learn(out, opened, device, began, players, json=json)
        return
    changes = limits.overrides | parse_overrides(settings or [])
    if precision:
        changes["run.precision"] = precision
    if cluster and cluster != "none":
        changes["cluster.address"] = cluster
    if config is not None:
        parameters = override(_from_file(config), changes)
    else:
        parameters = preset(preset_name, game, changes, gpu=preset_name == "best" and _has_gpu(device))
    parameters.check()
    if show:
        _show(out, parameters)
        return
    players = _players(parameters.cluster.address if cluster is None else cluster)
    folder = new_run_folder(run or _new_name(game))
    first = _network(start, game) if start is not None else None
    if first is not None:
        if any(setting.strip().startswith("network.") for setting in settings or []):
            raise NoughtError("the network given with --from keeps its shape: no --set network. beside it")
        parameters = replace(parameters, network=first.parameters)
    _learn(out, Run.create(folder, game, parameters, first), device, began, players, json=json)


def _reopened(out: Console, name: str, limits: Limits) -> Run | None:
    """A run that is to go on, with other limits if there are any; None if it is finished."""
    from nought.learning.run import Run, run_folder

    run = Run(run_folder(name))
    say_note(run.learned.note)
    done = run.progress()
    stands = f"{done.iteration} iterations, {done.games:,} games, {done.minutes:.1f} minutes"
    if limits.given:
        run.extend(limits.after(done, run.parameters.run))
        out.print(f"{escape(run.name)} has learned for {stands}; it goes on for {limits} more")
    elif done.share_done(run.parameters.run) >= 1:
        out.print(f"{escape(run.name)} is finished: {stands}")
        out.print(
            f"learn 10 minutes more: [cyan]{escape(command('train', '--resume', run.name, '--minutes', '10'))}[/]",
            soft_wrap=True,
        )
        return None
    return run


def _players(address: str) -> MakePlayers | None:
    """Who plays: the cluster at this address, which must be there; None: this machine."""
    if address in ("", "none"):
        return None
    from nought.cluster.connect import require_cluster
    from nought.cluster.players import cluster_players

    require_cluster(address)
    return cluster_players(address)


def _learn(
    out: Console, run: Run, device: str, began: float, players: MakePlayers | None, *, json: bool
) -> None:
    """Learn, and say what came of it."""
    from nought.cli.watch import CtrlC, JsonLines, Terminal
    from nought.learning.loop import learn
    from nought.learning.tensorboard import tensorboard

    name = run.name
    if not json:
        out.print(f"[bold]{escape(run.game_name)}[/] → {escape(str(run.folder))}", soft_wrap=True)
    watching = JsonLines() if json else Terminal(out, run.parameters.run, run.progress(), began)
    try:
        with watching as listener, CtrlC() as ctrl_c:
            learn(run, Everyone([ctrl_c, listener, *tensorboard(run.folder)]), device, began, players)
    except KeyboardInterrupt:
        done = run.progress()
        Console(stderr=True, highlight=False).print(
            f"stopped after iteration {done.iteration}; go on with [cyan]{escape(command('train', '--resume', name))}[/]",
            soft_wrap=True,
        )
        raise typer.Exit(130) from None
    done = run.progress()
    if not json:
        out.print(
            f"version {done.version} after iteration {done.iteration}, {done.minutes:.1f} minutes\n"
            f"play against it: [cyan]{escape(command('play', name))}[/]\n"
            f"draw its curves: [cyan]{escape(command('plot', name))}[/]",
            soft_wrap=True,
        )


def _from_file(path: Path) -> Parameters:
    try:
        return from_toml(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise NoughtError(f"cannot read {path}: {error}") from None


def _network(name: str, game: str) -> Checkpoint:
    from nought.agents.networks import trained
    from nought.games import load
    from nought.network.checkpoint import load_network

    return load_network(trained(name).path, load(game), any_rules=True)


def _has_gpu(device: str) -> bool:
    from nought.network import choose_device, choose_devices

    return choose_device(choose_devices(device)[0]).type == "cuda"


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
