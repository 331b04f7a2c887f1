"""A run that is stopped and goes on comes to the same weights, to the last bit, as one that was never interrupted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from nought.events import IterationReport, Listener
from nought.learning.loop import learn
from nought.learning.run import Run
from nought.network import int8
from nought.network import precision as choosing
from nought.presets import override, preset
from tests.support.skips import GPU

# batch, window, optimizer and averaging are the preset's
QUICK: dict[str, Any] = {
    "network.filters": 8,
    "network.blocks": 1,
    "network.value_hidden": 8,
    "search.simulations": 4,
    "search.cache": 1024,
    "selfplay.games": 64,
    "selfplay.threads": 1,
    "selfplay.positions": 150,
    "learning.reuse": 12.0,
    "gate.games": 4,
    "gate.simulations": 4,
    "exam.games": 0,
    "run.precision": "float32",  # measured, it might differ from run to run
    "run.iterations": 3,
    "run.minutes": 0,
}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "defaults": ("best", {}),
    "positions for a batch at once": ("best", {"selfplay.positions": 700, "run.iterations": 2}),
    "a full window": ("best", {"learning.window": 600, "selfplay.positions": 300}),
    "a window that grows faster than it fills": (
        "best",
        {"learning.window": 2000, "run.growth": 0.2, "selfplay.positions": 800, "run.iterations": 2},
    ),
    "symmetries by chance, positions consumed": (
        "best",
        {"search.symmetries": 3, "selfplay.positions": 700, "learning.consumed": True},
    ),
    "without averaging, by sgd": ("wandhoven", {"selfplay.positions": 300}),
    "rejected networks that go back": (
        "blog",
        {"selfplay.positions": 300, "learning.reuse": 2.0, "gate.threshold": 0.6},
    ),
}


class StoppedHere(Exception):
    pass


class StopAfter(Listener):
    """Ends a run after an iteration."""

    def __init__(self, iteration: int) -> None:
        self.last = iteration

    def iteration(self, report: IterationReport) -> None:
        if report.iteration == self.last:
            raise StoppedHere


def final_tensors(run: Run) -> dict[str, np.ndarray]:
    """All that learning depends on, after the last iteration."""
    return load_file(run.folder / "state" / f"{run.progress().iteration:06d}" / "trainer.safetensors")


def final_games(run: Run) -> str:
    return (run.folder / "games" / f"{run.progress().iteration:06d}.jsonl").read_text(encoding="utf-8")


def check_resume(
    folder: Path,
    preset_name: str,
    changes: dict[str, Any],
    device: str,
    before_resuming: Callable[[], None] = lambda: None,
) -> Run:
    """A run as a whole, and one that is stopped before its last iteration and goes on; their ends are equal."""
    parameters = override(preset(preset_name, "tictactoe"), QUICK | changes)
    whole, parts = (Run.create(folder / name, "tictactoe", parameters) for name in ("whole", "parts"))
    learn(whole, device=device)
    with pytest.raises(StoppedHere):
        learn(parts, StopAfter(parameters.run.iterations - 1), device=device)
    before_resuming()
    learn(Run(parts.folder), device=device)
    assert [r.window for r in parts.reports()] == [r.window for r in whole.reports()]
    assert final_games(parts) == final_games(whole)
    expected, found = final_tensors(whole), final_tensors(parts)
    assert expected.keys() == found.keys()
    assert [name for name in expected if not np.array_equal(expected[name], found[name])] == []
    return whole


@pytest.mark.parametrize("case", CASES)
def test_on_a_cpu(tmp_path: Path, case: str) -> None:
    preset_name, changes = CASES[case]
    check_resume(tmp_path, preset_name, changes, "cpu")


@pytest.mark.skipif(not torch.cuda.is_available(), reason=GPU)
@pytest.mark.parametrize("case", CASES)
def test_on_a_gpu(tmp_path: Path, case: str) -> None:
    preset_name, changes = CASES[case]
    check_resume(tmp_path, preset_name, changes, "cuda")


@pytest.mark.parametrize("least_same", [0.97, 0.0])
def test_in_int8(tmp_path: Path, least_same: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where some versions answer otherwise in int8; then what was measured when the run began holds."""
    pytest.importorskip("onnxruntime")
    gain = [2.0]  # of bfloat16, as long as it is measured so

    def seconds(forwards: dict[str, Any], planes: Any) -> dict[str, float]:
        return {"float32": 1.0, "bfloat16": 1 / gain[0]}

    def measured_anew() -> None:
        choosing._chosen.clear()
        gain[0] = 0.5

    monkeypatch.setattr(int8, "LEAST_SAME", least_same)
    monkeypatch.setattr(choosing, "why_not_bfloat16", lambda: None)
    monkeypatch.setattr(choosing, "shortest_times", seconds)
    monkeypatch.setattr(choosing, "_chosen", {})
    changes = {"run.precision": "int8", "run.iterations": 2}
    run = check_resume(tmp_path, "best", changes, "cpu", before_resuming=measured_anew)
    assert (run.progress().precision, run.progress().floats) == ("int8", "bfloat16")


def test_all_that_was_played_for_the_first_batch_is_kept(tmp_path: Path) -> None:
    """Where one go at self-play finishes too few games for a batch there are several, and none is lost."""
    run = Run.create(tmp_path / "run", "tictactoe", override(preset("best", "tictactoe"), QUICK))
    learn(run)
    first = run.reports()[0]
    assert first.selfplay.positions == first.window >= run.parameters.learning.batch
    assert sum(map(len, run.samples())) == run.reports()[-1].window
    assert sum(report.selfplay.games for report in run.reports()) == run.progress().games
    lines = (run.folder / "games" / "000001.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == first.selfplay.games
