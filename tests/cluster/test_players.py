"""A learner's players on machines that come, go and lag behind, without Ray."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nought.cluster import board
from nought.cluster import players as module
from nought.cluster.agreement import GameText, rules
from nought.cluster.player import RemotePlayer
from nought.cluster.players import ClusterPlayers
from nought.errors import NoughtError
from nought.events import Listener
from nought.games import load
from nought.learning.loop import learn
from nought.learning.run import Run
from nought.network import build_network
from tests.cluster.fake_ray import FakeRay
from tests.learning.test_loop import new_run


class HerePlayer(RemotePlayer):
    """A player in this process, which gets its weights as they are."""

    node = ""
    slow: set[str] = set()  # noqa: RUF012  machines that still play their first version
    fetched: list[int] = []  # noqa: RUF012  versions

    def _fetch(self, weights: Any, version: int) -> None:
        import torch

        self.fetched.append(version)
        self.network.load_state_dict({name: torch.tensor(array) for name, array in weights.items()})
        self.player.update(self.network.eval(), version)
        self.version = version

    def play(self, wanted, boxed):
        played = super().play(wanted, boxed)
        return module.replace(played, version=0) if self.node in self.slow else played


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    fake = FakeRay()
    monkeypatch.setattr(FakeRay, "put", lambda _, value: value, raising=False)
    monkeypatch.setattr(module, "connected", lambda _: contextlib.nullcontext(fake))
    monkeypatch.setattr(module, "RemotePlayer", HerePlayer)
    monkeypatch.setattr(board, "publish", lambda *_: None)
    monkeypatch.setattr(board, "remove", lambda *_: None)
    HerePlayer.slow.clear()
    HerePlayer.fetched.clear()
    return fake


class Notes(Listener):
    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warning(self, text: str) -> None:
        self.warnings.append(text)


@contextlib.contextmanager
def players(run: Run, version: int = 0) -> Iterator[ClusterPlayers]:
    found = ClusterPlayers(run, Notes(), "somewhere")
    try:
        found.update(build_network(run.game, run.parameters.network, 0), version)
        yield found
    finally:
        found.close()


def test_machines_share_the_positions_and_weights_are_sent_once_for_a_version(ray, tmp_path):
    ray.add("a")
    ray.add("b")
    run = new_run(tmp_path, **{"cluster.seconds": 5.0})
    with players(run) as crew:
        for version in (0, 1):
            crew.update(build_network(run.game, run.parameters.network, version), version)
            played = [crew.play(400, 8, lambda _: None) for _ in range(2)]
        report = played[-1].report
        assert [node.version for node in report.nodes] == [1, 1]
        assert sum(node.positions for node in report.nodes) == report.positions == len(played[-1].samples)
        assert abs(report.positions - 400) < 150  # games in hand are finished, others begin
    assert sorted(HerePlayer.fetched) == [0, 0, 1, 1]


def test_what_is_too_old_is_not_learned_from(ray, tmp_path):
    ray.add("a")
    ray.add("b")
    HerePlayer.slow.add("b")
    run = new_run(tmp_path, **{"cluster.oldest": 2})
    with players(run, version=2) as crew:
        kept = crew.play(400, 8, lambda _: None).report
        assert {node.version for node in kept.nodes} == {0, 2} and not any(n.dropped for n in kept.nodes)
        crew.update(build_network(run.game, run.parameters.network, 0), 3)
        report = crew.play(400, 8, lambda _: None).report
    new, old = report.nodes
    assert (new.node[0], new.dropped, new.version) == ("a", 0, 3)
    assert (old.node[0], old.positions) == ("b", 0) and old.dropped > 50
    assert report.positions == new.positions


def test_players_that_never_wait_are_learned_from_as_the_ratio_says(ray, tmp_path):
    ray.add("a")
    run = new_run(
        tmp_path,
        **{"cluster.continuous": True, "cluster.seconds": 0.1, "selfplay.positions": 150, "exam.games": 0},
    )
    learn(run, players=lambda run, listener: ClusterPlayers(run, listener, "somewhere"))
    learning = run.parameters.learning
    reports = run.reports()
    assert [report.iteration for report in reports] == [1, 2, 3]
    for report in reports:
        assert report.selfplay.nodes
        assert report.learning.steps == round(report.selfplay.positions * learning.reuse / learning.batch)


def test_where_the_learner_is_slow_the_oldest_positions_go(ray, tmp_path):
    ray.add("a")
    run = new_run(tmp_path, **{"cluster.continuous": True, "cluster.seconds": 0.1})
    with players(run) as crew:
        crew.play(50, 8, lambda _: None)
        while not crew.too_old:  # a test has a limit
            assert crew.failed is None
            crew.stopped.wait(0.01)
        assert sum(p.part.searched for p in crew.waiting) <= 100 or len(crew.waiting) == 1
        assert crew.play(50, 8, lambda _: None).report.nodes[0].dropped > 0


def test_a_machine_that_plays_nonsense_is_not_listened_to(ray, tmp_path, monkeypatch):
    ray.add("a")
    ray.add("b")
    good = HerePlayer.play

    def play(self, wanted, boxed):
        played = good(self, wanted, boxed)
        if self.node == "b":
            played.result.samples.value[:] = np.nan
        return played

    monkeypatch.setattr(HerePlayer, "play", play)
    run = new_run(tmp_path)
    with players(run) as crew:
        report = crew.play(300, 8, lambda _: None).report
        crew._pass_on()
        assert [node.node[0] for node in report.nodes] == ["a"]
        assert any("is left out" in text for text in crew.listener.warnings)


def test_a_users_own_game_travels_as_its_text(tmp_path):
    import nought.games.tictactoe as tictactoe

    source = Path(tictactoe.__file__).read_text(encoding="utf-8")
    (tmp_path / "mygame.py").write_text(source)
    game = load(str(tmp_path / "mygame.py"))
    sent = GameText.of(game)
    (tmp_path / "mygame.py").unlink()
    there = sent.game()
    assert rules(there) == rules(game) and there.position((4,)).moves == (4,)
    other = GameText(sent.name, sent.source.replace("cell // 3", "2 - cell // 3"))
    assert rules(other.game()) != rules(game)


def test_rules_that_are_not_the_same_are_refused(ray, tmp_path, monkeypatch):
    ray.add("a")
    monkeypatch.setattr("nought.cluster.player.rules", lambda _: "others")
    run = new_run(tmp_path)
    with players(run) as crew, pytest.raises(NoughtError, match="tictactoe has other rules here"):
        crew.play(10, 8, lambda _: None)
