"""Who is in a crew: whoever comes joins, whoever dies or is silent is replaced, and nobody works with another nought."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

from nought.cli import app
from nought.cluster import crew as crews
from nought.cluster.agreement import this_program
from nought.cluster.connect import _room
from nought.cluster.crew import Answer, Crew, seats_of, whole_machines
from nought.errors import NoughtError
from tests.cluster.fake_ray import FakeRay
from tests.support.programs import run_program


class Worker:
    """What a member does here: it doubles."""

    others = frozenset()  # machines that have another nought
    broken = frozenset()  # machines on which nothing can be prepared
    node = ""

    def greet(self) -> tuple[str, str]:
        version, code = this_program()
        return (version, "another") if self.node in self.others else (version, code)

    def prepare(self, given: str) -> None:
        if self.node in self.broken:
            raise NoughtError("there is no room here")
        self.given = given

    def work(self, number: int) -> int:
        if number < 0:
            raise ValueError("less than nothing")
        return 2 * number


@pytest.fixture
def ray() -> FakeRay:
    return FakeRay()


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The crew's time, which passes when it sleeps and when a test says so."""
    now = [100.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(crews.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(crews.time, "sleep", sleep)
    return now


def make(ray: FakeRay, worker: type = Worker, seats=None) -> tuple[Crew, list[str]]:
    said: list[str] = []
    crew = Crew(ray, worker, lambda member: member.seat.name, seats or whole_machines(), said.append)
    return crew, said


def pass_time(crew: Crew, clock: list[float], seconds: float) -> list[Answer]:
    """What is answered in so many seconds."""
    answers, end = [], clock[0] + seconds
    while clock[0] < end:
        answers += crew.answers(0.1)
        clock[0] += 0.1
    return answers


def test_whoever_comes_joins_and_is_asked_one_thing_at_a_time(ray, clock):
    ray.add("a")
    crew, said = make(ray)
    pass_time(crew, clock, 1)
    assert [member.seat.name[:1] for member in crew.free] == ["a"]
    ray.add("b")
    pass_time(crew, clock, 1)
    assert len(crew.free) == 2
    for number, member in enumerate(crew.free):
        crew.ask(member, number, "work", number, limit=5)
    assert crew.free == []
    assert sorted((a.task, a.value) for a in crew.answers(0.1)) == [(0, 0), (1, 2)]
    assert len(crew.free) == 2 and said == []


def test_a_dead_member_is_replaced_and_its_task_comes_back(ray, clock):
    ray.add("a")
    crew, said = make(ray)
    pass_time(crew, clock, 1)
    (member,) = crew.free
    crew.ask(member, "task", "work", 1, limit=5)
    member.actor.dead = True
    (answer,) = pass_time(crew, clock, 0.2)
    assert (answer.task, answer.value) == ("task", None) and "has died" in answer.error
    pass_time(crew, clock, 2)
    assert crew.free and crew.free[0] is not member and crew.replaced == 1
    assert len(said) == 1 and "begins new games" in said[0]


def test_a_member_that_hangs_is_given_up_after_its_limit(ray, clock):
    for name in "ab":
        ray.add(name)
    crew, said = make(ray)
    pass_time(crew, clock, 1)
    for member in crew.free:
        crew.ask(member, "first", "work", 1, limit=5)  # the first call may take as long as joining
    pass_time(crew, clock, 0.2)
    ray.hanging.add("a")
    hung = next(member for member in crew.free if member.seat.name.startswith("a"))
    crew.ask(hung, "task", "work", 1, limit=5)
    assert pass_time(crew, clock, 4.5) == []
    (answer,) = pass_time(crew, clock, 1)
    assert answer.task == "task" and answer.value is None and hung.actor.dead
    assert "has not answered for 5 seconds" in said[0]
    ray.hanging.clear()
    assert pass_time(crew, clock, 2) == []  # what it would say too late counts for nobody
    assert len(crew.free) == 2


def test_a_machine_that_is_gone_takes_its_member_along(ray, clock):
    for name in "ab":
        ray.add(name)
    crew, _ = make(ray)
    pass_time(crew, clock, 1)
    gone = next(member for member in crew.free if member.seat.name.startswith("a"))
    del ray.machines["a"]
    (answer,) = pass_time(crew, clock, 1)
    assert answer.member is gone and answer.task is None
    pass_time(crew, clock, 100)
    assert [member.seat.name[0] for member in crew.free] == ["b"]


def test_another_nought_takes_no_part_until_the_machine_joins_again(ray, clock):
    class Worker2(Worker):
        others = frozenset("b")

    for name in "ab":
        ray.add(name)
    crew, said = make(ray, Worker2)
    pass_time(crew, clock, 100)
    assert [member.seat.name[0] for member in crew.free] == ["a"]
    assert len(said) == 1 and "has nought" in said[0] and "install the same version" in said[0]
    assert sum(actor.node == "b" for actor in ray.actors) == 1  # nobody asks it again
    Worker2.others = frozenset()
    ray.add("b")  # as another node of Ray's
    pass_time(crew, clock, 1)
    assert len(crew.free) == 2


def test_where_nobody_can_work_it_is_said(ray, clock):
    class Worker2(Worker):
        broken = frozenset("ab")

    for name in "ab":
        ray.add(name)
    crew, _ = make(ray, Worker2)
    with pytest.raises(NoughtError, match=r"no machine of the cluster can work: .* there is no room here"):
        pass_time(crew, clock, 100)


def test_one_that_can_work_is_enough_and_the_other_is_tried_less_and_less(ray, clock):
    class Worker2(Worker):
        broken = frozenset("b")

    for name in "ab":
        ray.add(name)
    crew, said = make(ray, Worker2)
    pass_time(crew, clock, 300)
    assert [member.seat.name[0] for member in crew.free] == ["a"]
    tries = sum(actor.node == "b" for actor in ray.actors)
    assert 5 < tries < 15 and len(said) == 1


def test_an_error_of_a_call_is_told_and_the_members_place_is_taken(ray, clock):
    ray.add("a")
    crew, _ = make(ray)
    pass_time(crew, clock, 1)
    crew.ask(crew.free[0], "task", "work", -1, limit=5)
    (answer,) = pass_time(crew, clock, 0.2)
    assert answer.error == "has failed: ValueError: less than nothing" and answer.mend is None


def test_seats(ray):
    ray.add("cpu", cores=8)
    ray.add("gpu", cores=16, gpus=2)
    ray.add("head", cores=0)
    cpu, gpu, head = ray.nodes()
    assert [(s.cpus, s.gpus) for s in whole_machines()(cpu)] == [(8, 0.0)]
    assert [(s.cpus, s.gpus) for s in whole_machines()(gpu)] == 2 * [(8, 1.0)]
    assert [(s.cpus, s.gpus) for s in whole_machines(2)(gpu)] == 4 * [(4, 0.5)]
    assert whole_machines()(head) == []
    assert [(s.cpus, s.gpus) for s in seats_of(3)(cpu)] == 2 * [(3, 0.0)]
    assert [(s.cpus, s.gpus) for s in seats_of(4)(gpu)] == 4 * [(4, 0.5)]


def test_without_ray_one_line_says_what_to_install(tmp_path, monkeypatch):
    without = (
        "import sys; sys.modules['ray'] = None; sys.argv[0] = 'nought'; from nought.cli import main; main()"
    )
    said = run_program([sys.executable, "-c", without, "cluster"], cwd=tmp_path)
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr == "nought: a cluster needs Ray: pip install 'nought[cluster]'\n"
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.chdir(tmp_path)
    for verb, *arguments in (("train", "tictactoe"), ("match", "random", "random")):
        monkeypatch.setattr(sys, "argv", ["nought", verb, *arguments, "--cluster", "local"])
        with pytest.raises(NoughtError, match="a cluster needs Ray"):
            app(standalone_mode=False, obj={})
    assert list(tmp_path.iterdir()) == []  # nothing has begun


def test_rays_folder_has_a_short_name_wherever_temporary_folders_are(monkeypatch):
    for usual, room in (("/tmp", None), ("/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T", Path("/tmp"))):
        monkeypatch.setattr(tempfile, "tempdir", usual)
        assert _room() == (room if os.name == "posix" else None)
