"""A run is a folder. Whatever happens, what was committed last is whole.

    config.toml            the parameters; game.json the game's name, game.py its source if it is a file
    metrics.jsonl          a line for every iteration
    versions/0003.safetensors   every accepted network
    memory/000012.npz      the positions of every iteration that is still in the window
    games/000012.jsonl     the games of every iteration
    state/000012/          all that learning depends on, after that iteration

An iteration is committed by renaming its complete state folder into place; everything it wrote before that and
that a crash left behind is removed when the run is opened again.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import io
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from nought.config import Parameters, RunParameters
from nought.errors import NoughtError
from nought.events import ExamReport, GateReport, IterationReport, LearningReport, Met, SelfPlayReport
from nought.files import TEMPORARY, flush_folder, write_whole
from nought.games import Game, load
from nought.network.checkpoint import Checkpoint, load_network, save_network
from nought.network.resnet import Network
from nought.presets import from_toml, to_toml
from nought.selfplay.record import to_line
from nought.selfplay.worker import PlayedGame, Samples

RUNS = Path("runs")
LOCKED = 1.0  # seconds in which others who only look whether a run is at work let go of its lock
SLACK = 0.02  # of a run's minutes: for so little no iteration is begun
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def run_folder(name: str) -> Path:
    """Where the run of this name is."""
    if not NAME.fullmatch(name):
        raise NoughtError(f"a run's name is letters, digits, dots and dashes, not {name!r}")
    return RUNS / name


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

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = FileLock(folder / "lock", timeout=LOCKED, thread_local=False)
        try:
            self.parameters = from_toml(
                (folder / "config.toml").read_text(encoding="utf-8"), str(folder / "config.toml")
            )
            facts = json.loads((folder / "game.json").read_text(encoding="utf-8"))
            self.game_name: str = facts["name"]  # as it was asked for
            self.game: Game = load(
                facts["name"] if not facts["file"] else str(folder / "game.py") + facts["size"]
            )
        except FileNotFoundError:
            raise NoughtError(f"there is no run in {folder}; `nought runs` lists them") from None
        except (OSError, json.JSONDecodeError, KeyError) as error:
            raise NoughtError(f"the run in {folder} cannot be read: {error}") from None

    @classmethod
    def create(
        cls, folder: Path, game_name: str, parameters: Parameters, start: Checkpoint | None = None
    ) -> Run:
        """A new run; its folder must not exist. It begins with random weights, or with those of `start`."""
        parameters.check()
        game = load(game_name)
        base, size = (game_name, "")
        if match := re.fullmatch(r"(.+\.py)(:[0-9x:]+)?", game_name):
            base, size = match[1], match[2] or ""
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as temporary:
                new = Path(temporary) / folder.name
                for part in ("versions", "memory", "games", "state"):
                    (new / part).mkdir(parents=True)
                write_text(new / "config.toml", to_toml(parameters))
                facts = {"name": game_name, "file": bool(match), "size": size}
                write_text(new / "game.json", json.dumps(facts))
                if match:
                    shutil.copyfile(base, new / "game.py")
                if start is not None:
                    save_network(version_path(new, 0), start.network, game, 0, start.facts)
                os.rename(new, folder)
        except OSError as error:
            raise NoughtError(f"the run's folder {folder} cannot be made: {error.strerror}") from None
        return cls(folder)

    # ---- one process at a time -----------------------------------------------------------------------------
    def __enter__(self) -> Run:
        try:
            self._lock.acquire()
        except Timeout:
            raise NoughtError(f"another process is working on the run {self.folder.name}") from None
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
        """Whether a process works on it."""
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
        """Remove what was written after the last commit."""
        progress = self.progress()
        for path in [*self.folder.rglob(f"{TEMPORARY}*")]:  # one may be within another
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        for folder, last in (
            ("memory", progress.iteration),
            ("games", progress.iteration),
            ("versions", progress.version),
        ):
            for path in (self.folder / folder).iterdir():
                if int(path.stem) > last:
                    path.unlink()
        kept = [line for line in self.metrics() if line["iteration"] <= progress.iteration]
        if self.metrics() != kept:
            write_text(self.folder / "metrics.jsonl", "".join(json.dumps(line) + "\n" for line in kept))

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
        memory: int = 0,
    ) -> None:
        """Write an iteration down; it counts from the moment its state folder has its name."""
        number = f"{progress.iteration:06d}"
        if accepted is not None:
            facts = {"iteration": progress.iteration, "elo": progress.elo, "minutes": progress.minutes}
            save_network(self.version_path(progress.version), accepted, self.game, progress.version, facts)
        if samples is not None:
            write_arrays(self.folder / "memory" / f"{number}.npz", samples._asdict())
        if games is not None:
            lines = "".join(to_line(self.game, game) + "\n" for game in games)
            write_text(self.folder / "games" / f"{number}.jsonl", lines)
        state = self.folder / "state"
        new = Path(tempfile.mkdtemp(dir=state, prefix=TEMPORARY))
        write_whole(new / "trainer.safetensors", save(tensors))
        write_arrays(new / "games.npz", games_state)
        write_text(new / "progress.json", json.dumps(dataclasses.asdict(progress)))
        os.rename(new, state / number)
        flush_folder(state)
        if report is not None:
            with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(dataclasses.asdict(report)) + "\n")
        for old in state.iterdir():
            if old.name < number:
                shutil.rmtree(old, ignore_errors=True)
        self._forget_old_memory(memory)

    def _forget_old_memory(self, memory: int) -> None:
        """Keep the files of the newest positions, so many of them at least; 0: all."""
        kept = 0
        for path in sorted((self.folder / "memory").glob("*.npz"), reverse=True):
            if memory and kept >= memory:
                path.unlink()
            else:
                with np.load(path, allow_pickle=False) as arrays:
                    kept += len(arrays["outcome"])

    # ---- reading -------------------------------------------------------------------------------------------
    def _state(self) -> Path | None:
        states = sorted(p for p in (self.folder / "state").iterdir() if p.name.isdigit())
        return states[-1] if states else None

    def progress(self) -> Progress:
        state = self._state()
        return Progress() if state is None else Progress(**json.loads((state / "progress.json").read_text()))

    def restore(self) -> tuple[dict[str, Tensor], dict[str, NDArray[Any]]] | None:
        """The tensors and the games of the last committed iteration; None for a new run."""
        state = self._state()
        if state is None:
            return None
        try:
            return load_file(state / "trainer.safetensors"), read_arrays(state / "games.npz")
        except (OSError, SafetensorError, ValueError) as error:
            raise NoughtError(f"the state of the run in {state} is damaged: {error}") from None

    def samples(self) -> Iterator[Samples]:
        """The positions of the iterations that are kept, oldest first."""
        for path in sorted((self.folder / "memory").glob("*.npz")):
            arrays = read_arrays(path)
            yield Samples(*(arrays[name] for name in Samples._fields))

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
        return load_network(self.version_path(version), self.game).network

    def first_network(self) -> Network | None:
        """What the run began or is to begin with; None while that is still to be drawn."""
        return self.network(0) if self.version_path(0).exists() else None


@contextlib.contextmanager
def failures_explained(run: Run) -> Iterator[None]:
    """Turn what can happen to a long run into a line that says what to do."""
    how = f"the run is whole up to its last iteration; go on with `nought train --resume {run.folder.name}`"
    try:
        yield
    except OSError as error:
        what = "the disk is full" if error.errno == errno.ENOSPC else f"cannot write: {error}"
        raise NoughtError(f"{what}; {how}") from None
    except RuntimeError as error:
        if "cuda" not in str(error).lower():
            raise
        raise NoughtError(f"the GPU failed ({str(error).splitlines()[0]}); {how}") from None


def _exam(line: dict[str, Any]) -> ExamReport:
    """Earlier versions of this program rated otherwise, by games of the networks alone: those are left out."""
    if "games" not in line:
        return ExamReport(line["accuracy"], (), None, line["seconds"])
    return ExamReport(**{**line, "games": tuple(Met(*met) for met in line["games"])})


def version_path(folder: Path, version: int) -> Path:
    return folder / "versions" / f"{version:04d}.safetensors"


def write_text(path: Path, text: str) -> None:
    write_whole(path, text.encode())


def write_arrays(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    write_whole(path, buffer.getvalue())


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)
