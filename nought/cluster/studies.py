"""A study whose runs are spread over a cluster: each learns on some machine, and its folder grows here as if it did so here."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from nought.cluster.agreement import this_program
from nought.cluster.carrying import Changes, apply, changes, whole
from nought.cluster.connect import connected
from nought.cluster.crew import Answer, Crew, Member, seats_of
from nought.errors import NoughtError
from nought.learning.run import Run, run_folder
from nought.scratch import ScratchFolder
from nought.study.plan import PlannedRun, Study
from nought.study.sweep import REPORT_INTERVAL, SweepListener, standing

POLL = 0.2  #          seconds between looks at what has come
ROUND = 5.0  #         seconds after which a machine says what has changed
TIMEOUT = 120.0  #     seconds beyond them before it is replaced
BEGIN_TIMEOUT = 600.0  # seconds for a run's folder to arrive


@dataclass(frozen=True)
class News:
    """What a machine says about its run."""

    changes: Changes
    over: bool
    error: str = ""


class RemoteRun:
    """Learns on some machine, in a folder of its own there."""

    def greet(self) -> tuple[str, str]:
        """Which nought this machine has."""
        version, code = this_program()
        return version, code

    def prepare(self, device: str) -> None:
        """Ready for any run."""
        self.device = device
        self.thread: threading.Thread | None = None

    def begin(self, files: dict[str, bytes]) -> bool:
        """Go on with the run in these files."""
        self.place = ScratchFolder("run")
        folder = self.place.path / "run"
        apply(folder, Changes(files, frozenset(files)))
        _trust(folder)
        self.folder, self.marks, self.error = folder, changes(folder, {})[1], ""
        self.thread = threading.Thread(target=self._learn, daemon=True)
        self.thread.start()
        return True

    def _learn(self) -> None:
        from nought.learning.loop import learn

        try:
            learn(Run(self.folder), device=self.device)
        except NoughtError as error:
            self.error = str(error)
        except Exception as error:
            self.error = f"{type(error).__name__}: {error}"

    def news(self, seconds: float) -> News:
        """What has changed, after so many seconds or when the run is over."""
        assert self.thread is not None
        self.thread.join(seconds)
        over = not self.thread.is_alive()  # asked first: what it did before its end counts
        found, self.marks = changes(self.folder, self.marks)
        if over:
            self.place.close()
        return News(found, over, self.error)


def _trust(folder: Path) -> None:
    """The rules that came with a run are those of whoever runs the study."""
    from nought.games.trust import remember
    from nought.learning.learned_game import RULES

    if (rules := folder / RULES).is_file():
        remember(rules, rules.read_text(encoding="utf-8"))


class ClusterSweep:
    """Does what is not done yet of a study. A run that fails does not stop the others; one whose machine is lost goes
    on somewhere else, from what had come back of it."""

    def __init__(self, study: Study, crew: Crew, listener: SweepListener) -> None:
        self.crew, self.listener = crew, listener
        self.shares = {planned: standing(planned).share for planned in study.runs()}
        self.waiting = [planned for planned, share in self.shares.items() if share < 1]
        self.working: dict[Member, PlannedRun] = {}
        self.locks: dict[PlannedRun, ExitStack] = {}
        self.failed: dict[str, str] = {}

    def run(self) -> None:
        """Until all runs are done."""
        looked = 0.0
        try:
            while self.waiting or self.working:
                for member in self.crew.free:
                    if member not in self.working and self.waiting:
                        self._begin(member, self.waiting.pop(0))
                for answer in self.crew.answers(POLL):
                    self._take(answer)
                if time.monotonic() - looked > REPORT_INTERVAL:
                    looked = time.monotonic()
                    self.listener.standing(
                        list(self.working.values()), sum(self.shares.values()) / len(self.shares)
                    )
        finally:
            for lock in self.locks.values():
                lock.close()
        if self.failed:
            name, why = next(iter(self.failed.items()))
            raise NoughtError(f"{len(self.failed)} of {len(self.shares)} runs failed; {name}: {why}")

    def _begin(self, member: Member, planned: PlannedRun) -> None:
        """Send a run to a machine; nobody else works on it meanwhile."""
        folder = run_folder(planned.name)
        if not folder.exists():
            Run.create(folder, planned.game, planned.parameters)
        if planned not in self.locks:
            self.locks[planned] = ExitStack()
            self.locks[planned].enter_context(Run(folder))
        self.working[member] = planned
        self.crew.ask(member, planned, "begin", whole(folder), limit=BEGIN_TIMEOUT)

    def _take(self, answer: Answer) -> None:
        planned = self.working.get(answer.member)
        if planned is None:
            return
        news = answer.value
        if news is None:  # the machine is lost
            del self.working[answer.member]
            self.waiting.insert(0, planned)
            return
        if isinstance(news, News):
            apply(run_folder(planned.name), news.changes)
            self.shares[planned] = standing(planned).share
            if news.over:
                self._end(answer.member, planned, news.error)
                return
        self.crew.ask(answer.member, planned, "news", ROUND, limit=ROUND + TIMEOUT)

    def _end(self, member: Member, planned: PlannedRun, error: str) -> None:
        del self.working[member]
        self.locks.pop(planned).close()
        if error:
            self.failed[planned.name] = error
        else:
            self.listener.ended(planned, standing(planned).progress.minutes)


def cluster_sweep(
    study: Study, address: str, device: str, listener: SweepListener, warn: Callable[[str], None]
) -> None:
    """Do what is not done yet of a study, on the cluster at this address: as many runs at once as it has room for."""

    def prepare(member: Member) -> str:
        return member.device if device == "auto" else device

    with connected(address) as ray:
        crew = Crew(ray, RemoteRun, prepare, seats_of(study.threads), warn)
        try:
            ClusterSweep(study, crew, listener).run()
        finally:
            crew.close()
