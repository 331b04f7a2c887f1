"""The ladder of a run: its versions and some players whom everybody knows, rated together."""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from nought.agents.match import PlayMatch, named_match
from nought.arithmetic import ceil_div
from nought.errors import NoughtError
from nought.events import PhaseProgress
from nought.files import write_whole
from nought.games import Game
from nought.learning.run import Run
from nought.learning.storage import Damaged, read_json, reading
from nought.learning.typed import typed
from nought.oracle import find_oracle
from nought.rating import (
    STANDARD,
    Gain,
    MatchInterrupted,
    Meeting,
    Rating,
    Tally,
    gain,
    rate,
    to_papers,
    to_standard,
    varied_openings,
)
from nought.rating.elo import UNTRAINED, papers_elo_difference
from nought.selfplay.players import KNOWN

RATINGS_FILE = "ratings.json"
RATED_GAMES = "ratings"  # as which a run keeps the games
PERFECT = "oracle"
NEAREST_PLAYERS = 2  # known players that each version meets
MOST_VERSIONS = 10  # versions that are rated, unless told otherwise

Pairing = tuple[str, str]


class Played(NamedTuple):
    """An opening that a pairing has played with both colours."""

    moves: tuple[int, ...]
    points: float  # of the first of the two players
    games: int


class Ladder:
    """All games of a ladder, kept in the run's folder: what was played is never played again."""

    def __init__(self, run: Run, simulations: int) -> None:
        self.run = run
        self.simulations = simulations
        self.path = run.folder / RATINGS_FILE
        self.played: dict[Pairing, list[Played]] = defaultdict(list)
        if os.path.lexists(self.path):
            self._read()

    def player(self, version: int) -> str:
        """The name of a version as a player."""
        name = f"{self.run.name}@{version}"
        return f"search:{name}:{self.simulations}" if self.simulations else f"net:{name}"

    def version(self, player: str) -> int | None:
        """The version that this player is; None for all others and for other numbers of simulations."""
        found = re.search(r"@(\d+)", player)
        return int(found[1]) if found and player == self.player(int(found[1])) else None

    @property
    def anchor(self) -> str:
        """The untrained version, whose rating is given."""
        return self.player(0)

    def ratings(self) -> list[Rating]:
        """The ratings of all who played, best first."""
        return rate(self._meetings(), self.anchor, UNTRAINED)

    def gain(self) -> Gain | None:
        """What a version gains: the straight line through the versions' ratings; None where there is one only."""
        meetings = self._meetings()
        players = {name for meeting in meetings for name in meeting[:2]}
        row = {name: version for name in players if (version := self.version(name)) is not None}
        return gain(meetings, self.anchor, row, UNTRAINED) if len(row) > 1 else None

    def chain(self) -> dict[int, float]:
        """The versions' ratings as 000 finds them, on its scale: each by its match with the one before (equation 48).
        It ends where a version has not met the one before."""
        ratings, version = {0: UNTRAINED}, 1
        while games := self.played.get((self.player(version - 1), self.player(version))):
            score = 1 - sum(p.points for p in games) / sum(p.games for p in games)
            ratings[version] = ratings[version - 1] + papers_elo_difference(score)
            version += 1
        return ratings

    def _meetings(self) -> list[Meeting]:
        return [Meeting(*pairing, p.points, p.games) for pairing, ps in self.played.items() for p in ps]

    def play(
        self,
        pairing: Pairing,
        games: int,
        seed: int,
        device: str,
        progress: Callable[[float], None],
        play_match: PlayMatch | None = None,
    ) -> None:
        """Play the games that a pairing lacks, from openings that are new to it, and write them down."""
        game, played = self.run.game, self.played[pairing]
        missing = ceil_div(games, 2) - len(played)
        known = [game.position(p.moves) for p in played]
        openings = varied_openings(game, missing, seed=seed, known=known)
        if not openings:  # it has enough games, or the game has no other openings
            return

        def keep(pairs: dict[int, Tally]) -> None:
            played.extend(Played(openings[n].moves, pair.points, pair.games) for n, pair in pairs.items())
            self._write()

        try:
            match = (play_match or named_match)(
                game,
                pairing,
                2 * len(openings),
                openings=openings,
                seed=seed,
                device=device,
                notes=True,
                progress=progress,
            )
        except MatchInterrupted as stop:
            keep({n: pair for n, pair in stop.result.pairs.items() if n in stop.result.whole})
            self.run.keep_match(RATED_GAMES, stop.result)
            raise
        keep(match.pairs)
        self.run.keep_match(RATED_GAMES, match)

    def facts(self) -> dict[str, Any]:
        """The ratings as JSON has them."""
        ratings = [
            {
                "player": r.player,
                "version": self.version(r.player),
                "elo": round(r.elo, 1),
                "low": round(r.low, 1),
                "high": round(r.high, 1),
                "elo_papers": round(on_papers_scale(r.elo), 1),
                "games": r.games,
                "score": round(r.score, 4),
            }
            for r in self.ratings()
        ]
        found = self.gain()
        return {
            "game": self.run.game_name,
            "scale": STANDARD.label,
            "anchor": self.anchor,
            "gain": None if found is None else {n: round(v, 1) for n, v in found._asdict().items()},
            "ratings": ratings,
        }

    def _write(self) -> None:
        """Write the ratings, and the games that they rest on."""
        pairings = [
            {"a": a, "b": b, "played": [p._asdict() for p in played]}
            for (a, b), played in self.played.items()
            if played
        ]
        try:
            write_whole(self.path, json.dumps(self.facts() | {"pairings": pairings}).encode())
        except OSError as error:
            raise NoughtError(f"{self.path} cannot be written: {error.strerror}") from None

    def _read(self) -> None:
        try:
            with reading(self.path):
                for pairing in read_json(self.path)["pairings"]:
                    self.played[str(pairing["a"]), str(pairing["b"])] = [
                        typed(Played, [p["moves"], p["points"], p["games"]]) for p in pairing["played"]
                    ]
        except Damaged as damaged:
            raise NoughtError(
                f"{self.path} cannot be read ({damaged}); delete it to rate from the start"
            ) from None


def measured(folder: Path) -> dict[str, list[float]]:
    """What `nought rate` has found out about a run, by a player's name: a rating and its 95 % interval."""
    path = folder / RATINGS_FILE
    try:
        with reading(path):
            ratings = read_json(path)["ratings"]
            return {str(r["player"]): [typed(float, r[n]) for n in ("elo", "low", "high")] for r in ratings}
    except Damaged:  # it has not been rated, or `nought rate` says what is wrong
        return {}


def rate_run(
    run: Run,
    versions: Sequence[int],
    *,
    games: int,
    simulations: int,
    seed: int = 0,
    device: str = "auto",
    progress: PhaseProgress = lambda *_: None,
    play_match: PlayMatch | None = None,
) -> Ladder:
    """Rate these versions by `games` games for each pairing; games that were played before count, also those of a
    ladder that was interrupted.

    First everybody plays the neighbours on the ladder, which ranks them roughly; then each version plays the known
    players nearest to it, who hold the ladder together.
    """
    ladder = Ladder(run, simulations)
    known = [*KNOWN, *([PERFECT] if knows_perfect_play(run.game) else [])]
    players = [ladder.player(version) for version in sorted({0, *versions})]

    def play(stage: str, pairings: Sequence[Pairing]) -> None:
        for i, pairing in enumerate(pairings):
            report = partial(_report, progress, f"{stage}: {' – '.join(pairing)}", i, len(pairings))
            ladder.play(pairing, games, seed, device, report, play_match)

    play("neighbours", list(neighbours(players, known)))
    play("known players", list(nearest(players, known, ladder.ratings())))
    return ladder


def _report(progress: PhaseProgress, what: str, before: int, pairings: int, done: float) -> None:
    progress(what, (before + done) / pairings)


def neighbours(players: Sequence[str], known: Sequence[str]) -> Iterator[Pairing]:
    """Pairings that connect everybody to the first of the players, in an order in which each touches those before
    it: then the ladder can be rated at any time."""
    yield players[0], known[0]
    yield from pairwise(known)
    yield from pairwise(players)
    yield from zip(players, players[2:], strict=False)
    yield players[-1], known[-1]


def nearest(players: Sequence[str], known: Sequence[str], ratings: Sequence[Rating]) -> Iterator[Pairing]:
    """Each player with the known ones that are closest in rating."""
    elo = {rating.player: rating.elo for rating in ratings}
    for player in players:
        yield from (
            (player, other)
            for other in sorted(known, key=lambda k: abs(elo[k] - elo[player]))[:NEAREST_PLAYERS]
        )


def all_versions(run: Run) -> list[int]:
    """The accepted versions, the untrained one first."""
    there = [version for version in run.versions() if version <= run.progress().version]
    if 0 not in there:
        raise NoughtError(f"the run {run.name} has no untrained version to rate others by; train it first")
    return there


def evenly_spaced(versions: Sequence[int], most: int) -> list[int]:
    """At most `most` of these versions at even distances, the first and the last included."""
    count = min(most, len(versions))
    return [versions[round(i * (len(versions) - 1) / max(count - 1, 1))] for i in range(count)]


def knows_perfect_play(game: Game) -> bool:
    """Whether somebody plays this game perfectly, from the start."""
    try:
        return find_oracle(game).knows(game.start())
    except NoughtError:
        return False


def on_papers_scale(elo: float) -> float:
    """A rating on the papers' scale; the untrained version has the same on both."""
    return UNTRAINED + to_papers(elo - UNTRAINED)


def from_papers_scale(elo: float) -> float:
    """A rating on the standard scale from one on the papers': the inverse of `on_papers_scale`."""
    return UNTRAINED + to_standard(elo - UNTRAINED)
