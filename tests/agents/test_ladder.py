"""The ladder of a run: who plays whom, what is kept, what comes out."""

import json
import math

import pytest

from nought.agents import ladder as ladder_module
from nought.agents.ladder import (
    Ladder,
    Played,
    all_versions,
    evenly_spaced,
    from_papers_scale,
    nearest,
    neighbours,
    rate_run,
)
from nought.agents.ladder_plot import plot_ladder
from nought.errors import NoughtError
from nought.learning.run import Run, run_folder
from nought.presets import override
from nought.rating import Rating
from tests.support.tiny_run import tiny_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where there is a run of two iterations."""
    folder = tmp_path_factory.mktemp("ladder")
    tiny_run(folder)
    return folder


@pytest.fixture
def run(folder, monkeypatch):
    """The run, with few known players so that a ladder takes a second."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(ladder_module, "KNOWN", ("random", "rollout:10"))
    run = Run(run_folder("tiny"))
    (run.folder / "ratings.json").unlink(missing_ok=True)
    return run


@pytest.fixture
def ladder(run, folder):
    """A ladder of four games for each pairing; played once, then read."""
    kept = folder / "ratings.json"
    if kept.exists():
        (run.folder / "ratings.json").write_bytes(kept.read_bytes())
    ladder = rated(run)
    kept.write_bytes(ladder.path.read_bytes())
    return ladder


def rated(run, games=4, **options):
    return rate_run(run, all_versions(run), games=games, simulations=4, **options)


def test_each_pairing_touches_those_before_it():
    pairings = list(neighbours(["v0", "v1", "v2", "v3"], ["random", "weak", "strong"]))
    connected = {"v0"}
    for pairing in pairings:
        assert connected & set(pairing), f"nothing leads to {pairing}"
        connected |= set(pairing)
    assert connected == {"v0", "v1", "v2", "v3", "random", "weak", "strong"}
    assert ("v1", "v3") in pairings  # neighbours but one too
    assert ("v0", "v3") not in pairings
    assert len(set(pairings)) == len(pairings)


def test_the_nearest_known_players_are_played():
    elo = {"v0": 100, "v1": 500, "random": -300, "weak": 50, "medium": 300, "strong": 700}
    ratings = [Rating(name, points, points, points, 1, 0.5) for name, points in elo.items()]
    found = set(nearest(["v0", "v1"], ["random", "weak", "medium", "strong"], ratings))
    assert found == {("v0", "weak"), ("v0", "medium"), ("v1", "medium"), ("v1", "strong")}


@pytest.mark.parametrize(
    ("count", "most", "chosen"),
    [
        (3, 10, [0, 1, 2]),
        (101, 5, [0, 25, 50, 75, 100]),
        (12, 10, [0, 1, 2, 4, 5, 6, 7, 9, 10, 11]),
        (1, 10, [0]),
    ],
)
def test_an_even_choice_has_the_first_and_the_last(count, most, chosen):
    assert evenly_spaced(range(count), most) == chosen


def test_everybody_is_rated_and_the_untrained_version_has_100(ladder):
    ratings = {rating.player: rating for rating in ladder.ratings()}
    assert set(ratings) == {
        "search:tiny@0:4", "search:tiny@1:4", "search:tiny@2:4", "random", "rollout:10", "oracle",
    }  # fmt: skip
    assert ratings["search:tiny@0:4"].elo == 100
    assert ratings["oracle"].elo > ratings["random"].elo
    facts = json.loads(ladder.path.read_text())
    assert facts["scale"] == "standard scale, base 10"
    assert facts["anchor"] == "search:tiny@0:4"
    for entry in facts["ratings"]:
        assert entry["low"] <= entry["elo"] <= entry["high"]
        assert entry["elo_papers"] == pytest.approx(100 + math.log(10) * (entry["elo"] - 100), abs=0.2)
    assert {e["player"]: e["version"] for e in facts["ratings"]}["search:tiny@2:4"] == 2
    games = sum(p["games"] for pairing in facts["pairings"] for p in pairing["played"])
    assert sum(entry["games"] for entry in facts["ratings"]) == 2 * games


def test_what_was_played_is_not_played_again_and_more_games_are_added(run, ladder, monkeypatch):
    first = ladder.played
    with monkeypatch.context() as patch:
        patch.setattr(ladder_module, "named_match", lambda *a, **k: pytest.fail("played again"))
        again = rated(run, games=4)
    assert again.played == first
    more = rated(run, games=8).played
    for pairing, played in first.items():
        assert more[pairing][: len(played)] == played
        assert len(more[pairing]) == 4
        assert len({p.moves for p in more[pairing]}) == 4


def test_an_interrupted_ladder_keeps_its_games_and_goes_on(run, monkeypatch):
    calls = []

    def interrupted(*arguments, **options):
        calls.append(arguments)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return named_match(*arguments, **options)

    named_match = ladder_module.named_match
    with monkeypatch.context() as patch:
        patch.setattr(ladder_module, "named_match", interrupted)
        with pytest.raises(KeyboardInterrupt):
            rated(run)
    kept = Ladder(run, 4).played
    assert len(kept) == 3
    finished = rated(run).played
    assert {pairing: finished[pairing] for pairing in kept} == kept
    assert len(finished) > 8


def test_other_simulations_are_other_players_on_the_same_ladder(run, ladder):
    ladder = rate_run(run, [2], games=4, simulations=0)
    names = {rating.player for rating in ladder.ratings()}
    assert {"net:tiny@0", "net:tiny@2", "search:tiny@2:4"} <= names
    assert "net:tiny@1" not in names
    assert ladder.version("net:tiny@2") == 2
    assert ladder.version("search:tiny@2:4") is None


def test_progress_names_the_pairing(run):
    seen = []
    rated(run, progress=lambda what, done: seen.append((what, done)))
    assert ("neighbours: search:tiny@0:4 – search:tiny@1:4") in {what for what, _ in seen}
    assert all(0 <= done <= 1 for _, done in seen)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"pairings": [{"a": "x"}]}', '{"pairings": [{"a": 1, "b": 2, "played": 3}]}']
)
def test_a_damaged_file_is_named(run, text):
    (run.folder / "ratings.json").write_text(text)
    with pytest.raises(NoughtError, match=r"ratings.json cannot be read .* delete it"):
        rated(run)


def test_the_picture(ladder, tmp_path):
    plot_ladder(ladder, tmp_path / "ratings.png")
    plot_ladder(ladder, tmp_path / "ratings.svg")
    assert (tmp_path / "ratings.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "ratings.svg").read_text()
    with pytest.raises(NoughtError, match="cannot write the picture"):
        plot_ladder(ladder, tmp_path / "missing" / "ratings.png")


def test_the_picture_shows_both_scales_the_papers_line_and_the_fit(ladder, monkeypatch, tmp_path):
    figures = []
    monkeypatch.setattr("nought.agents.ladder_plot.write_figure", lambda figure, path: figures.append(figure))
    plot_ladder(ladder, tmp_path / "x.png")
    (ax,) = figures[0].axes
    lines = {line.get_label(): line for line in ax.get_lines()}
    rating, gate = (
        lines["rating"],
        next(line for name, line in lines.items() if name.startswith("papers' gate: 46")),
    )
    by_name = {r.player: r.elo for r in ladder.ratings()}
    assert list(rating.get_ydata()) == [by_name[f"search:tiny@{v}:4"] for v in range(3)]
    assert list(gate.get_ydata()) == pytest.approx([100, 145.6, 191.2], abs=0.1)
    assert any(name.startswith("fit: ") for name in lines)
    assert "standard scale" in ax.get_ylabel()
    assert "papers' scale" in ax.child_axes[0].get_ylabel()


def test_a_run_of_wandhovens_has_the_papers_gain_and_its_way_of_rating(ladder, monkeypatch, tmp_path):
    figures = []
    monkeypatch.setattr("nought.agents.ladder_plot.write_figure", lambda figure, path: figures.append(figure))
    ladder.run.parameters = override(ladder.run.parameters, {"gate.rule": "wins"})
    plot_ladder(ladder, tmp_path / "x.png")
    lines = {line.get_label(): line.get_ydata() for line in figures[0].axes[0].get_lines()}
    theirs = next(
        y for name, y in lines.items() if name.startswith("Wandhoven, θ = 2.8: 177 per version (408")
    )
    assert list(theirs) == pytest.approx([100, 277.2, 454.4], abs=0.1)
    chain = next(y for name, y in lines.items() if name.endswith("as Wandhoven rated"))
    assert list(chain) == [from_papers_scale(rating) for rating in ladder.chain().values()]


def test_the_papers_chain_by_hand(run):
    """Version 1 takes 3 of 4 points from version 0, version 2 half of them from version 1: 100, 100 + 400 ln 3, and the
    same again. Version 4 has not met version 3."""
    ladder = Ladder(run, 4)
    for a, b, points in ((0, 1, 1.0), (1, 2, 2.0), (3, 4, 2.0)):
        ladder.played[ladder.player(a), ladder.player(b)] = [Played((), points / 2, 2)] * 2
    assert ladder.chain() == pytest.approx({0: 100, 1: 100 + 400 * math.log(3), 2: 100 + 400 * math.log(3)})


def test_one_version_alone_gains_nothing(run):
    ladder = Ladder(run, 4)
    ladder.played[ladder.player(0), "random"] = [Played((), 1.0, 2)]
    assert ladder.gain() is None
    assert ladder.facts()["gain"] is None
