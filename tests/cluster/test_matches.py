"""Matches spread over machines: every game once, whatever happens to those who play it."""

from __future__ import annotations

import pytest

from nought.agents.match import named_match
from nought.cluster import matches as spread
from nought.cluster.matches import ClusterMatches, RemoteMatch, traveller
from nought.errors import NoughtError
from nought.games import load
from nought.network.checkpoint import save_network
from nought.network.resnet import build_network
from nought.rating import varied_openings
from tests.cluster.fake_ray import FakeRay
from tests.learning.test_loop import new_run


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    """Two machines; what is put into Ray's store is there for everybody."""
    fake = FakeRay()
    fake.add("a")
    fake.add("b")
    monkeypatch.setattr(FakeRay, "put", lambda _, value: value, raising=False)
    monkeypatch.setattr(spread, "LOT", 4)
    return fake


class HereMatch(RemoteMatch):
    """A member in this process."""

    failures: list[str] = []  # noqa: RUF012  which machines fail, once each

    def play(self, number, boxed, openings, first):
        if self.node in self.failures:
            self.failures.remove(self.node)
            raise RuntimeError("out of luck")
        if number != self.number:
            self._begin(boxed[0])
            self.number = number
        boxed = [None]
        return super().play(number, boxed, openings, first)


@pytest.fixture
def matches(ray: FakeRay, monkeypatch: pytest.MonkeyPatch) -> ClusterMatches:
    pytest.importorskip("ray")
    monkeypatch.setattr(spread, "RemoteMatch", HereMatch)
    return ClusterMatches(ray, "cpu", lambda _: None)  # type: ignore[arg-type]


def test_every_game_is_played_once_also_where_machines_fail(matches, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = load("tictactoe")
    openings = varied_openings(game, 10, seed=1)
    HereMatch.failures[:] = ["a", "b"]
    names = ("rollout:20", "random")
    result = matches(game, names, 2 * len(openings), openings=openings, seed=1)
    alone = named_match(game, names, 2 * len(openings), openings=openings, seed=1)
    assert HereMatch.failures == [] and matches.crew.replaced == 2
    assert (result.a, result.b, result.openings) == (alone.a, alone.b, alone.openings)
    games = [(g.pair, g.a_first) for g in result.games]
    assert sorted(games) == sorted((g.pair, g.a_first) for g in alone.games)
    for played in result.games:
        assert played.last.finished
        assert played.last.moves[: len(openings[played.pair].moves)] == openings[played.pair].moves


def test_a_network_of_a_run_travels_and_programs_do_not(tmp_path, monkeypatch, matches):
    monkeypatch.chdir(tmp_path)
    run = new_run(tmp_path / "runs", "r")
    network = build_network(run.game, run.parameters.network, 0)
    for version in (0, 1):
        save_network(run.version_path(version), network, run.game, version, {})
    assert traveller("net:r@0").name == "net:{}" and traveller("search:r@1:5").name == "search:{}:5"
    result = matches(load("tictactoe"), ("search:r@1:4", "net:r@0"), 4)
    assert (result.a, result.played) == ("search:r@1:4", 4)
    for name in ("program:cat", "kaggle:x.py"):
        with pytest.raises(NoughtError, match="is a program on this machine"):
            matches(load("tictactoe"), (name, "random"), 4)


def test_an_early_end_counts_games_in_the_order_of_their_openings(matches):
    game = load("tictactoe")
    result = matches(game, ("rollout:100", "random"), 60, bounds=(0.0, 50.0), seed=1)
    assert result.verdict is True
    assert result.played < 60


def test_an_error_that_the_user_can_mend_ends_the_match(matches):
    with pytest.raises(NoughtError, match="rollout takes 1 to"):
        matches(load("tictactoe"), ("rollout:0", "random"), 4)
