"""What a plan says, and what it must not."""

import re
from pathlib import Path

import pytest

from nought.errors import NoughtError
from nought.study.plan import read_study
from tests.study.tiny import TINY, write_study


def study(tmp_path, text=TINY, only="*"):
    return read_study(str(write_study(tmp_path, text)), only)


def test_a_grid_is_every_combination_from_every_seed(tmp_path):
    text = TINY.replace("seeds = 1", "seeds = [3, 5]") + "grid.learning.rate = [0.1, 0.2, 0.3]\n"
    runs = study(tmp_path, text).runs()
    settings = {
        (r.parameters.network.filters, r.parameters.learning.rate, r.parameters.run.seed) for r in runs
    }
    assert settings == {(f, rate, s) for f in (4, 8) for rate in (0.1, 0.2, 0.3) for s in (3, 5)}
    assert len({r.name for r in runs}) == len(runs) == 12
    # all points from the first seed come before any from the second
    assert [r.parameters.run.seed for r in runs] == 6 * [3] + 6 * [5]


def test_a_list_is_its_entries_and_settings_add_up(tmp_path):
    text = TINY.replace(
        "grid.network.filters = [4, 8]",
        "list = [{ network.filters = 4 }, { network.filters = 6, search.simulations = 9 }]\nset.search.c_puct = 3",
    )
    first, second = study(tmp_path, text).runs()
    assert (first.parameters.network.filters, first.parameters.search.simulations) == (4, 8)
    assert (second.parameters.network.filters, second.parameters.search.simulations) == (6, 9)
    assert first.parameters.search.c_puct == second.parameters.search.c_puct == 3
    assert first.parameters.selfplay.threads == 1


def test_parts_that_need_the_same_run_share_it(tmp_path):
    text = TINY + '\n[[part]]\nname = "steps"\nset.network.filters = 8\ngrid.learning.steps = [4, 5]\n'
    whole = study(tmp_path, text)
    assert len(whole.runs()) == 3
    filters, steps = whole.parts
    assert filters.runs[filters.points[1]] == steps.runs[steps.points[0]]


@pytest.mark.parametrize(
    ("budget", "limits"),
    [("iterations = 3", (3, 0, 0)), ("games = 40", (0, 40, 0)), ("minutes = 1.5", (0, 0, 1.5))],
)
def test_only_the_budget_that_is_named_counts(tmp_path, budget, limits):
    run = study(tmp_path, TINY.replace("iterations = 3", budget)).runs()[0].parameters.run
    assert (run.iterations, run.games, run.minutes) == limits


def test_a_part_has_its_own_budget_and_the_preset_is_the_baseline(tmp_path):
    text = TINY + '\n[[part]]\nname = "b"\nminutes = 2\ngrid.network.filters = [16, 32]\n'
    whole = study(tmp_path, text)
    assert [r.parameters.run.minutes for r in whole.runs()] == [0, 0, 2, 2]
    assert [part.baseline.label for part in whole.parts] == ["filters 4", "filters 32"]  # 32 is the preset's
    assert [part.name for part in study(tmp_path, text, "b*").parts] == ["b"]


def test_the_thesis_is_planned_as_it_was_done():
    whole = read_study(str(Path(__file__).parents[2] / "studies" / "prince.toml"))
    parts = {part.name: part for part in whole.parts}
    filters = [
        [dict(p.overrides)["network.filters"] for p in parts[f"{n}x{n}-filters"].points] for n in (2, 3, 4)
    ]
    assert filters == [
        [9, 18, 26, 35, 44, 53, 61, 70], [18, 35, 53, 70, 88, 105, 123, 140], [29, 57, 86, 114, 143, 171, 200, 228],
    ]  # fmt: skip
    for n, (memory, simulations) in {2: (1000, 50), 3: (2000, 100), 4: (3333, 167)}.items():
        loops = parts[f"{n}x{n}-loops"]
        assert [dict(p.overrides)["learning.steps"] for p in loops.points] == [5, 10, 15, 20, 25]
        p = loops.runs[loops.baseline][0].parameters
        assert (p.learning.window, p.search.simulations, p.learning.steps) == (memory, simulations, 10)
        assert (p.network.blocks, p.learning.batch, p.learning.rate) == (6, 256, 0.1)
        assert (p.gate.games, p.gate.threshold) == (30, 1.3)
    assert all(len(parts[name].runs[parts[name].baseline]) == 3 for name in ("2x2-filters", "2x2-loops"))


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("grid.network.filters = [4, 8]", "", "needs a grid or a list"),
        ("grid.network.filters = [4, 8]", "grid.network.filters = 4", "a grid lists values"),
        (
            "grid.network.filters = [4, 8]",
            "grid.network.depth = [4]",
            "there is no parameter 'network.depth'",
        ),
        ("grid.network.filters = [4, 8]", "grid.network.filters = [-4]", "must be 1 or more"),
        ("grid.network.filters", "compare = [2]\ngrid.network.filters", "places of its settings, 0 to 1"),
        ('name = "filters"', 'name = "a b"', "letters, digits and dashes"),
        ('name = "filters"', 'nam = "filters"', "has a name"),
        ("seeds = 1", "seeds = -1", "seeds is how many"),
        ("seeds = 1", 'seeds = "x"', "seeds is how many"),
        ("iterations = 3", "iterations = 0", "numbers above 0"),
        ("iterations = 3", "iteration = 3", "a study has no 'iteration'"),
        ('game = "tictactoe"', "", "needs a game"),
        ('game = "tictactoe"', 'game = "tictac"', "tictac"),
        ('game = "tictactoe"', 'game = "tictactoe"\npreset = "bst"', "there is no preset 'bst'"),
        ("[[part]]", "[part]", "must be a list of tables"),
        ("network.blocks = 1", '"network.blocks" = 1', "settings are like"),
        ("iterations = 3", "iterations = 3\nthreads = 0", "threads"),
        ("title =", "title", "is not TOML"),
    ],
)
def test_a_wrong_plan_is_explained(tmp_path, before, after, says):
    assert TINY.count(before) >= 1
    with pytest.raises(NoughtError, match=re.escape(says)):
        study(tmp_path, TINY.replace(before, after))


def test_a_study_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoughtError, match=r"studies/nobody\.toml cannot be read"):
        read_study("nobody")
    with pytest.raises(NoughtError, match="there is no part 'x'; there are filters"):
        study(tmp_path, only="x")
