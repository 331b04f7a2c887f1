"""Actors on all machines of a cluster. Each has one call under way at most, so that nothing can pile up; whoever comes
joins, and whoever dies or is silent for too long is replaced."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

from nought.cluster.agreement import Program, this_program
from nought.errors import NoughtError

JOIN_TIMEOUT = (
    300.0  #  seconds for each step of joining; a machine may have to compile the rules, and be slow
)
FETCH_TIMEOUT = 60.0  #  seconds for an answer that is ready to arrive
LOOK_INTERVAL = 0.5  #   seconds between looks at which machines there are
LONGEST_PAUSE = 60.0  #  seconds before a member is started again where several have failed
HOPELESS = 3  #          failures in every place before anybody has worked


class Seat(NamedTuple):
    """A place for a member: what it may use of a machine."""

    node: str  #    Ray's name of the machine
    number: int  #  of the seat there
    name: str  #    of the machine, for people
    cpus: int
    gpus: float


Node = dict[str, Any]  # as Ray describes a machine
Seats = Callable[[Node], Sequence[Seat]]


def whole_machines(gpu_players: int = 1) -> Seats:
    """A seat with all cores of each machine; where there are GPUs, so many for each of them."""

    def seats(node: Node) -> list[Seat]:
        cores, gpus = (int(node["Resources"].get(kind, 0)) for kind in ("CPU", "GPU"))
        count = max(1, gpus * gpu_players)
        cores_each, gpus_each = cores // count, (1 / gpu_players if gpus else 0.0)
        if not cores_each:
            return []
        return [Seat(node["NodeID"], n, node_name(node), cores_each, gpus_each) for n in range(count)]

    return seats


def seats_of(cores: int) -> Seats:
    """As many seats on each machine as it has so many cores for; its GPUs are shared among them."""

    def seats(node: Node) -> list[Seat]:
        there, gpus = (int(node["Resources"].get(kind, 0)) for kind in ("CPU", "GPU"))
        count = there // cores
        return [Seat(node["NodeID"], n, node_name(node), cores, min(1.0, gpus / count)) for n in range(count)]

    return seats


def node_name(node: Node) -> str:
    """A machine's name for people: short, and another one for another machine."""
    return f"{node['NodeManagerHostname']}-{node['NodeID'][:4]}"


@dataclass(eq=False)
class Member:
    """An actor, and what it has been asked."""

    seat: Seat
    actor: Any
    ready: bool = False
    calls: int = 0  #           it has answered
    speed: float = 0.0  #       as whoever asks it may note
    version: int = 0  #         likewise
    call: Any = None  #         what it has been asked, as Ray knows it
    task: Any = None  #         as whoever asked knows it
    deadline: float = 0.0
    asked: float = 0.0  #       when

    @property
    def device(self) -> str:
        return "cuda" if self.seat.gpus else "cpu"


class Answer(NamedTuple):
    """What came of a call: a value, or nothing and why."""

    member: Member
    task: Any
    value: Any
    error: str = ""
    mend: NoughtError | None = None  # where the user can mend it


class Crew:
    """The members, each made of an actor's class that can `greet`, `prepare` and do what it is asked then.

    prepare       what a member is told before it is asked for anything
    warn          is told what goes wrong and is mended
    join_timeout  seconds for each step until a member has done something for the first time
    """

    def __init__(
        self,
        ray: ModuleType,
        actor: type,
        prepare: Callable[[Member], Any],
        seats: Seats,
        warn: Callable[[str], None],
        join_timeout: float = JOIN_TIMEOUT,
    ) -> None:
        self.join_timeout = join_timeout
        self.ray, self.actor, self.prepare, self.seats, self.warn = ray, actor, prepare, seats, warn
        self.members: dict[tuple[str, int], Member] = {}
        self.barred: set[str] = set()  # machines that cannot take part
        self.failures: dict[tuple[str, int], int] = {}
        self.pauses: dict[tuple[str, int], float] = {}  # until when nobody is started there
        self.lost: list[Answer] = []
        self.replaced = 0
        self.worked = False  # whether anybody has ever been ready
        self.looked = 0.0
        self.said: set[str] = set()
        self.last_reason = ""

    # ---- who is there --------------------------------------------------------------------------------------
    def look(self) -> None:
        """Let those join who have come, and give up those who are gone or silent."""
        now = time.monotonic()
        for member in list(self.members.values()):
            if member.call is not None and now > member.deadline:
                self._lose(member, f"has not answered for {now - member.asked:.0f} seconds")
        if now - self.looked < LOOK_INTERVAL:
            return
        self.looked = now
        nodes = {node["NodeID"]: node for node in self.ray.nodes() if node["Alive"]}
        for member in list(self.members.values()):
            if member.seat.node not in nodes:
                self._lose(member, "is gone")
        seats = [
            seat for node in nodes.values() if node["NodeID"] not in self.barred for seat in self.seats(node)
        ]
        for seat in seats:
            place = (seat.node, seat.number)
            if place not in self.members and self.pauses.get(place, 0.0) <= now:
                self._start(seat)
        self._check_hope(seats)

    def _check_hope(self, seats: Sequence[Seat]) -> None:
        """An error where nobody has ever worked and none of those who are there can."""
        if self.worked or not (seats or self.barred):
            return
        if all(self.failures.get((seat.node, seat.number), 0) >= HOPELESS for seat in seats):
            raise NoughtError(f"no machine of the cluster can work: {self.last_reason}")

    def _start(self, seat: Seat) -> None:
        only_there = self.ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        options = {
            "num_cpus": seat.cpus,
            "num_gpus": seat.gpus,
            "max_restarts": 0,  # the crew does that, and knows why
            "scheduling_strategy": only_there(seat.node, soft=False),
        }
        member = Member(seat, self.ray.remote(**options)(self.actor).remote())
        self.members[seat.node, seat.number] = member
        self._call(member, "greet", (), "greet", self.join_timeout)

    def _lose(self, member: Member, why: str, mend: NoughtError | None = None) -> None:
        """A member is no more; another one takes its seat later, if the machine is still there."""
        place = (member.seat.node, member.seat.number)
        if self.members.get(place) is not member:
            return
        del self.members[place]
        self.ray.kill(member.actor)
        if member.ready:
            self.lost.append(Answer(member, member.task, None, why, mend))
        failures = self.failures[place] = self.failures.get(place, 0) + 1
        self.pauses[place] = time.monotonic() + min(LONGEST_PAUSE, 0.25 * 2**failures)
        self.replaced += 1
        self.last_reason = f"{member.seat.name} {why}"
        self._say(f"{self.last_reason}; whoever comes in its place begins new games")

    def _say(self, text: str) -> None:
        if text not in self.said:
            self.said.add(text)
            self.warn(text)

    # ---- what they do --------------------------------------------------------------------------------------
    @property
    def ready(self) -> list[Member]:
        return [member for member in self.members.values() if member.ready]

    @property
    def free(self) -> list[Member]:
        """Those who can be asked for something."""
        return [member for member in self.ready if member.call is None]

    def ask(self, member: Member, task: Any, method: str, *arguments: Any, limit: float) -> None:
        """Ask for something that must be answered within so many seconds; the first time it may take longer."""
        self._call(member, method, arguments, task, limit if member.calls else max(limit, self.join_timeout))

    def _call(self, member: Member, method: str, arguments: Sequence[Any], task: Any, limit: float) -> None:
        member.asked = time.monotonic()
        member.deadline, member.task = member.asked + limit, task
        member.call = getattr(member.actor, method).remote(*arguments)

    def answers(self, seconds: float) -> Iterator[Answer]:
        """What has been answered or has failed since, after so many seconds at the latest."""
        self.look()
        calls = {member.call: member for member in self.members.values() if member.call is not None}
        if calls:
            done, _ = self.ray.wait(list(calls), num_returns=1, timeout=0 if self.lost else seconds)
            if done:  # others may be ready as well by now
                done, _ = self.ray.wait(list(calls), num_returns=len(calls), timeout=0)
            for call in done:
                yield from self._finish(calls[call])
        elif not self.lost:
            time.sleep(seconds)
        while self.lost:
            yield self.lost.pop()

    def _finish(self, member: Member) -> Iterator[Answer]:
        task = member.task
        try:
            value = self.ray.get(member.call, timeout=FETCH_TIMEOUT)
        except self.ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None)
            self._lose(member, reason(error), cause if isinstance(cause, NoughtError) else None)
            return
        member.call = member.task = None
        if member.ready:
            member.calls += 1
            self.failures.pop((member.seat.node, member.seat.number), None)
            yield Answer(member, task, value)
        elif task == "greet":
            self._agree(member, Program(*value))
        else:
            member.ready = self.worked = True

    def _agree(self, member: Member, theirs: Program) -> None:
        """A member works if its machine has the same nought."""
        if theirs == this_program():
            self._call(member, "prepare", (self.prepare(member),), "prepare", self.join_timeout)
            return
        self.barred.add(member.seat.node)
        del self.members[member.seat.node, member.seat.number]
        self.ray.kill(member.actor)
        self.last_reason = f"{member.seat.name} has nought {theirs}, this machine {this_program()}"
        self._say(
            f"{self.last_reason}: it takes no part; install the same version there, and let it join again"
        )

    def close(self) -> None:
        """End all members."""
        for member in self.members.values():
            self.ray.kill(member.actor)
        self.members.clear()


def reason(error: BaseException) -> str:
    """Why a call failed, in a few words."""
    cause = getattr(error, "cause", None)
    if cause is not None:
        text = str(cause) if isinstance(cause, NoughtError) else f"{type(cause).__name__}: {cause}"
        return f"has failed: {' '.join(text.split())[:300]}"
    said = str(error)
    for word in ("ModuleNotFoundError", "ImportError"):
        if word in said:
            return f"has no nought: {said[said.index(word) :].splitlines()[0][:200]}"
    return f"has died ({type(error).__name__})"
