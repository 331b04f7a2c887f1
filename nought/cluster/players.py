"""A cluster's players for the learner. In step, an iteration waits until its positions have been played by the newest
network; continuously, players never wait, and what they have played meanwhile is taken."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nought.cluster import board
from nought.cluster.agreement import GameText, rules
from nought.cluster.connect import connected
from nought.cluster.crew import Answer, Crew, Member, whole_machines
from nought.cluster.player import Contribution, RemotePlayer, ToPlay, Wanted
from nought.errors import NoughtError
from nought.events import Listener, NodeReport, SelfPlayReport
from nought.learning.players import MakePlayers
from nought.learning.run import Run
from nought.network.resnet import Network
from nought.selfplay.worker import Samples, SelfPlayResult, check_samples, joined

POLL = 0.1  #          seconds between looks at what has come
NEWER = 0.3  #         weight of the last call in a member's speed
ITERATIONS_KEPT = (
    2  # of positions that wait for the learner where players do not; then the oldest are dropped
)
CLOSE_TIMEOUT = 30.0  # seconds for the thread that asks to end
MOST_NONSENSE = 10  #  answers in a row that nobody can learn from
UNLIMITED = 1 << 40  # positions


class PlayedPart(NamedTuple):
    """A part, and who played it for how long."""

    part: Contribution
    member: Member
    seconds: float


def cluster_players(address: str) -> MakePlayers:
    """What makes the players of the cluster at this address, for a run."""
    return lambda run, listener: ClusterPlayers(run, listener, address)


class ClusterPlayers:
    """The players of a cluster. A thread asks them and takes what they answer; the learner waits for that."""

    def __init__(self, run: Run, listener: Listener, address: str) -> None:
        self.run, self.listener, self.parameters = run, listener, run.parameters
        self.settings = run.parameters.cluster
        self.closing = contextlib.ExitStack()
        self.ray: ModuleType = self.closing.enter_context(connected(address))
        self.changed = threading.Condition()
        self.waiting: deque[PlayedPart] = deque()  # that the learner has not taken
        self.warnings: deque[str] = deque()  # that the learner's thread passes on
        self.failed: BaseException | None = None  # what has ended the thread
        self.wanted = 0  # positions that are still to be asked for; where nobody waits, any number
        self.iteration = 0  # positions of an iteration
        self.simulations = 1
        self.version, self.boxed = 0, []  # type: int, list[Any]
        self.nonsense = 0  # answers in a row that nobody can learn from
        self.too_old: Counter[str] = Counter()  # positions dropped, by machine
        self.since = time.monotonic()  # when the learner has taken something last
        self.seeds = np.random.SeedSequence((run.parameters.run.seed, run.progress().iteration))
        warn = self.warnings.append
        seats = whole_machines(self.settings.gpu_players)
        self.crew = Crew(self.ray, RemotePlayer, self._prepare, seats, warn, self.settings.join)
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _prepare(self, member: Member) -> ToPlay:
        """What a player is told when it joins; each has a seed of its own, also in a run that goes on."""
        threads = self.parameters.selfplay.threads or member.seat.cpus
        seed = int(self.seeds.spawn(1)[0].generate_state(1)[0])
        game, p = self.run.game, self.parameters
        shared = replace(p.selfplay, device_games=p.selfplay.device_games // self.settings.gpu_players)
        parameters = replace(p, selfplay=shared)
        return ToPlay(GameText.of(game), rules(game), parameters, member.device, threads, seed)

    # ---- the learner's side --------------------------------------------------------------------------------
    def begin(self, number: int) -> None:
        """The players do not begin together."""

    def update(self, network: Network, version: int) -> None:
        """Hand out the weights of this version, once for all; those of before are forgotten when nobody uses them."""
        weights = {name: tensor.detach().cpu().numpy() for name, tensor in network.state_dict().items()}
        boxed = [self.ray.put(weights)]
        with self.changed:
            self.version, self.boxed = version, boxed

    def play(
        self, positions: int, simulations: int, progress: Callable[[float], None], seconds: float = math.inf
    ) -> SelfPlayResult:
        """About so many positions, or what there is after so many seconds."""
        begin = time.monotonic()
        with self.changed:
            self.simulations, self.iteration = simulations, positions
            self.wanted = UNLIMITED if self.settings.continuous else positions
        taken: list[PlayedPart] = []
        searched = 0
        while searched < positions and not (taken and time.monotonic() - begin > seconds):
            self._pass_on()
            progress(min(1.0, searched / positions))
            with self.changed:
                if not self.waiting:
                    self.changed.wait(POLL)
                while self.waiting and searched < positions:  # the rest is for the next iteration
                    taken.append(self.waiting.popleft())
                    searched += taken[-1].part.searched
        now = time.monotonic()
        lasted, self.since = now - (self.since if self.settings.continuous else begin), now
        return self._joined(taken, lasted)

    def _pass_on(self) -> None:
        """Tell what the other thread has met."""
        while self.warnings:
            self.listener.warning(self.warnings.popleft())
        if self.failed is not None:
            raise self.failed

    def _joined(self, taken: list[PlayedPart], seconds: float) -> SelfPlayResult:
        """All parts as one, less what is too old; with what each machine has given."""
        fresh = []
        for played in taken:
            if self.version - played.part.version <= self.settings.oldest:
                fresh.append(played)
            else:
                self.too_old[played.member.seat.name] += len(played.part.result.samples)
        dropped, self.too_old = self.too_old, Counter()
        parts = [self._reported(played) for played in fresh]
        parts += [self._nothing(NodeReport(name, 0, 0, 0.0, self.version, n)) for name, n in dropped.items()]
        whole = joined(parts, self.parameters.selfplay.recorded)
        return whole._replace(report=replace(whole.report, seconds=seconds))

    def _reported(self, played: PlayedPart) -> SelfPlayResult:
        """What was played, and where."""
        part, node = played.part, played.member.seat.name
        players = sum(member.seat.name == node for member in self.crew.ready)
        given = NodeReport(node, max(1, players), len(part.result.samples), played.seconds, part.version)
        return part.result._replace(report=replace(part.result.report, nodes=(given,)))

    def _nothing(self, node: NodeReport) -> SelfPlayResult:
        """No positions, and who has them not."""
        game = self.run.game
        states, policy = (
            np.empty((0, game.state_length), game.state_dtype),
            np.empty((0, game.actions), np.float32),
        )
        outcome, margin, value, surprise = (np.empty(0, np.float32) for _ in range(4))
        samples = Samples(states, policy, outcome, margin, value, np.empty(0, np.bool_), surprise)
        return SelfPlayResult(samples, [], SelfPlayReport(0, 0, 0.0, 0, 0, 0.0, (node,)))

    def state(self) -> dict[str, NDArray[Any]]:
        """Games that go on are kept by nobody: whoever plays them has them, and they end with it."""
        return {}

    def restore(self, games: dict[str, NDArray[Any]]) -> None:
        """New games begin."""

    def close(self) -> None:
        """End all players, and the cluster if it was started here."""
        self.stopped.set()
        self.thread.join(CLOSE_TIMEOUT)
        with contextlib.suppress(Exception):  # a cluster that is gone has no players either
            self.crew.close()
            board.remove(self.run.name)
        self.closing.close()

    # ---- the side of the players ---------------------------------------------------------------------------
    def _work(self) -> None:
        """Ask those who are free, take what has been answered, until the end."""
        shown = 0.0
        try:
            while not self.stopped.is_set():
                for answer in self.crew.answers(POLL):
                    self._take(answer)
                with self.changed:
                    for member in self.crew.free:
                        self._ask(member)
                if time.monotonic() - shown > board.INTERVAL:
                    shown = time.monotonic()
                    board.publish(self.run.name, self._standing())
        except BaseException as error:
            self.failed = error if isinstance(error, NoughtError) else NoughtError(_gone(error))

    def _ask(self, member: Member) -> None:
        """Ask a member for its share of what is wanted; where nobody waits, for its part of an iteration."""
        if self.wanted <= 0 or not self.boxed:
            return
        if self.settings.continuous:
            quota = math.ceil(self.iteration / len(self.crew.ready))
        else:
            quota = self._share(member)
            self.wanted -= quota
        seconds = self.settings.seconds
        wanted = Wanted(member.calls, self.version, quota, self.simulations, seconds)
        member.version = self.version
        self.crew.ask(member, quota, "play", wanted, self.boxed, limit=seconds + self.settings.timeout)

    def _share(self, member: Member) -> int:
        """What a member can do of what is wanted while the others do theirs."""
        usual = np.mean([m.speed for m in self.crew.ready if m.speed] or [1.0])
        speeds = {m: m.speed or usual for m in self.crew.free}
        return math.ceil(self.wanted * speeds[member] / sum(speeds.values()))

    def _take(self, answer: Answer) -> None:
        """Keep what was played; what a member did not play is asked of others."""
        member, part = answer.member, answer.value
        seconds = time.monotonic() - member.asked
        if part is not None and not self._sound(member, part):
            part = None
        with self.changed:
            if not self.settings.continuous and answer.task is not None:
                self.wanted += max(0, answer.task - (part.searched if part is not None else 0))
            if part is None:
                return
            speed = part.searched / max(seconds, 1e-3)
            member.speed = speed if member.calls < 2 else NEWER * speed + (1 - NEWER) * member.speed
            self.waiting.append(PlayedPart(_copied(part), member, seconds))
            self._drop()
            self.changed.notify()

    def _sound(self, member: Member, part: Contribution) -> bool:
        """Whether anybody can learn from this; an error where nobody plays anything else."""
        try:
            check_samples(part.result.samples, self.run.game)
        except ValueError as error:
            self.nonsense += 1
            why = f"what {member.seat.name} has played is left out: {error}"
            if self.nonsense > MOST_NONSENSE:
                raise NoughtError(why) from None
            self.warnings.append(why)
            return False
        self.nonsense = 0
        return True

    def _drop(self) -> None:
        """Where the learner is slower than the players, the oldest positions go."""
        while len(self.waiting) > 1 and self._waiting() > ITERATIONS_KEPT * self.iteration > 0:
            oldest = self.waiting.popleft()
            self.too_old[oldest.member.seat.name] += len(oldest.part.result.samples)

    def _waiting(self) -> int:
        """Positions that the learner has not taken."""
        return sum(played.part.searched for played in self.waiting)

    def _standing(self) -> dict[str, Any]:
        """What `nought cluster` shows."""
        members = [
            {
                "node": member.seat.name,
                "cores": member.seat.cpus,
                "gpu": member.seat.gpus,
                "ready": member.ready,
                "speed": round(member.speed, 1),
                "version": member.version,
                "age": max(0, self.version - member.version),
            }
            for member in self.crew.members.values()
        ]
        return {
            "game": self.run.game_name,
            "version": self.version,
            "replaced": self.crew.replaced,
            "waiting": self._waiting(),
            "players": members,
        }


def _copied(part: Contribution) -> Contribution:
    """The same in this process's own memory, so that Ray's is free for others."""
    samples = Samples(*(np.array(array) for array in part.result.samples))
    return replace(part, result=part.result._replace(samples=samples))


def _gone(error: BaseException) -> str:
    return f"the cluster is gone ({type(error).__name__}: {' '.join(str(error).split())[:200]})"
