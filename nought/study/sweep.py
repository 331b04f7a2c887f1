"""Doing a study's runs: several at once, what is done is skipped, what was begun goes on."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from nought.config import Parameters
from nought.errors import NoughtError
from nought.learning.run import Run, run_folder
from nought.learning.state import Progress
from nought.study.plan import PlannedRun, Study

POLL = 0.2  # seconds between looks whether a process has ended
REPORT_INTERVAL = 5.0  # seconds between looks how far the runs are
LOG = "study.log"  # in a run's folder: what its process said


class SweepListener(Protocol):
    """Is told where the study stands."""

    def ended(self, run: PlannedRun, minutes: float) -> None:
        """A run is done; it took this many minutes of work in all."""
        ...

    def standing(self, working: Sequence[PlannedRun], share: float) -> None:
        """These runs are under way, and this share of the study is done."""
        ...


@dataclass(frozen=True)
class RunStanding:
    """How far a run is."""

    share: float  #         of its budget
    progress: Progress

    @property
    def done(self) -> bool:
        return self.share >= 1


def standing(planned: PlannedRun) -> RunStanding:
    """How far a run is, which may not have begun; a NoughtError if its folder holds another one."""
    folder = run_folder(planned.name)
    if not folder.exists():
        return RunStanding(0.0, Progress())
    run = Run(folder)
    if run.parameters != planned.parameters:
        what = next(_differences(run.parameters, planned.parameters))
        raise NoughtError(
            f"the run {planned.name} was made with another {what}: rename the study, or delete {folder}"
        )
    progress = run.progress()
    return RunStanding(progress.share_done(planned.parameters.run), progress)


def sweep(study: Study, jobs: int, device: str, listener: SweepListener) -> None:
    """Do what is not done yet, several runs at once. A run that fails does not stop the others."""
    shares = {planned: standing(planned).share for planned in study.runs()}
    waiting = [planned for planned, share in shares.items() if share < 1]
    working: dict[PlannedRun, subprocess.Popen[bytes]] = {}
    failed: dict[str, str] = {}
    looked = 0.0
    try:
        while waiting or working:
            while waiting and len(working) < jobs:
                planned = waiting.pop(0)
                working[planned] = _begin(planned, study.threads, device)
            time.sleep(POLL)
            ended = {planned: process for planned, process in working.items() if process.poll() is not None}
            for planned, process in ended.items():
                del working[planned]
                now = standing(planned)
                shares[planned] = now.share
                if process.returncode:
                    failed[planned.name] = _last_words(planned, process.returncode)
                else:
                    listener.ended(planned, now.progress.minutes)
            if ended or time.monotonic() - looked > REPORT_INTERVAL:
                shares |= {planned: standing(planned).share for planned in working}
                listener.standing(list(working), sum(shares.values()) / len(shares))
                looked = time.monotonic()
    finally:
        for process in working.values():
            process.kill()  # its run is whole up to the last iteration
            process.wait()
    if failed:
        name, why = next(iter(failed.items()))
        raise NoughtError(f"{len(failed)} of {len(shares)} runs failed; {name}: {why}")


def _begin(planned: PlannedRun, threads: int, device: str) -> subprocess.Popen[bytes]:
    folder = run_folder(planned.name)
    if not folder.exists():
        Run.create(folder, planned.game, planned.parameters)
    with (folder / LOG).open("wb") as log:
        return start(folder, threads, device, log)


def start(folder: Path, threads: int, device: str, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """A process that goes on with the run in this folder, on this many threads, as long as this process lives."""
    limits = {name: str(threads) for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    return subprocess.Popen(
        [sys.executable, "-m", "nought.study.child", str(folder), device],
        stdin=subprocess.PIPE,  # which ends when this process does
        stdout=log,
        stderr=log,
        env=os.environ | limits,
        start_new_session=True,  # Ctrl-C is for the study, which then ends its runs
    )


def _last_words(planned: PlannedRun, code: int) -> str:
    with contextlib.suppress(OSError):
        text = (run_folder(planned.name) / LOG).read_text(encoding="utf-8", errors="replace")
        if lines := text.strip().splitlines():
            return lines[-1]
    return f"it ended with {code}"


def _differences(a: Parameters, b: Parameters) -> Iterator[str]:
    for section in dataclasses.fields(a):
        ours, theirs = (dataclasses.asdict(getattr(p, section.name)) for p in (a, b))
        for key, value in ours.items():
            if theirs[key] != value:
                yield f"{section.name}.{key} ({value}, now {theirs[key]})"
