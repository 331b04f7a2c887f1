"""Do a run's Elo and its accuracy contradict each other? For runs of games that have labelled positions:

    nought train connect4 --minutes 10 --run one --set exam.share=0.2
    python benchmarks/elo_and_accuracy.py one [RUN …]

Of every two rated versions it asks whether one is better by accuracy, and whether by Elo, each beyond its 95 % interval.
A contradiction is a pair in which one says better and the other says worse: as the numbers were shown while the run
learned, and by all its games together, which tell two versions apart more sharply. It also prints how much of the time
the exams took. The exit code is 1 if numbers that were shown contradict each other.
"""

from __future__ import annotations

import math
import sys
from itertools import combinations
from typing import NamedTuple

from nought.errors import NoughtError
from nought.learning.rater import as_meetings
from nought.learning.run import Run, run_folder
from nought.oracle.labelled import built_in_positions, read_positions
from nought.rating.bradley_terry import rate
from nought.statistics import NORMAL_95


class Rated(NamedTuple):
    """A version as it was examined."""

    version: int
    accuracy: float
    elo: tuple[float, float, float] | None  # as it was shown


class Pairs(NamedTuple):
    """Of all pairs of versions: where accuracy tells them apart, where Elo does too, and where not alike."""

    by_accuracy: int
    by_both: int
    contradictions: list[tuple[int, int]]


def accuracy_change(a: Rated, b: Rated, positions: int) -> int:
    """1 if b is right more often than a, -1 if less often, 0 if nobody can tell: the test of two shares."""
    variance = sum(r.accuracy * (1 - r.accuracy) for r in (a, b)) / positions
    difference, margin = b.accuracy - a.accuracy, NORMAL_95 * math.sqrt(variance)
    return (difference > margin) - (difference < -margin)


def shown_change(a: Rated, b: Rated) -> int:
    """The same by the ratings that were shown, if one's interval lies above the other's."""
    if a.elo is None or b.elo is None:
        return 0
    return (b.elo[1] > a.elo[2]) - (b.elo[2] < a.elo[1])


def compare(rated: list[Rated], positions: int, by_elo: dict[tuple[int, int], int]) -> Pairs:
    by_accuracy, by_both, contradictions = 0, 0, []
    for a, b in combinations(rated, 2):
        right, elo = accuracy_change(a, b, positions), by_elo[a.version, b.version]
        by_accuracy += right != 0
        by_both += right != 0 and elo != 0
        if right * elo < 0:
            contradictions.append((a.version, b.version))
    return Pairs(by_accuracy, by_both, contradictions)


def examine(name: str) -> bool:
    """Print what there is to say about a run; whether what it showed agrees."""
    run = Run(run_folder(name))
    path = built_in_positions(run.game)
    if path is None:
        raise NoughtError(f"{run.game_name} has no labelled positions")
    positions = len(read_positions(path, run.game))
    exams = [(r.version, r.exam) for r in run.reports() if r.exam is not None]
    rated = [Rated(v, e.accuracy, e.elo) for v, e in exams if e.games and e.accuracy is not None]
    meetings = as_meetings(met for _, exam in exams for met in exam.games)
    shown = {(a.version, b.version): shown_change(a, b) for a, b in combinations(rated, 2)}
    by_all: dict[tuple[int, int], int] = {}
    for a in rated:
        others = {r.player: r for r in rate(meetings, str(a.version))}
        for b in rated:
            other = others[str(b.version)]
            by_all[a.version, b.version] = int(other.low > 0) - int(other.high < 0)
    share = sum(e.seconds for _, e in exams) / (60 * run.reports()[-1].minutes)
    visible = [r for r in rated if r.elo is not None]
    print(
        f"{name}: {run.game_name}, {len(exams)} versions, {len(rated)} rated, {len(visible)} of them shown; "
        f"exams took {share:.1%} of the time"
    )
    for r in visible:
        assert r.elo is not None
        elo, low, high = r.elo
        print(f"  version {r.version:4}  Elo {elo:5.0f} ({low:.0f} to {high:.0f})  right {r.accuracy:.1%}")
    agreed = True
    for what, by_elo in (("as shown", shown), ("by all games", by_all)):
        pairs = compare(rated, positions, by_elo)
        print(
            f"  {what}: {math.comb(len(rated), 2)} pairs, accuracy tells {pairs.by_accuracy} apart, Elo "
            f"{pairs.by_both} of these too, contradictions: {len(pairs.contradictions)} {pairs.contradictions or ''}"
        )
        agreed &= what != "as shown" or not pairs.contradictions
    return agreed


if __name__ == "__main__":
    try:
        agreeing = [examine(name) for name in sys.argv[1:]]
        sys.exit(0 if all(agreeing) else 1)
    except NoughtError as error:
        sys.exit(str(error))
