"""Ratings from all games at once: Bradley and Terry's model, with honest intervals.

The expected score of a against b is logistic in the difference of their ratings, a draw being half a win. Why not
a model of draws, why virtual draws, and where the intervals come from: docs/reference/ratings.md.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nought.errors import NoughtError
from nought.rating.elo import STANDARD
from nought.statistics import NORMAL_95

ELO_PER_LOGIT = 400 / math.log(10)  # on the standard scale, for a unit of log-odds
PRECISION, STEPS = 1e-9, 1000  # of Newton's method; some thirty steps have always been enough


class Meeting(NamedTuple):
    """An opening played once with each colour: its games may depend on each other, meetings do not."""

    a: str
    b: str
    points: float  # of a
    games: int


class Rating(NamedTuple):
    """A player's rating on the standard scale, with its 95 % interval."""

    player: str
    elo: float
    low: float
    high: float
    games: int
    score: float  # share of the points in all its games


class Gain(NamedTuple):
    """What players of a row gain from one to the next on the standard scale, with its 95 % interval."""

    elo: float
    low: float
    high: float
    start: float  # the rating of number 0 on the straight line


class _Solved(NamedTuple):
    """All players, the anchor first, with their strengths in log-odds."""

    players: list[str]
    strengths: NDArray[np.float64]  #   [players] the anchor's is 0
    covariance: NDArray[np.float64]  #  [players, players] of their errors


def rate(meetings: Iterable[Meeting], anchor: str, at: float = 0.0) -> list[Rating]:
    """The ratings of all who met, best first; the anchor's is given, and intervals are of differences from it."""
    pairings = _pairings(meetings)
    players, strengths, covariance = _solve(pairings, anchor)
    ratings = []
    for name, strength, deviation in zip(players, strengths, np.sqrt(np.diag(covariance)), strict=True):
        elo, margin = at + ELO_PER_LOGIT * strength, ELO_PER_LOGIT * NORMAL_95 * deviation
        points, games = _record(name, pairings.values())
        ratings.append(Rating(name, elo, elo - margin, elo + margin, games, points / games if games else 0.0))
    return sorted(ratings, key=lambda rating: -rating.elo)


def gain(meetings: Iterable[Meeting], anchor: str, row: Mapping[str, float], at: float = 0.0) -> Gain:
    """The slope of the straight line that fits the ratings of a row of players best (least squares), by their
    numbers in it. Its interval is what chance in the games leaves open, not how well a line fits."""
    players, strengths, covariance = _solve(_pairings(meetings), anchor)
    chosen = [i for i, name in enumerate(players) if name in row]
    x = np.array([row[players[i]] for i in chosen], float)
    share = (x - x.mean()) / ((x - x.mean()) ** 2).sum()  # of each rating in the slope
    slope = ELO_PER_LOGIT * share @ strengths[chosen]
    margin = ELO_PER_LOGIT * NORMAL_95 * math.sqrt(share @ covariance[np.ix_(chosen, chosen)] @ share)
    start = at + ELO_PER_LOGIT * strengths[chosen].mean() - slope * x.mean()
    return Gain(float(slope), float(slope - margin), float(slope + margin), float(start))


def _pairings(meetings: Iterable[Meeting]) -> dict[tuple[str, str], list[Meeting]]:
    pairings: dict[tuple[str, str], list[Meeting]] = defaultdict(list)
    for meeting in meetings:
        pairings[meeting.a, meeting.b].append(meeting)
    return pairings


def _solve(pairings: Mapping[tuple[str, str], Sequence[Meeting]], anchor: str) -> _Solved:
    players = [anchor, *sorted({name for pair in pairings for name in pair} - {anchor})]
    _check_connected(players, pairings)
    # [pairings, players but the anchor] 1 for a, -1 for b: a row times the ratings is their difference
    column = {name: i for i, name in enumerate(players)}
    sides = np.zeros((len(pairings), len(players)))
    for row, (a, b) in enumerate(pairings):
        sides[row, column[a]] += 1
        sides[row, column[b]] -= 1
    strengths, covariance = _fit(sides[:, 1:], list(pairings.values()))
    return _Solved(players, np.insert(strengths, 0, 0.0), np.pad(covariance, ((1, 0), (1, 0))))


def _fit(
    sides: NDArray[np.float64], pairings: Sequence[Sequence[Meeting]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Strengths in log-odds and the covariance of their errors, by Newton's method."""
    points = np.array([sum(m.points for m in pairing) for pairing in pairings])
    games = np.array([sum(m.games for m in pairing) for pairing in pairings], float)
    strengths = np.zeros(sides.shape[1])
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(-sides @ strengths))
        variance = games * expected * (1 - expected)
        covariance = np.linalg.inv(sides.T @ (variance[:, None] * sides))
        # Firth's correction, which is Jeffreys' prior: a virtual draw for every rating, spread over its pairings
        virtual = variance * np.einsum("pi,ij,pj->p", sides, covariance, sides)
        step = covariance @ (sides.T @ (points - games * expected + virtual * (0.5 - expected)))
        step /= np.abs(step).max(initial=1)  # far from the answer a full step may overshoot
        strengths += step
        if np.abs(step).max(initial=0) < PRECISION:
            break
    observed = variance * [dispersion(p, e) for p, e in zip(pairings, expected, strict=True)]
    sandwich = covariance @ (sides.T @ (observed[:, None] * sides)) @ covariance
    return strengths, sandwich


def dispersion(meetings: Iterable[Meeting], expected: float) -> float:
    """How much meetings varied about the expected score, against independent games without draws.

    Draws and the two colours of one opening make it less than 1. Four even games that varied as supposed are
    added, so that a few meetings that went alike do not pass for certainty.
    """
    squares = supposed = 4 * 0.25
    for meeting in meetings:
        squares += (meeting.points - meeting.games * expected) ** 2
        supposed += meeting.games * expected * (1 - expected)
    return squares / supposed


def elo_interval(meetings: Sequence[Meeting]) -> tuple[float, float, float]:
    """Two players' difference on the standard scale, and its 95 % interval. A player who took all the points or
    none is given one virtual draw, so that the difference is finite."""
    points, games = sum(m.points for m in meetings), sum(m.games for m in meetings)
    if points in (0, games):
        points, games = points + 0.5, games + 1
    score = points / games
    deviation = math.sqrt(dispersion(meetings, score) / (games * score * (1 - score)))
    elo, margin = STANDARD.difference(score), ELO_PER_LOGIT * NORMAL_95 * deviation
    return elo, elo - margin, elo + margin


def _record(player: str, pairings: Iterable[Sequence[Meeting]]) -> tuple[float, int]:
    """The points and games of a player."""
    met = [m for pairing in pairings for m in pairing if player in (m.a, m.b)]
    return sum(m.points if m.a == player else m.games - m.points for m in met), sum(m.games for m in met)


def _check_connected(players: Sequence[str], pairings: Iterable[tuple[str, str]]) -> None:
    """An error where games do not lead from everyone to the anchor: ratings could not be compared."""
    pairs, reached = list(pairings), {players[0]}
    while more := {name for pair in pairs if not reached.isdisjoint(pair) for name in pair} - reached:
        reached |= more
    if apart := [name for name in players if name not in reached]:
        raise NoughtError(f"no games lead from {', '.join(apart)} to {players[0]}: they cannot be compared")
