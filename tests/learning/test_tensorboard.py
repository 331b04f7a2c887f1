"""The files for TensorBoard."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from nought.events import ExamReport, GateReport, IterationReport, LearningReport, SelfPlayReport, StepsReport
from nought.learning.tensorboard import tensorboard

event_pb2 = pytest.importorskip("tensorboardX.proto.event_pb2")


def scalars(folder: Path) -> dict[tuple[str, int], float]:
    """What the files in a folder hold, by name and step, read by their documented layout."""
    found = {}
    for path in folder.iterdir():
        data = path.read_bytes()
        while data:
            (length,) = struct.unpack("<Q", data[:8])
            event = event_pb2.Event.FromString(data[12 : 12 + length])
            found |= {(value.tag, event.step): value.simple_value for value in event.summary.value}
            data = data[12 + length + 4 :]
    return found


def test_every_iteration_is_written(tmp_path: Path) -> None:
    (listener,) = tensorboard(tmp_path)
    for iteration in (1, 2):
        listener.progress("self-play", 0.5)
        listener.iteration(
            IterationReport(
                iteration,
                iteration,
                0.5,
                10,
                SelfPlayReport(5, 100, 2.0, 800, 200, 0.25),
                LearningReport(4, 1.0, 0.002, 1.5 / iteration, 1.0, 0.5),
                GateReport(0, 0, 0, True, None, 0.0),
                ExamReport(0.75, (), (120.0, 50.0, 200.0), 0.1) if iteration == 2 else None,
            )
        )
        listener.steps(StepsReport(iteration, 2 * (iteration - 1), (1.0, 0.5), (0.25, 0.125 / iteration)))
    found = scalars(tmp_path / "tensorboard")
    assert found["learning/policy_loss", 1] == 1.5 and found["learning/policy_loss", 2] == 0.75
    assert found["selfplay/positions_per_second", 1] == 50
    assert found["selfplay/evaluations_saved", 1] == 0.75
    assert found["strength/accuracy", 2] == 0.75 and ("strength/accuracy", 1) not in found
    assert found["strength/elo", 2] == 120
    assert [found["steps/policy_loss", step] for step in (1, 2, 3, 4)] == [1, 0.5, 1, 0.5]
    assert found["steps/value_loss", 2] == 0.125 and found["steps/value_loss", 4] == 0.0625
