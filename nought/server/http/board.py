"""What the processes of a server say of themselves: who serves, who is warm, and what they have counted, as one server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Series = dict[
    str, dict[str, float]
]  # by its type's line in Prometheus's text format: a name with labels, and its value


class Board:
    """What each worker has last said; a server of one process has one worker, number 0."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers
        self.serving: set[int] = set()
        self.warm: set[int] = set()  # whose games have all been compiled
        self._why: dict[int, str] = {}  # somebody could not serve
        self._lines: dict[int, Sequence[str]] = {}  # what each has counted
        self._past: Sequence[str] = ()  # what those have counted who are no more

    def serves(self, worker: int) -> None:
        """A worker answers requests from now on."""
        self.serving.add(worker)

    def fails(self, worker: int, why: str) -> None:
        """A worker cannot serve, and is about to end."""
        self._why[worker] = why

    def note(self, worker: int, lines: Sequence[str], warm: bool) -> None:
        """What a worker has counted so far, in Prometheus's text format, and whether it is warm."""
        self._lines[worker] = lines
        if warm:
            self.warm.add(worker)

    def forget(self, worker: int) -> str | None:
        """A worker is no more: what it has done stays done, what it was doing does not. Why it could not serve, if so."""
        self.serving.discard(worker)
        self.warm.discard(worker)
        gone = summed([self._lines.pop(worker, ())])
        self._past = summed([self._past, _lasting(gone)])
        return self._why.pop(worker, None)

    def is_warm(self, worker: int | None = None) -> bool:
        """Whether this worker is warm, or all of them."""
        return worker in self.warm if worker is not None else len(self.warm) == self.workers

    def count(self) -> int:
        """How many workers answer requests."""
        return len(self.serving)

    def lines(self) -> list[str]:
        """What all have counted together."""
        workers = ["# TYPE nought_workers gauge", f"nought_workers {self.count()}"]
        return [*workers, *summed([self._past, *self._lines.values()])]


def summed(texts: Iterable[Sequence[str]]) -> list[str]:
    """Several processes' metrics as those of one: each series is the sum."""
    found: Series = {}
    for text in texts:
        series: dict[str, float] = {}
        for line in text:
            if line.startswith("#"):
                series = found.setdefault(line, {})
            else:
                name, _, value = line.rpartition(" ")
                series[name] = series.get(name, 0.0) + float(value)
    return [
        line
        for kind, series in found.items()
        for line in (kind, *(f"{name} {_shown(value)}" for name, value in series.items()))
    ]


def _lasting(lines: Sequence[str]) -> list[str]:
    """What has been counted, without what was so at that moment (gauges)."""
    kept, lasts = [], True
    for line in lines:
        if line.startswith("#"):
            lasts = not line.endswith(" gauge")
        if lasts:
            kept.append(line)
    return kept


def _shown(value: float) -> str:
    return f"{value:.0f}" if value.is_integer() else f"{value:.6f}"
