"""A match: two players, many openings, both colours."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from nought.arithmetic import ceil_div, sign
from nought.games import Game, Position
from nought.rating.bradley_terry import Meeting, elo_interval
from nought.rating.elo import STANDARD
from nought.rating.openings import varied_openings
from nought.rating.sequential import sequential_test
from nought.selfplay import Player, games_as_they_end

LOT = 64  #          openings played at once, with both colours
STOPPING_LOT = 10  # at most, where the match may stop after every lot


class MatchGame(NamedTuple):
    """A game of a match."""

    pair: int  #        its number: the two games of one opening are a pair
    a_first: bool  #    whether a had the first side
    last: Position

    @property
    def result(self) -> int:
        """How the game ended for a: 1 won, 0 drawn, -1 lost."""
        result = self.last.result if self.a_first else -self.last.result
        return sign(result)


class Tally(NamedTuple):
    """Games won, drawn and lost."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return sum(self)

    @property
    def points(self) -> float:
        """A point for a win, half a point for a draw."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """The share of the points that was won; 1/2 if nothing was played."""
        return self.points / self.games if self.games else 0.5


@dataclass(frozen=True)
class MatchResult:
    """How a match ended, as a sees it. A game that was played before, move by move, does not count again."""

    a: str
    b: str
    games: tuple[MatchGame, ...]  #  as they ended, repeated ones included
    openings: int  #                different ones
    verdict: bool | None  #         of the sequential test: whether a is stronger
    interrupted: bool = False  #    whether it ended before it was over

    @property
    def played(self) -> int:
        """How many games were played, repeated ones included."""
        return len(self.games)

    @cached_property
    def distinct(self) -> tuple[MatchGame, ...]:
        """The games that count, pair by pair: of those with the same moves and sides the one that ended first."""
        first: dict[tuple[bool, tuple[int, ...]], MatchGame] = {}
        for game in self.games:
            first.setdefault((game.a_first, game.last.moves), game)
        return tuple(sorted(first.values(), key=lambda game: (game.pair, not game.a_first)))

    @property
    def whole(self) -> frozenset[int]:
        """The numbers of the pairs of which both games are over."""
        ended = Counter(game.pair for game in self.games)
        return frozenset(pair for pair, games in ended.items() if games == 2)

    @cached_property
    def all(self) -> Tally:
        return tally(self.distinct)

    @property
    def as_first(self) -> Tally:
        return tally(game for game in self.distinct if game.a_first)

    @property
    def as_second(self) -> Tally:
        return tally(game for game in self.distinct if not game.a_first)

    @property
    def pairs(self) -> dict[int, Tally]:
        """How the games of every pair ended, by its number."""
        games = defaultdict(list)
        for game in self.distinct:
            games[game.pair].append(game)
        return {pair: tally(played) for pair, played in games.items()}

    @property
    def meetings(self) -> list[Meeting]:
        """Every pair as a meeting, which ratings are found from."""
        return [Meeting(self.a, self.b, pair.points, pair.games) for pair in self.pairs.values()]

    @cached_property
    def elo(self) -> tuple[float, float, float]:
        """The difference in rating on the standard scale, and its 95 % interval."""
        return elo_interval(self.meetings)

    def as_json(self) -> str:
        """The result as one JSON object on one line."""
        elo, low, high = (round(number, 1) for number in self.elo)
        return json.dumps(
            {
                "a": self.a,
                "b": self.b,
                **self.all._asdict(),
                "score": self.all.score,
                "elo": elo,
                "elo_low": low,
                "elo_high": high,
                "scale": STANDARD.label,
                "games": self.played,
                "distinct_games": len(self.distinct),
                "openings": self.openings,
                "as_first": self.as_first._asdict(),
                "as_second": self.as_second._asdict(),
                "verdict": self.verdict,
                "interrupted": self.interrupted,
            }
        )

    def lines(self) -> Iterator[str]:
        """The games as lines of JSON, as `nought replay` reads them."""
        for game in self.distinct:
            players = [self.a, self.b] if game.a_first else [self.b, self.a]
            moves, result = game.last.moves, game.last.result
            yield json.dumps(
                {"game": game.last.game.name, "players": players, "moves": moves, "result": result}
            )


class MatchInterrupted(KeyboardInterrupt):
    """A match that was interrupted, with what had been played by then."""

    def __init__(self, result: MatchResult) -> None:
        super().__init__()
        self.result = result


def play_match(
    game: Game,
    a: Player,
    b: Player,
    games: int,
    *,
    openings: Sequence[Position] | None = None,
    seed: int = 0,
    bounds: tuple[float, float] | None = None,
    lot: int = LOT,
    progress: Callable[[float], None] = lambda _: None,
) -> MatchResult:
    """Play `games` games (rounded up to an even number), every opening with both colours.

    Without `openings` varied ones are drawn; fewer than needed are played again from the first on. A `lot` of them
    is played at once. With `bounds` the match stops as soon as a sequential test can tell a difference in Elo of
    bounds[1] from one of bounds[0]. Ctrl-C is a MatchInterrupted that has the games which were over.
    """
    pairs = ceil_div(games, 2)
    if openings is None:
        openings = varied_openings(game, pairs, seed=seed) or [game.start()]
    size = lot if bounds is None else min(lot, STOPPING_LOT)
    ended: list[MatchGame] = []
    verdict: bool | None = None

    def result(*, interrupted: bool = False) -> MatchResult:
        different = min(len(openings), len({game.pair for game in ended}))
        return MatchResult(a.name, b.name, tuple(ended), different, verdict, interrupted)

    try:
        for start in range(0, pairs, size):
            at_once = range(start, min(start + size, pairs))
            report = partial(_report, progress, 2 * start, 2 * pairs)
            begin = [openings[pair % len(openings)] for pair in at_once]
            for game_over in play_pairs((a, b), begin, at_once, report):
                ended.append(game_over)
            verdict = verdict_of(result().all, bounds)
            if verdict is not None:
                break
    except KeyboardInterrupt:
        raise MatchInterrupted(result(interrupted=True)) from None
    progress(1.0)
    return result()


def play_pairs(
    players: tuple[Player, Player],
    openings: Sequence[Position],
    pairs: range,
    progress: Callable[[int], None] = lambda _: None,
) -> Iterator[MatchGame]:
    """Both games of each of these pairs, from an opening each, all at once, as they end."""
    begin = 2 * list(openings)
    swapped = range(len(pairs), len(begin))  # in the second half a moves second
    for i, last in games_as_they_end(
        players, begin, swapped=swapped, first=2 * pairs.start, progress=progress
    ):
        yield MatchGame(pairs[i % len(pairs)], i not in swapped, last)


def tally(games: Iterable[MatchGame]) -> Tally:
    """Count the wins, draws and losses of a."""
    results = [game.result for game in games]
    return Tally(results.count(1), results.count(0), results.count(-1))


def _report(progress: Callable[[float], None], before: int, games: int, finished: int) -> None:
    progress((before + finished) / games)


def verdict_of(games: Tally, bounds: tuple[float, float] | None) -> bool | None:
    """What a sequential test says after these games: whether a is stronger; None: not yet, or it is not asked."""
    if bounds is None:
        return None
    low, high = (STANDARD.expected(elo) for elo in bounds)
    return sequential_test(games.points, games.games - games.points, low, high)
