"""Studies spread over machines: the runs' folders are as if they had been learned here, whatever happens to a machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from nought.cluster import studies
from nought.cluster.carrying import Changes, apply, changes, whole
from nought.cluster.crew import Crew, seats_of
from nought.cluster.studies import ClusterSweep, RemoteRun
from nought.errors import NoughtError
from nought.learning.loop import learn
from nought.learning.run import Run, run_folder
from nought.study.plan import read_study
from tests.cluster.fake_ray import FakeRay
from tests.learning.test_loop import new_run, same, weights
from tests.study.tiny import write_study


def test_a_folder_is_brought_back_piece_by_piece(tmp_path: Path) -> None:
    run = new_run(tmp_path, "there", **{"learning.window": 60, "run.iterations": 2, "exam.games": 0})
    copy, marks = tmp_path / "copy", {}
    learn(run)
    found, marks = changes(run.folder, marks)
    apply(copy, found)
    assert whole(copy) == whole(run.folder) and same(weights(Run(copy)), weights(run))
    assert changes(run.folder, marks)[0].files == {}
    run.extend(run.parameters.run.__class__(iterations=4, minutes=0))
    learn(Run(run.folder))
    found, marks = changes(run.folder, marks)
    assert "config.toml" in found.files and not any(name.startswith("versions/0000") for name in found.files)
    apply(copy, found)
    assert whole(copy) == whole(run.folder)
    with pytest.raises(NoughtError, match="is no file of a run"):
        apply(copy, Changes({"../x": b""}, frozenset()))


class Lines:
    def __init__(self) -> None:
        self.done: list[str] = []

    def ended(self, run, minutes):
        self.done.append(run.name)

    def standing(self, working, share):
        assert 0 <= share <= 1


class LostOnce(RemoteRun):
    """Machine b is lost after it has brought something back."""

    lost: list[str] = []  # noqa: RUF012

    def news(self, seconds):
        if self.node == "b" and not self.lost:
            self.lost.append("b")
            found = super().news(0.0)
            del self.actor_ray.machines["b"]
            return found
        return super().news(0.2)


def test_a_study_is_done_though_a_machine_is_lost(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = read_study(str(write_study(tmp_path)))
    ray = FakeRay()
    ray.add("a")
    ray.add("b")
    monkeypatch.setattr(LostOnce, "actor_ray", ray, raising=False)
    LostOnce.lost.clear()
    monkeypatch.setattr(studies, "POLL", 0.01)
    said, listener = [], Lines()
    crew = Crew(ray, LostOnce, lambda member: member.device, seats_of(study.threads), said.append)
    ClusterSweep(study, crew, listener).run()
    assert sorted(listener.done) == sorted(planned.name for planned in study.runs())
    assert LostOnce.lost == ["b"] and "is gone" in said[0]
    for planned in study.runs():
        run = Run(run_folder(planned.name))
        assert run.progress().iteration == 3 and not run.busy
        alone = Run.create(tmp_path / "alone" / f"{planned.name}", "tictactoe", planned.parameters)
        learn(alone)
        assert same(weights(run), weights(alone))  # to the last bit, also where it moved to another machine
    assert ClusterSweep(study, crew, listener).waiting == []
