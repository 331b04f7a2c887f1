"""A run's curves for TensorBoard, where tensorboardX is installed (`pip install 'nought[tensorboard]'`)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from nought.events import IterationReport, Listener, StepsReport

try:
    from tensorboardX.event_file_writer import EventsWriter
    from tensorboardX.proto.event_pb2 import Event
    from tensorboardX.summary import scalar
except ImportError:  # the run goes on without; metrics.jsonl has everything
    EventsWriter = None


def tensorboard(folder: Path) -> list[Listener]:
    """The listener that writes a run's curves into its folder, if it can."""
    return [TensorBoard(folder / "tensorboard")] if EventsWriter is not None else []


class TensorBoard(Listener):
    """Writes a report's numbers at once: with tensorboardX's usual writer a thread of its own would do so later."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.writer: Any = None

    def iteration(self, report: IterationReport) -> None:
        self._write((report.iteration, name, number) for name, number in numbers(report))

    def steps(self, report: StepsReport) -> None:
        for name, losses in (("steps/policy_loss", report.policy), ("steps/value_loss", report.value)):
            self._write((step, name, loss) for step, loss in enumerate(losses, report.first + 1))

    def _write(self, points: Iterable[tuple[int, str, float]]) -> None:
        """Write points of curves: where along, which, and how high."""
        if self.writer is None:
            self.folder.mkdir(exist_ok=True)
            self.writer = EventsWriter(str(self.folder / "events"))
        for step, name, number in points:
            self.writer.write_event(Event(wall_time=time.time(), step=step, summary=scalar(name, number)))
        self.writer.flush()


def numbers(report: IterationReport) -> Iterator[tuple[str, float]]:
    """The curves of a report."""
    played, learned, gated, exam = report.selfplay, report.learning, report.gate, report.exam
    yield "selfplay/positions_per_second", played.positions / played.seconds
    yield "selfplay/simulations_per_second", played.simulations / played.seconds
    yield "selfplay/evaluations_saved", 1 - played.evaluations / max(played.simulations, 1)
    yield "selfplay/first_player_score", played.first_player_score
    yield "learning/policy_loss", learned.policy_loss
    yield "learning/policy_entropy", learned.policy_entropy
    yield "learning/value_loss", learned.value_loss
    yield "learning/rate", learned.rate
    yield "strength/version", report.version
    if gated.elo is not None:
        yield "strength/elo_papers", gated.elo
    if exam is not None and exam.elo is not None:
        yield "strength/elo", exam.elo[0]
    if exam is not None and exam.accuracy is not None:
        yield "strength/accuracy", exam.accuracy
