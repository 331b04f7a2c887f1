"""A study's numbers: as tables of the page, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np

from nought.study.conclusions import Conclusion, Row
from nought.study.plan import Part
from nought.study.results import Results, RunResult
from nought.study.statistics import Interval

COLUMNS = (
    "run", "game", "setting", "seed", "iteration", "loops", "minutes", "games", "selfplay_s", "learning_s", "gate_s",
    "policy", "entropy", "value", "wins", "draws", "losses", "began_wins", "began_draws", "began_losses", "accepted",
    "version", "accuracy", "margins",
)  # fmt: skip
NOTE = (
    "Differences are taken seed by seed; a bold one has an interval without 0. The effect is the difference in standard "
    "deviations of one run (Cohen's d). The trend is the change when the parameter doubles, over all runs. Of twenty "
    "such intervals one misses the truth by chance."
)


def results_csv(results: Iterable[Results]) -> str:
    """A line for every iteration of every run."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    once = {run.planned.name: run for part in results for runs in part.values() for run in runs}
    for run in once.values():
        writer.writerows(_lines(run))
    return text.getvalue()


def _lines(run: RunResult) -> Iterator[list[Any]]:
    planned = run.planned
    for r, loops, right in zip(run.reports, run.steps, run.accuracy, strict=True):
        learned, gated = r.learning, r.gate
        yield [
            planned.name, planned.game, planned.point.label, planned.parameters.run.seed, r.iteration,
            int(loops), round(r.minutes, 3), r.selfplay.games,
            *(round(phase.seconds, 3) for phase in (r.selfplay, learned, gated)),
            *(round(x, 4) for x in (learned.policy_loss, learned.policy_entropy, learned.value_loss)),
            gated.wins, gated.draws, gated.losses, *gated.starting, int(gated.accepted), r.version,
            "" if math.isnan(right) else round(right, 4), " ".join(map(str, gated.margins)),
        ]  # fmt: skip


def conclusions_json(found: Mapping[str, list[Conclusion]]) -> str:
    """The conclusions by part, measure and point: means, differences and trends, each with the ends of its interval."""

    def numbers(interval: Interval | None) -> list[float | None] | None:
        return None if interval is None else [round(x, 5) if math.isfinite(x) else None for x in interval]

    def row(row: Row) -> dict[str, Any]:
        return {"mean": numbers(row.value), "difference": numbers(row.difference), "effect": row.effect}

    tables = {
        part: {
            c.measure.name: {"points": {r.point.label: row(r) for r in c.rows}, "trend": numbers(c.trend)}
            for c in table
        }
        for part, table in found.items()
    }
    return json.dumps(tables, indent=1) + "\n"


def summary_table(found: Mapping[Part, list[Conclusion]]) -> str:
    """The trends of all parts."""
    rows = []
    for part, table in found.items():
        trends = [(c.measure.name, c.trend) for c in table if c.trend is not None]
        for i, (name, trend) in enumerate(trends):
            first = f"<td rowspan={len(trends)}>{escape(part.title)}" if i == 0 else ""
            rows.append(f"<tr>{first}<td>{escape(name)}<td>{_signed(trend)}<td>{_ends(trend)}")
    head = "<tr><th>part<th>measure<th>change per doubling<th>95 % interval"
    note = "<p class=note>From a line through all finished runs; bold where the interval is without 0.</p>"
    return f"<table>{head}{''.join(rows)}</table>{note}\n"


def conclusions_table(part: Part, found: list[Conclusion]) -> str:
    """The conclusions of a part as an HTML table."""
    head = "".join(
        f"<th>{name}"
        for name in (
            "measure", "setting", "mean", "95 % interval", "difference to the baseline", "95 % interval", "effect",
        )
    )  # fmt: skip
    body = "".join(map(_conclusion, found))
    note = f"<p class=note>Baseline: {escape(part.baseline.label)}. {NOTE}</p>"
    return f"<h3>Conclusions</h3><table><tr>{head}{body}</table>{note}"


def _conclusion(found: Conclusion) -> str:
    rows = [_row(row) for row in found.rows]
    if found.trend is not None:
        rows.append(f"<td>trend, per doubling<td><td><td>{_signed(found.trend)}<td>{_ends(found.trend)}<td>")
    name = f"<td rowspan={len(rows)}>{escape(found.measure.name)}"
    return "".join(f"<tr>{name if i == 0 else ''}{row}" for i, row in enumerate(rows))


def _row(row: Row) -> str:
    mean = _number(row.value.mean, _places(row.value))
    cells = f"<td>{escape(row.point.label)}<td>{mean}<td>{_ends(row.value)}"
    if row.difference is None:
        return cells + "<td>–<td>–<td>–"
    effect = "–" if row.effect is None else f"{row.effect:+.1f}"
    return cells + f"<td>{_signed(row.difference)}<td>{_ends(row.difference)}<td>{effect}"


def _signed(found: Interval) -> str:
    text = _number(found.mean, _places(found), sign="+")
    return f"<b>{text}</b>" if found.sure else text


def _ends(found: Interval) -> str:
    if not math.isfinite(found.low):
        return "too few seeds"
    return " … ".join(_number(end, _places(found)) for end in (found.low, found.high))


def _places(found: Interval) -> int:
    """How many decimals are shown: two digits of how unsure the number is."""
    half = found.high - found.mean
    return 3 if not math.isfinite(half) or half == 0 else max(0, 1 - math.floor(math.log10(half)))


def _number(x: float, places: int, sign: str = "-") -> str:
    return f"{x:{sign}.{places}f}".replace("-", "−")


def sizes_table(shown: list[tuple[Part, list[RunResult]]]) -> str:
    """How many times as long a game and a training loop take on the next board."""
    rows = []
    for (before, ours), (after, theirs) in pairwise(shown):
        game = _mean(r.seconds_per_game for r in theirs) / _mean(r.seconds_per_game for r in ours)
        loop = _mean(r.seconds_per_step for r in theirs) / _mean(r.seconds_per_step for r in ours)
        rows.append(f"<tr><td>{escape(before.game)} → {escape(after.game)}<td>{game:.1f}<td>{loop:.1f}")
    return (
        f"<table><tr><th>from → to<th>a game takes × as long<th>a loop takes × as long{''.join(rows)}</table>"
    )


def _mean(numbers: Iterable[float]) -> float:
    return float(np.mean(list(numbers)))
