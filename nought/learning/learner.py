"""Everything that learns, as it stands after the run's last committed iteration."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np

from nought.events import (
    ExamReport,
    GateReport,
    IterationReport,
    LearningReport,
    Listener,
    MachineReport,
    SelfPlayReport,
    StepsReport,
)
from nought.learning.device_window import DeviceWindow
from nought.learning.exam import Examiner, compile_meanwhile
from nought.learning.gate import gate
from nought.learning.pace import Pace
from nought.learning.players import MakePlayers, Players
from nought.learning.run import Run
from nought.learning.state import Progress
from nought.learning.together import TrainerOfSeveral
from nought.learning.trainer import Trainer
from nought.learning.window import Window
from nought.network.evaluator import NetworkEvaluator, choose_device, choose_devices
from nought.network.resnet import Network, build_network
from nought.rating.match import MatchResult
from nought.selfplay.local import LocalPlayer, evaluators, gpu_launcher, images
from nought.selfplay.worker import PlayedGame, Samples, SelfPlayResult, joined


class Learner:
    """The parts of the algorithm, and the run in which they are kept.

    An iteration is written down by another thread while the next one plays. Leaving waits until it is.
    """

    def __init__(
        self,
        run: Run,
        listener: Listener,
        device: str,
        began: float | None = None,
        players: MakePlayers | None = None,
    ) -> None:
        self.run, self.game, self.parameters = run, run.game, run.parameters
        self.listener = listener
        self.done = run.progress()
        self.began = time.perf_counter() if began is None else began  # since then time is not in `done` yet
        self.pace = Pace()
        p = self.parameters
        self.random = np.random.default_rng(p.run.seed)
        self.steps = 0  # that the run has taken before the iteration under way
        self.said = False  # that some versions are not evaluated in the precision chosen
        devices = choose_devices(device)  # games are dealt out among them; all else is the first one's
        given = run.first_network() if self.done.iteration == 0 else None  # later weights are in the state
        network = given or build_network(self.game, p.network, p.run.seed)
        where, seen = choose_device(devices[0]), images(self.game, p)
        if where.type == "cuda":
            compile_meanwhile(self.game)
        launcher = gpu_launcher(self.game, p, where, listener.warning) if len(devices) == 1 else None
        self.window = (
            Window(self.game, p.learning)
            if launcher is None or p.learning.devices > 1  # one process would have all of it
            else DeviceWindow(self.game, p.learning, launcher, where)
        )
        measured = {"precision": self.done.precision, "floats": self.done.floats}
        if players is None:
            first = 0 if self.done.iteration == 0 else None
            player = LocalPlayer(
                self.game, p, network, device, **measured, seed=p.run.seed, version=first, launcher=launcher
            )
        evaluator = evaluators(self.game, p, network, devices[0], **measured)
        self.best, self.new = (evaluator(capacity=p.gate.games * seen) for _ in range(2))
        chosen = self.best.chosen
        self.done.precision, self.done.floats = chosen.precision, chosen.floats
        threads = p.selfplay.all_threads
        make_trainer = TrainerOfSeveral if p.learning.devices > 1 else Trainer
        self.trainer = make_trainer(network, p, where, self.done.floats, threads)
        versions = Versions(self._network, partial(evaluator, capacity=max(1, p.exam.games) * seen))
        self.examiner = Examiner(self.game, p, versions)
        self.writer = ThreadPoolExecutor(1)
        self.written: Future[None] | None = None
        why = "as when the run began" if self.best.precision == measured["precision"] else self.best.why
        try:
            self.players: Players = player if players is None else players(run, listener)
        except BaseException:
            self.trainer.close()
            raise
        games = player.device_games if players is None else 0
        try:
            self._restore()
            for text in run.warnings:
                listener.warning(text)
            listener.machine(MachineReport(self.best.device_name, threads, self.best.precision, why, games))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Learner:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.close()
        self.writer.shutdown()
        if kind is None and self.written is not None:
            self.written.result()

    def close(self) -> None:
        """End whoever plays and learns in other processes."""
        self.players.close()
        self.trainer.close()

    def left(self) -> float:
        """The share of the run that is still to do; 0 when it is over."""
        return 1 - self.done.share_done(self.parameters.run)

    def _seconds(self) -> float:
        """How many seconds the whole run has taken so far."""
        return 60 * self.done.minutes + time.perf_counter() - self.began

    def _seconds_left(self) -> float:
        """How many seconds are left until the run's minutes are over, less those of the exam with which it ends."""
        minutes = self.parameters.run.minutes
        return 60 * minutes - self._seconds() - self.examiner.cost if minutes else math.inf

    def _grown(self, size: int) -> int:
        """The part of `size` that counts by now: simulations and window grow to their full size over half of the run."""
        growth = self.parameters.run.growth
        return max(1, round(size * (growth + (1 - growth) * min(1.0, 2 * (1 - self.left())))))

    def play(self) -> SelfPlayResult:
        """Play games of the best network against itself: the positions to learn from, the games, a report."""
        p = self.parameters
        self.done.window = self._grown(p.learning.window)
        for who in (self.players, self.best, self.new):
            who.begin(self.done.iteration)  # a run that goes on must play the same games
        progress = partial(self.listener.progress, "self-play")
        self.iteration_began, left = time.perf_counter(), self._seconds_left()
        self.asked = (
            self.pace.positions(p.selfplay.positions, left) if p.run.minutes else p.selfplay.positions
        )
        # nobody knows yet how long an iteration takes: games may take half the time, and learning the rest
        most = math.inf if self.pace.known else max(1.0, left / 2)
        parts: list[SelfPlayResult] = []
        # at the start of a run the first games must end before there is anything to learn from
        batch, begin = (min(size, self.done.window) for size in (p.learning.batch, p.learning.begin))
        while (
            not parts
            or len(self.window) < batch
            or (len(self.window) < begin and time.perf_counter() - self.iteration_began < left / 2)
        ):
            parts.append(self.players.play(self.asked, self._grown(p.search.simulations), progress, most))
            self.window.add(parts[-1].samples, self.done.window)
        self.asked *= len(parts)
        return joined(parts, p.selfplay.recorded)

    def train(self, samples: Samples) -> LearningReport:
        """Take gradient steps on the window, as many as the new samples are worth."""
        p = self.parameters.learning
        if self.parameters.gate.back:
            self.before = self.trainer.state()  # the best network's: every other one was left behind
        steps = p.steps or round(len(samples) * p.reuse / p.batch)
        cosine = (1 + np.cos(np.pi * (1 - max(0.0, self.left())))) / 2
        rate = p.rate * (p.final_rate + (1 - p.final_rate) * cosine)
        return self.trainer.train(
            self.window, steps, rate, self.random, partial(self.listener.progress, "learning")
        )

    def gate(self) -> GateReport:
        """A match of the new network against the best: is it to be the best from now on?"""
        self.new.update(self.trainer.playing)
        progress = partial(self.listener.progress, "gate")
        self.tournament: list[MatchResult] = []
        given = self.game, self.parameters, self.new, self.best, self.done.elo, self.random
        return gate(*given, progress, self.tournament.append)

    def examine(self, played: SelfPlayReport, gated: GateReport) -> ExamReport | None:
        """Measure what the new version can do. It is rated if there is time; a run's last one is given more."""
        if not gated.accepted:
            return None
        self.listener.progress("exam", 0)
        if self.written is not None:
            self.written.result()  # the version before may be asked to play
        then = self._after(played, self._seconds() + self.examiner.cost)
        rated = self.examiner.due(self._seconds(), last=then.share_done(self.parameters.run) >= 1)
        return self.examiner.examine(self.done.version + 1, self.new, rated=rated)

    def _network(self, version: int) -> Network:
        """The network of an accepted version, or of the one that is being examined."""
        return self.trainer.playing if version > self.done.version else self.run.network(version)

    def _after(self, played: SelfPlayReport, seconds: float) -> Progress:
        """Where the run stands after the iteration under way, if that ends when the run is `seconds` old."""
        done = self.done
        return replace(
            done, iteration=done.iteration + 1, games=done.games + played.games, minutes=seconds / 60
        )

    def accept(self, gated: GateReport) -> None:
        """Make the new network the best."""
        self.done.version += 1
        self.best, self.new = self.new, self.best  # the new evaluator has these weights already
        self.players.update(self.trainer.playing, self.done.version)
        if self.best.precision != self.best.chosen.precision and not self.said:
            self.said = True
            self.listener.warning(
                f"version {self.done.version} evaluates in {self.best.precision}, as others may: {self.best.why}"
            )
        self.done.elo = self.done.elo if gated.elo is None else gated.elo

    def reject(self) -> None:
        """Leave the best network the best. With `gate.back` the new one is forgotten, its optimizer, too."""
        if self.parameters.gate.back:
            self.trainer.restore(self.before)

    def commit(
        self,
        samples: Samples,
        games: list[PlayedGame],
        played: SelfPlayReport,
        learned: LearningReport,
        gated: GateReport,
        examined: ExamReport | None,
    ) -> None:
        """Keep this iteration and report it."""
        self.done = done = self._after(played, self._seconds())
        self.began = time.perf_counter()
        exam = examined.seconds if examined is not None else 0.0
        took = self.began - self.iteration_began - exam
        # players that never wait have played while others learned
        self.pace.observe(self.asked, min(took, played.seconds + learned.seconds), took)
        report = IterationReport(
            done.iteration, done.version, done.minutes, len(self.window), played, learned, gated, examined
        )
        policy, value, _ = self.trainer.losses.T.astype(float).round(6).tolist()
        steps = StepsReport(done.iteration, self.steps, tuple(policy), tuple(value))
        self.steps += learned.steps
        done.random = dict(self.random.bit_generator.state)
        done.held, done.left = self.window.held, self.window.left.tobytes().hex()
        if self.written is not None:
            self.written.result()  # one at a time, and nothing after one that failed
        self.written = self.writer.submit(
            self.run.commit,
            replace(done),
            self.trainer.state(),
            self.players.state(),
            samples=samples,
            games=games,
            tournament=self.tournament,
            accepted=copy.deepcopy(self.trainer.playing).cpu() if gated.accepted else None,
            report=report,
            steps=steps,
            window=self.parameters.learning.window,
        )
        self.listener.iteration(report)
        self.listener.steps(steps)

    def _restore(self) -> None:
        """Go on where the run stands; a new run begins with the network it was given, or a random one, as version 0."""
        saved = self.run.restore()
        if saved is None:
            given = self.run.version_path(0).exists()
            self.done.random = dict(self.random.bit_generator.state)
            self.run.commit(
                self.done,
                self.trainer.state(),
                self.players.state(),
                accepted=None if given else self.trainer.playing,
            )
            self.players.update(self.trainer.playing, self.done.version)
            return
        tensors, games = saved
        self.trainer.restore(tensors)
        self.players.restore(games)
        self.random.bit_generator.state = self.done.random
        for samples in self.run.samples():
            self.window.add(samples, self.done.held or self.done.window)
        self.window.consume_again(bytes.fromhex(self.done.left))
        reports = self.run.reports()
        self.examiner.remember(reports)
        self.steps = sum(report.learning.steps for report in reports)
        best = self.run.network(self.done.version)
        self.best.update(best)
        self.players.update(best, self.done.version)


class Versions:
    """Evaluators for versions of a run: as many as were ever wanted at the same time, used again for others."""

    def __init__(self, network: Callable[[int], Network], make: Callable[[], NetworkEvaluator]) -> None:
        self.network, self.make = network, make
        self.evaluators: list[NetworkEvaluator] = []

    def __call__(self, versions: Sequence[int]) -> list[NetworkEvaluator]:
        while len(self.evaluators) < len(versions):
            self.evaluators.append(self.make())
        for evaluator, version in zip(self.evaluators, versions, strict=False):
            evaluator.update(self.network(version))
        return self.evaluators[: len(versions)]
