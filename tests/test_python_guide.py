"""The examples in docs/guide/python.md run, and say what the guide says."""

import re
from pathlib import Path

import pytest

import nought

GUIDE = (Path(__file__).parents[1] / "docs" / "guide" / "python.md").read_text(encoding="utf-8")
LOOK, SEARCH, LEARN = re.findall("```python\n(.*?)```", GUIDE, re.DOTALL)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("example", [LOOK, SEARCH, LEARN])
def test_examples_are_short(example: str) -> None:
    assert 10 <= len([line for line in example.splitlines() if line]) <= 20


def test_the_guide_names_all_that_is_offered() -> None:
    named = set(re.findall(r"\w+", GUIDE))
    assert [name for name in nought.__all__ if name not in named and name != "__version__"] == []


def test_a_position_is_analysed(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    exec(LOOK, names)
    value, *moves = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"value for the player to move: [+-][01]\.\d\d", value)
    assert len(moves) == 7
    assert moves[0].startswith("column ")
    position = names["position"]
    assert isinstance(position, nought.Position)
    assert len(position.moves) == 6


def test_an_evaluator_of_ones_own_searches(capsys: pytest.CaptureFixture[str]) -> None:
    exec(SEARCH, {})
    won = re.fullmatch(r"(\d+) of 10 games won\n", capsys.readouterr().out)
    assert won is not None
    assert int(won[1]) >= 6  # against random play


def test_a_run_learns_and_plays(capsys: pytest.CaptureFixture[str]) -> None:
    exec(LEARN, {"__name__": "__main__"})
    *iterations, begins = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in iterations] == ["1", "2", "3"]
    assert re.fullmatch("it begins with [0-8]", begins)
    assert nought.Run("runs/first").progress().iteration == 3
