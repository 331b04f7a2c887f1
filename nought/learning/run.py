"""A run is a folder. Whatever happens, what was committed last is whole.

    config.toml            the parameters; game.json the game's name, game.py its source if it is a file
    metrics.jsonl          a line for every iteration; steps.jsonl the losses of its steps
    versions/0003.safetensors   every accepted network
    memory/000012.npz      the positions of every iteration that is still in the window
    games/000012.jsonl     the games of every iteration; tournament/000012.jsonl those of its gate
    state/000012/          all that learning depends on, after that iteration and after the one before it

An iteration is committed by renaming its complete state folder into place; everything it wrote before that and
that a crash left behind is removed when the run is opened again. If that state cannot be read any more, the run goes
on from the one before it. Reading and listing runs does without torch.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout
from numpy.typing import NDArray

from nought.config import Parameters, RunParameters
from nought.errors import NoughtError
from nought.events import IterationReport, StepsReport
from nought.files import TEMPORARY, flush_folder
from nought.games import Game, load
from nought.learning.learned_game import LearnedGame, keep_game, kept_game, name_of_copy, read_facts
from nought.learning.reports import append_report, forget_after, read_reports, read_steps
from nought.learning.state import Progress, glance, read_progress, read_state, write_state
from nought.learning.storage import (
    Damaged,
    check_inside,
    check_plain,
    numbered,
    positions_in,
    read_arrays,
    read_text,
    reading,
    remove,
    write_arrays,
    write_text,
    zip_problem,
)
from nought.presets import from_toml, to_toml
from nought.shell import command

if TYPE_CHECKING:
    from torch import Tensor

    from nought.network.checkpoint import Checkpoint
    from nought.network.resnet import Network
    from nought.rating.match import MatchResult
    from nought.selfplay.worker import PlayedGame, Samples

LOCK_TIMEOUT = 1.0  # seconds in which others who only look whether a run is at work let go of its lock
KEPT_STATES = 2  # that are kept: the last, and one to fall back to
CONFIG, METRICS, STEPS, LOCK, STATE = "config.toml", "metrics.jsonl", "steps.jsonl", "lock", "state"
VERSIONS, SAMPLES, GAMES = ("versions", ".safetensors"), ("memory", ".npz"), ("games", ".jsonl")
TOURNAMENT = ("tournament", ".jsonl")
RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def runs_folder() -> Path:
    """Where runs are kept: beside what the user works on."""
    return Path("runs")


def new_run_folder(name: str) -> Path:
    """Where a run of this name belongs."""
    if not RUN_NAME.fullmatch(name):
        raise NoughtError(f"a run's name is letters, digits, dots and dashes, not {name!r}")
    return runs_folder() / name


def run_folders(folder: Path) -> list[Path]:
    """The folders in a folder that may be runs, by their names; whether they are is not looked at."""
    try:
        return sorted(path for path in folder.iterdir() if RUN_NAME.fullmatch(path.name) and path.is_dir())
    except OSError:
        return []


def run_folder(name: str) -> Path:
    """Where the run of this name is; runs/connect4-1, or another folder with a run, may be named as well."""
    path = Path(name)
    return path if len(path.parts) > 1 else new_run_folder(str(path))


class Run:
    """A run's folder, locked while it is open."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = folder = Path(folder)
        self.warnings: list[str] = []  # what was found damaged and could be done without
        self._lock = FileLock(folder / LOCK, timeout=LOCK_TIMEOUT, thread_local=False)
        if not folder.is_dir():
            raise NoughtError(f"there is no run in {folder}; `nought runs` lists them")
        config = folder / CONFIG
        with reading(config):
            self.parameters = from_toml(read_text(config), str(config))
        self.game_name = read_facts(folder).name  # as it was asked for

    @cached_property
    def learned(self) -> LearnedGame:
        """The game, and what has become of its file. It is loaded when it is first wanted: nothing of a run that is
        only listed is run, and rules that came from elsewhere not before they are confirmed."""
        return kept_game(self.folder)

    @property
    def game(self) -> Game:
        """The game that is learned."""
        return self.learned.game

    @classmethod
    def create(
        cls, folder: Path | str, game_name: str, parameters: Parameters, start: Checkpoint | None = None
    ) -> Run:
        """A new run; its folder must not exist. It begins with random weights, or with those of `start`."""
        parameters.check()
        folder = Path(folder)
        if folder.exists():
            name = folder.name
            raise NoughtError(
                f"there is a run {name} already: go on with `nought train --resume {name}`, or choose another name"
            )
        game = load(game_name)
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as temporary:
                new = Path(temporary) / folder.name
                for part, _ in (VERSIONS, SAMPLES, GAMES, TOURNAMENT, (STATE, "")):
                    (new / part).mkdir(parents=True)
                write_text(new / CONFIG, to_toml(parameters))
                keep_game(new, game_name)
                if start is not None:
                    from nought.network.checkpoint import save_network

                    save_network(version_path(new, 0), start.network, game, 0, start.facts)
                os.rename(new, folder)
        except OSError as error:
            raise NoughtError(f"the run's folder {folder} cannot be made: {error.strerror}") from None
        run = cls(folder)
        run.learned = LearnedGame(game, game_name, name_of_copy(folder))
        return run

    @property
    def name(self) -> str:
        """By which players and commands find it."""
        return self.folder.name if self.folder.parent == runs_folder() else str(self.folder)

    # ---- one process at a time -----------------------------------------------------------------------------
    def __enter__(self) -> Run:
        self.parameters.check()
        game = self.game  # which must be known before anything is changed
        try:
            check_inside(self.folder, self.folder / LOCK)
            self._lock.acquire()
        except Timeout:
            raise NoughtError(f"another process is working on the run {self.name}") from None
        except OSError as error:
            raise NoughtError(f"cannot write into {self.folder}: {error.strerror}") from None
        try:
            check_plain(self.folder)
            self._clean_up(game)
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    @property
    def busy(self) -> bool:
        """Whether a process works on the run."""
        if not stat.S_ISREG(_kind(self.folder / LOCK)):
            return False
        try:
            with self._lock.acquire(timeout=0):
                return False
        except Timeout:
            return True
        except OSError:  # a folder that cannot be written to: nobody works there
            return False

    def _clean_up(self, game: Game) -> None:
        """Go back to the last whole state: remove what was written after it."""
        progress = self._last_whole(game)
        for path in [*self.folder.rglob(f"{TEMPORARY}*")]:  # one may be within another
            remove(path)
        for (part, suffix), newest in (
            (SAMPLES, progress.iteration),
            (GAMES, progress.iteration),
            (TOURNAMENT, progress.iteration),
            (VERSIONS, progress.version),
        ):
            folder = self.folder / part
            if not folder.is_dir():
                remove(folder)
                folder.mkdir()
            for path in numbered(folder, suffix):
                if int(path.stem) > newest:
                    remove(path)
        self.warnings += forget_after(progress.iteration, self.folder / METRICS, read_reports)
        self.warnings += forget_after(progress.iteration, self.folder / STEPS, read_steps)

    def _last_whole(self, game: Game) -> Progress:
        """Where the run stands by its last whole state; what is left of later ones is removed."""
        states = self._states()
        damaged: list[Path] = []
        for state in reversed(states):
            try:
                read_state(state, game, self.parameters)
                progress = read_progress(state)
                self.network(progress.version)
            except NoughtError as error:
                damaged.append(state)
                self.warnings.append(f"{error}: it goes on from the state before")
            else:
                break
        else:
            self._check_new()
            progress = Progress()
        for state in damaged:
            remove(state)
        return progress

    def extend(self, limits: RunParameters) -> None:
        """Change when the run is over. Learning goes on as if it had been meant to last that long."""
        parameters = dataclasses.replace(self.parameters, run=limits)
        parameters.check()
        with self:
            write_text(self.folder / CONFIG, to_toml(parameters))
            self.parameters = parameters

    # ---- committing ----------------------------------------------------------------------------------------
    def commit(
        self,
        progress: Progress,
        tensors: dict[str, Tensor],
        games_state: dict[str, NDArray[Any]],
        *,
        samples: Samples | None = None,
        games: list[PlayedGame] | None = None,
        tournament: Sequence[MatchResult] = (),
        accepted: Network | None = None,
        report: IterationReport | None = None,
        steps: StepsReport | None = None,
        window: int = 0,
    ) -> None:
        """Write an iteration down; it counts from the moment its state folder has its name."""
        from nought.network.checkpoint import save_network
        from nought.selfplay.record import to_line

        number = f"{progress.iteration:06d}"
        if accepted is not None:
            facts = {"iteration": progress.iteration, "elo": progress.elo, "minutes": progress.minutes}
            save_network(self.version_path(progress.version), accepted, self.game, progress.version, facts)
        if samples is not None:
            write_arrays(self.folder / "memory" / f"{number}.npz", samples._asdict())
        if games is not None:
            lines = "".join(to_line(self._game_name, game) + "\n" for game in games)
            write_text(self.folder / "games" / f"{number}.jsonl", lines)
        for match in tournament:
            self.keep_match(number, match)
        state = self.folder / STATE
        new = Path(tempfile.mkdtemp(dir=state, prefix=TEMPORARY))
        write_state(new, progress, tensors, games_state)
        append_report(self.folder / METRICS, report)
        append_report(self.folder / STEPS, steps)
        os.rename(new, state / number)
        flush_folder(state)
        for old in self._states()[:-KEPT_STATES]:
            shutil.rmtree(old, ignore_errors=True)
        self._forget_old_samples(window)

    def keep_match(self, name: str, match: MatchResult) -> None:
        """Write the games of a match at the end of a file in the run's folder."""
        path = check_inside(self.folder, self.folder / TOURNAMENT[0] / f"{name}.jsonl")
        path.parent.mkdir(exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in match.lines(self._game_name))

    @property
    def _game_name(self) -> str:
        """By which games in files of the run find their rules."""
        return self.learned.copy or self.game.name

    def _forget_old_samples(self, window: int) -> None:
        """Remove the files of positions that have left the window of every state that is kept; 0: none."""
        kept = 0
        for place, path in enumerate(reversed(self._numbered(SAMPLES))):
            if window and kept >= window:
                remove(path)
            elif place >= KEPT_STATES - 1:  # the older state has not seen the newest positions
                kept += positions_in(path)

    # ---- reading -------------------------------------------------------------------------------------------
    def _numbered(self, kind: tuple[str, str]) -> list[Path]:
        """The files of a kind, the oldest first."""
        part, suffix = kind
        return numbered(check_inside(self.folder, self.folder / part), suffix)

    def _states(self) -> list[Path]:
        """The folders of the states that are kept, the oldest first."""
        return self._numbered((STATE, ""))

    def _check_new(self) -> None:
        """An error where a run without a whole state has learned something: its state is lost."""
        if (self.folder / STATE).is_dir() and not any(self._read_reports()):
            return
        raise NoughtError(
            f"the run {self.name} has no whole state left and cannot go on; its versions can be played, and "
            f"`{command('train', self.game_name, '--from', self.name)}` begins a new run with the last of them"
        )

    def progress(self) -> Progress:
        """Where the run stands, by the newest state that says so."""
        for _ in range(2):  # a process that works on it may just have removed what was there
            for state in reversed(self._states()):
                with contextlib.suppress(Damaged):
                    return read_progress(state)
        self._check_new()
        return Progress()

    def damage(self) -> list[str]:
        """What of the run cannot be read, as far as a quick look can tell, and what `--resume` makes of it."""
        found = []
        try:
            if (states := self._states()) and (problem := glance(states[-1])):
                found.append(f"{problem}: --resume goes on from the state before")
            for path in self._numbered(SAMPLES):
                if problem := zip_problem(path):
                    found.append(f"{problem}: --resume goes on without its positions")
            found += [f"{problem}: its iteration is not shown" for problem in self._read_reports()[1]]
        except Damaged as damaged:
            found.append(str(damaged))
        return found

    def restore(self) -> tuple[dict[str, Tensor], dict[str, NDArray[Any]]] | None:
        """The tensors and the games of the last committed iteration; None for a new run."""
        states = self._states()
        return read_state(states[-1], self.game, self.parameters) if states else None

    def samples(self) -> Iterator[Samples]:
        """The positions of the iterations that are kept, oldest first; a file that is damaged is left out."""
        from nought.selfplay.worker import Samples, check_samples

        for path in self._numbered(SAMPLES):
            try:
                with reading(path):
                    arrays = read_arrays(path)
                    samples = Samples(*(arrays[name] for name in Samples._fields))
                    check_samples(samples, self.game)
            except Damaged as damaged:
                if os.path.lexists(path):  # and not forgotten meanwhile, by the process that works on the run
                    self.warnings.append(f"{damaged}: it goes on without these positions")
            else:
                yield samples

    def reports(self) -> list[IterationReport]:
        """The reports of all iterations, less those that cannot be read."""
        return self._read_reports()[0]

    def steps(self) -> list[StepsReport]:
        """The losses of the steps of all iterations, less those that cannot be read or were not kept."""
        return read_steps(check_inside(self.folder, self.folder / STEPS))[0]

    def _read_reports(self) -> tuple[list[IterationReport], list[str]]:
        """The reports of all iterations, and what is wrong with others."""
        return read_reports(check_inside(self.folder, self.folder / METRICS))

    def versions(self) -> list[int]:
        """The versions whose networks are there, the oldest first."""
        return [int(path.stem) for path in self._numbered(VERSIONS)]

    def version_path(self, version: int) -> Path:
        return version_path(self.folder, version)

    def network(self, version: int) -> Network:
        from nought.network.checkpoint import load_network

        return load_network(check_inside(self.folder, self.version_path(version)), self.game).network

    def first_network(self) -> Network | None:
        """The network with which the run began or is to begin; None while its weights are still to be drawn."""
        return self.network(0) if self.version_path(0).exists() else None


def _kind(path: Path) -> int:
    """What a path leads to, as the system says it; 0 where there is nothing."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def version_path(folder: Path, version: int) -> Path:
    """The file of a version's network in a run's folder."""
    return folder / "versions" / f"{version:04d}.safetensors"
