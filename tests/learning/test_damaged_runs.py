"""Runs of which something cannot be read any more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from nought.errors import NoughtError
from nought.events import Listener
from nought.learning.loop import learn
from nought.learning.run import Run
from nought.presets import override, preset
from tests.support.tiny_run import TINY


class Warnings(Listener):
    def __init__(self) -> None:
        self.heard: list[str] = []

    def warning(self, text: str) -> None:
        self.heard.append(text)


def new_run(folder: Path, name: str) -> Run:
    """A window that is soon full: the files of old positions are removed as it goes."""
    changed = {"run.iterations": 4, "learning.window": 100, "exam.games": 4}
    return Run.create(folder / name, "tictactoe", override(preset("best", "tictactoe"), TINY | changed))


def cut(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def flip(path: Path) -> None:
    """Change a byte in the midst of the data."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(bytes(content))


def final_weights(run: Run) -> dict[str, np.ndarray]:
    return load_file(run.folder / "state" / "000004" / "trainer.safetensors")


@pytest.mark.parametrize(
    ("part", "harm"),
    [
        ("progress.json", cut),
        ("progress.json", Path.unlink),
        ("trainer.safetensors", cut),
        ("games.npz", cut),
        ("games.npz", flip),
    ],
)
def test_a_run_falls_back_to_the_state_before_and_comes_to_the_same_weights(tmp_path, part, harm) -> None:
    whole = new_run(tmp_path, "whole")
    learn(whole)
    run = new_run(tmp_path, "run")
    learn(run)
    harm(run.folder / "state" / "000004" / part)
    listener = Warnings()
    learn(Run(run.folder), listener)
    (warning,) = listener.heard
    assert part in warning and "goes on from the state before" in warning
    expected, found = final_weights(whole), final_weights(run)
    assert expected.keys() == found.keys() and all(np.array_equal(expected[n], found[n]) for n in expected)
    assert [r.iteration for r in run.reports()] == [1, 2, 3, 4]
    assert [r.version for r in run.reports()] == [r.version for r in whole.reports()]


def test_reading_a_run_falls_back_too(tmp_path) -> None:
    run = new_run(tmp_path, "run")
    learn(run)
    cut(run.folder / "state" / "000004" / "progress.json")
    assert run.progress().iteration == 3
    assert run.damage() == [
        f"{run.folder}/state/000004/progress.json is damaged: --resume goes on from the state before"
    ]


@pytest.mark.parametrize("harm", [cut, flip])
def test_a_damaged_memory_file_is_left_out(tmp_path, harm) -> None:
    run = new_run(tmp_path, "run")
    learn(run)
    run.extend(override(run.parameters, {"run.iterations": 5}).run)
    damaged = sorted((run.folder / "memory").iterdir())[-2]
    harm(damaged)
    listener = Warnings()
    learn(Run(run.folder), listener)
    (warning,) = listener.heard
    assert damaged.name in warning and "without these positions" in warning
    assert run.progress().iteration == 5


def test_a_cut_memory_file_is_seen_at_a_glance(tmp_path) -> None:
    run = new_run(tmp_path, "run")
    learn(run)
    assert run.damage() == []
    damaged = sorted((run.folder / "memory").iterdir())[-1]
    cut(damaged)
    (line,) = run.damage()
    assert damaged.name in line and "without its positions" in line


@pytest.mark.parametrize("all_states", [True, False])
def test_without_any_whole_state_versions_are_kept_and_the_way_on_is_said(tmp_path, all_states) -> None:
    run = new_run(tmp_path, "run")
    learn(run)
    for state in (run.folder / "state").iterdir():
        for path in state.iterdir():
            path.unlink()
        state.rmdir()
    if all_states:
        (run.folder / "state").rmdir()
    for look in (run.progress, lambda: learn(Run(run.folder))):
        with pytest.raises(
            NoughtError, match=r"no whole state left .* `nought train tictactoe --from .*run`"
        ):
            look()
    assert len(list((run.folder / "versions").iterdir())) == 5


@pytest.mark.parametrize("name", ["config.toml", "game.json"])
def test_a_missing_file_is_named(tmp_path, name) -> None:
    run = new_run(tmp_path, "run")
    (run.folder / name).unlink()
    with pytest.raises(NoughtError, match=f"{name} is missing"):
        Run(run.folder)


def test_a_line_of_metrics_cut_off_by_a_crash_spoils_no_other(tmp_path) -> None:
    run = new_run(tmp_path, "run")
    learn(run)
    for name in ("metrics.jsonl", "steps.jsonl"):
        with (run.folder / name).open("a") as file:
            file.write('{"iteration": 5, "ver')
    run.extend(override(run.parameters, {"run.iterations": 5}).run)
    learn(Run(run.folder))
    assert [r.iteration for r in run.reports()] == [1, 2, 3, 4, 5]
    assert [s.iteration for s in run.steps()] == [1, 2, 3, 4, 5]
    for report, steps in zip(run.reports(), run.steps(), strict=True):
        assert steps.first == sum(r.learning.steps for r in run.reports()[: report.iteration - 1])
        assert len(steps.policy) == len(steps.value) == report.learning.steps
        assert np.mean(steps.policy) == pytest.approx(report.learning.policy_loss, abs=1e-5)
        assert np.mean(steps.value) == pytest.approx(report.learning.value_loss, abs=1e-5)


def test_files_that_are_not_ours_are_left_alone(tmp_path) -> None:
    run = new_run(tmp_path, "run")
    mine = run.folder / "versions" / "best-copy.safetensors"
    mine.write_text("")
    learn(run)
    assert mine.exists()
