"""A run is a folder. Whatever happens, what was committed last is whole.

    config.toml            the parameters; game.json the game's name, game.py its source if it is a file
    metrics.jsonl          a line for every iteration
    versions/0003.safetensors   every accepted network
    memory/000012.npz      the positions of every iteration that is still in the window
    games/000012.jsonl     the games of every iteration
    state/000012/          all that learning depends on, after that iteration and after the one before it

An iteration is committed by renaming its complete state folder into place; everything it wrote before that and
that a crash left behind is removed when the run is opened again. If that state cannot be read any more, the run goes
on from the one before it. Reading and listing runs does without torch.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout
from numpy.typing import NDArray

from nought.config import Parameters, RunParameters
from nought.errors import NoughtError
from nought.events import ExamReport, GateReport, IterationReport, LearningReport, Met, SelfPlayReport
from nought.files import TEMPORARY, flush_folder, write_whole
from nought.games import load
from nought.learning.learned_game import keep_game, kept_game
from nought.learning.storage import positions_in, read_arrays, tensors_problem, write_arrays, zip_problem
from nought.presets import from_toml, to_toml
from nought.shell import command

if TYPE_CHECKING:
    from torch import Tensor

    from nought.network.checkpoint import Checkpoint
    from nought.network.resnet import Network
    from nought.selfplay.worker import PlayedGame, Samples

LOCK_TIMEOUT = 1.0  # seconds in which others who only look whether a run is at work let go of its lock
SLACK = 0.02  # of a run's minutes: for so little no iteration is begun
KEPT_STATES = 2  # that are kept: the last, and one to fall back to
RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def runs_folder() -> Path:
    """Where runs are kept: beside what the user works on."""
    return Path("runs")


def new_run_folder(name: str) -> Path:
    """Where a run of this name belongs."""
    if not RUN_NAME.fullmatch(name):
        raise NoughtError(f"a run's name is letters, digits, dots and dashes, not {name!r}")
    return runs_folder() / name


def run_folder(name: str) -> Path:
    """Where the run of this name is; runs/connect4-1, or another folder with a run, may be named as well."""
    path = Path(name)
    return path if len(path.parts) > 1 else new_run_folder(str(path))


@dataclass
class Progress:
    """Where a run stands, besides tensors and games."""

    iteration: int = 0  #       iterations committed
    version: int = 0  #         of the best network
    elo: float = 100.0  #       of the best network, on the papers' scale
    minutes: float = 0.0  #     of work so far
    games: int = 0  #           of self-play that have ended
    window: int = 1  #          size of the window at present
    precision: str = ""  #      in which the network calculates: as measured when the run began
    random: dict[str, Any] = dataclasses.field(default_factory=dict)  # state of the learner's generator

    def share_done(self, limits: RunParameters) -> float:
        """The share of the run that is done; 1 when it is over, which it is as soon as one limit is reached.

        It is over as well when hardly any minutes are left: too few for another iteration.
        """
        spent = (
            (self.iteration, limits.iterations),
            (self.games, limits.games),
            (self.minutes, limits.minutes),
        )
        share = max((done / limit for done, limit in spent if limit), default=0.0)
        over = limits.minutes and self.minutes >= (1 - SLACK) * limits.minutes
        return 1.0 if over else min(1.0, share)


class Run:
    """A run's folder, locked while it is open."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = folder = Path(folder)
        self.warnings: list[str] = []  # what was found damaged and could be done without
        self._lock = FileLock(folder / "lock", timeout=LOCK_TIMEOUT, thread_local=False)
        try:
            self.parameters = from_toml(
                (folder / "config.toml").read_text(encoding="utf-8"), str(folder / "config.toml")
            )
            self.learned = kept_game(folder)
            self.game, self.game_name = self.learned.game, self.learned.name
        except FileNotFoundError as error:
            if not folder.is_dir():
                raise NoughtError(f"there is no run in {folder}; `nought runs` lists them") from None
            raise NoughtError(f"there is no whole run in {folder}: {error.filename} is missing") from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise NoughtError(f"the run in {folder} cannot be read: {error}") from None

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
                for part in ("versions", "memory", "games", "state"):
                    (new / part).mkdir(parents=True)
                write_text(new / "config.toml", to_toml(parameters))
                keep_game(new, game_name)
                if start is not None:
                    from nought.network.checkpoint import save_network

                    save_network(version_path(new, 0), start.network, game, 0, start.facts)
                os.rename(new, folder)
        except OSError as error:
            raise NoughtError(f"the run's folder {folder} cannot be made: {error.strerror}") from None
        return cls(folder)

    @property
    def name(self) -> str:
        """By which players and commands find it."""
        return self.folder.name if self.folder.parent == runs_folder() else str(self.folder)

    # ---- one process at a time -----------------------------------------------------------------------------
    def __enter__(self) -> Run:
        try:
            self._lock.acquire()
        except Timeout:
            raise NoughtError(f"another process is working on the run {self.name}") from None
        except OSError as error:
            raise NoughtError(f"cannot write into {self.folder}: {error.strerror}") from None
        self._clean_up()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    @property
    def busy(self) -> bool:
        """Whether a process works on the run."""
        if not (self.folder / "lock").exists():
            return False
        try:
            with self._lock.acquire(timeout=0):
                return False
        except Timeout:
            return True
        except OSError:  # a folder that cannot be written to: nobody works there
            return False

    def _clean_up(self) -> None:
        """Go back to the last whole state: remove what was written after it."""
        states = self._states()
        last = next((state for state in states if _problem(state, thorough=True) is None), None)
        if last is None:
            self._check_new()
        for state in states if last is None else states[: states.index(last)]:
            self.warnings.append(f"{_problem(state, thorough=True)}: it goes on from the state before")
            shutil.rmtree(state)
        progress = self.progress()
        for path in [*self.folder.rglob(f"{TEMPORARY}*")]:  # one may be within another
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        for folder, newest in (
            ("memory", progress.iteration),
            ("games", progress.iteration),
            ("versions", progress.version),
        ):
            (self.folder / folder).mkdir(exist_ok=True)
            for path in (self.folder / folder).iterdir():
                if path.stem.isdigit() and int(path.stem) > newest:
                    path.unlink()
        kept = [line for line in self.metrics() if line["iteration"] <= progress.iteration]
        text = "".join(json.dumps(line) + "\n" for line in kept)
        path = self.folder / "metrics.jsonl"
        if path.exists() and path.read_text(encoding="utf-8", errors="replace") != text:
            write_text(path, text)

    def extend(self, limits: RunParameters) -> None:
        """Change when the run is over. Learning goes on as if it had been meant to last that long."""
        parameters = dataclasses.replace(self.parameters, run=limits)
        parameters.check()
        with self:
            write_text(self.folder / "config.toml", to_toml(parameters))
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
        accepted: Network | None = None,
        report: IterationReport | None = None,
        window: int = 0,
    ) -> None:
        """Write an iteration down; it counts from the moment its state folder has its name."""
        from safetensors.torch import save

        from nought.network.checkpoint import save_network
        from nought.selfplay.record import to_line

        number = f"{progress.iteration:06d}"
        if accepted is not None:
            facts = {"iteration": progress.iteration, "elo": progress.elo, "minutes": progress.minutes}
            save_network(self.version_path(progress.version), accepted, self.game, progress.version, facts)
        if samples is not None:
            write_arrays(self.folder / "memory" / f"{number}.npz", samples._asdict())
        if games is not None:
            name = self.learned.copy or self.game.name
            lines = "".join(to_line(name, game) + "\n" for game in games)
            write_text(self.folder / "games" / f"{number}.jsonl", lines)
        state = self.folder / "state"
        new = Path(tempfile.mkdtemp(dir=state, prefix=TEMPORARY))
        write_whole(new / "trainer.safetensors", save(tensors))
        write_arrays(new / "games.npz", games_state)
        write_text(new / "progress.json", json.dumps(dataclasses.asdict(progress)))
        if report is not None:
            with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(dataclasses.asdict(report)) + "\n")
        os.rename(new, state / number)
        flush_folder(state)
        for old in self._states()[KEPT_STATES:]:
            shutil.rmtree(old, ignore_errors=True)
        self._forget_old_samples(window)

    def _forget_old_samples(self, window: int) -> None:
        """Remove the files of positions that have left the window of every state that is kept; 0: none."""
        kept = 0
        for place, path in enumerate(sorted((self.folder / "memory").glob("*.npz"), reverse=True)):
            if window and kept >= window:
                path.unlink()
            elif place >= KEPT_STATES - 1:  # the older state has not seen the newest positions
                kept += positions_in(path)

    # ---- reading -------------------------------------------------------------------------------------------
    def _states(self) -> list[Path]:
        """The folders of the states that are kept, the newest first."""
        folder = self.folder / "state"
        found = folder.iterdir() if folder.is_dir() else ()
        return sorted((path for path in found if path.name.isdigit()), reverse=True)

    def _check_new(self) -> None:
        """An error where a run without a state has learned something: its state is lost."""
        if (self.folder / "state").is_dir() and not self.metrics():
            return
        name = self.name
        raise NoughtError(
            f"the run {name} has no whole state left and cannot go on; its versions can be played, and "
            f"`{command('train', self.game_name, '--from', name)}` begins a new run with the last of them"
        )

    def progress(self) -> Progress:
        """Where the run stands, by the newest state that says so."""
        for _ in range(2):  # a process that works on it may just have removed what was there
            for state in self._states():
                with contextlib.suppress(OSError, ValueError, TypeError):
                    return Progress(**json.loads((state / "progress.json").read_text(encoding="utf-8")))
        self._check_new()
        return Progress()

    def damage(self) -> list[str]:
        """What of the run cannot be read, as far as a quick look can tell, and what `--resume` makes of it."""
        found = []
        if (states := self._states()) and (problem := _problem(states[0])):
            found.append(f"{problem}: --resume goes on from the state before")
        for path in sorted((self.folder / "memory").glob("*.npz")):
            if problem := zip_problem(path):
                found.append(f"{problem}: --resume goes on without its positions")
        return found

    def restore(self) -> tuple[dict[str, Tensor], dict[str, NDArray[Any]]] | None:
        """The tensors and the games of the last committed iteration; None for a new run."""
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        states = self._states()
        if not states:
            return None
        try:
            return load_file(states[0] / "trainer.safetensors"), read_arrays(states[0] / "games.npz")
        except (OSError, SafetensorError, ValueError) as error:
            raise NoughtError(f"the state of the run in {states[0]} is damaged: {error}") from None

    def samples(self) -> Iterator[Samples]:
        """The positions of the iterations that are kept, oldest first; a file that is damaged is left out."""
        from nought.selfplay.worker import Samples

        for path in sorted((self.folder / "memory").glob("*.npz")):
            try:
                arrays = read_arrays(path)
                samples = Samples(*(arrays[name] for name in Samples._fields))
            except FileNotFoundError:  # forgotten meanwhile, by the process that works on the run
                continue
            except (ValueError, KeyError) as error:
                self.warnings.append(f"{path} is damaged, it goes on without these positions ({error})")
            else:
                yield samples

    def metrics(self) -> list[dict[str, Any]]:
        """The reports of all iterations."""
        path = self.folder / "metrics.jsonl"
        reports = []
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            with contextlib.suppress(json.JSONDecodeError):  # a last line cut off by a crash
                reports.append(json.loads(line))
        return reports

    def reports(self) -> list[IterationReport]:
        return [
            IterationReport(
                **{
                    **line,
                    "selfplay": SelfPlayReport(**line["selfplay"]),
                    "learning": LearningReport(**line["learning"]),
                    "gate": GateReport(**line["gate"]),
                    "exam": _exam(line["exam"]) if line.get("exam") else None,
                }
            )
            for line in self.metrics()
        ]

    def version_path(self, version: int) -> Path:
        return version_path(self.folder, version)

    def network(self, version: int) -> Network:
        from nought.network.checkpoint import load_network

        return load_network(self.version_path(version), self.game).network

    def first_network(self) -> Network | None:
        """The network with which the run began or is to begin; None while its weights are still to be drawn."""
        return self.network(0) if self.version_path(0).exists() else None


def _exam(line: dict[str, Any]) -> ExamReport:
    """Read an exam; ratings of earlier versions of this program, by games of the networks alone, are left out."""
    if "games" not in line:
        return ExamReport(line["accuracy"], (), None, line["seconds"])
    return ExamReport(**{**line, "games": tuple(Met(*met) for met in line["games"])})


def version_path(folder: Path, version: int) -> Path:
    """The file of a version's network in a run's folder."""
    return folder / "versions" / f"{version:04d}.safetensors"


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    write_whole(path, text.encode())


def _problem(state: Path, *, thorough: bool = False) -> str | None:
    """What is wrong with a state, if anything is; without being thorough, as far as a quick look can tell."""
    try:
        Progress(**json.loads((state / "progress.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return f"{state / 'progress.json'} is damaged"
    games = state / "games.npz"
    return tensors_problem(state / "trainer.safetensors") or zip_problem(games, thorough=thorough)
