"""Rating versions while they are learned: in games against earlier versions and known players of about their
strength (docs/reference/ratings.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from nought.arithmetic import ceil_div
from nought.config import Choice, Parameters
from nought.errors import NoughtError
from nought.events import Met
from nought.games import Game, Position
from nought.rating.bradley_terry import Meeting, Rating, rate
from nought.rating.elo import UNTRAINED
from nought.rating.match import play_match
from nought.rating.openings import varied_openings
from nought.search import Evaluator
from nought.selfplay.players import KNOWN, KNOWN_ROLLOUTS, Player, SearchPlayer, known_player

ANCHOR = 0  # the version that has UNTRAINED points
FARTHEST_ELO = 400.0  # a score of 10 to 1: games against anybody further away say next to nothing
CLEAR_SCORE = 0.8  # a newcomer with more of the points than this, or less than the rest, looks for others
ROUNDS = 3  # of games in which a newcomer finds its place
NEAREST_PLAYERS = 2  # known ones that a newcomer meets in a round, beside three versions at most
REFERENCE_FACTOR = 3  # times as many games for those by whom others are measured: the anchor, known players
AFFORDABLE_SIMULATIONS = 300  # of a known player who needs more than a third of them there are fewer games
OPENINGS = 40
UNCOMPILED_SIMULATIONS = 100  # of the strongest known player where rules are not compiled

# The evaluators of these versions, all for use at the same time.
Evaluators = Callable[[Sequence[int]], Sequence[Evaluator]]


class Rater:
    """All rating games of a run, and what follows from them.

    Whom a version meets depends on the games before, and chance on its number alone: a run that goes on rates as
    one that was never interrupted.
    """

    def __init__(self, game: Game, parameters: Parameters, evaluators: Evaluators) -> None:
        self.game, self.evaluators = game, evaluators
        self.games = parameters.exam.games
        learned = parameters.search
        self.search = replace(
            learned,
            simulations=parameters.exam.simulations,
            choice=Choice.PUCT_PLUS_ONE if learned.choice is Choice.GUMBEL else learned.choice,
            noise=False,
            sampled_moves=0,
            cache=1 << 12,
        )
        slow = KNOWN.index(f"rollout:{UNCOMPILED_SIMULATIONS}")
        self.known = KNOWN if game.compilable else KNOWN[: slow + 1]
        self.openings: list[Position] = []
        self.met: list[Met] = []
        self.ratings: dict[str, Rating] = {}

    def remember(self, met: Iterable[Met]) -> None:
        """Take over games that were played before; none of them if some that connect the others are lost."""
        self.met = list(met)
        try:
            self._fit()
        except NoughtError:
            self.met = []

    def rate(self, version: int) -> tuple[tuple[Met, ...], Rating]:
        """Play the games that rate a new version; they and its rating."""
        before = len(self.met)
        if not self.met:
            self._place(ANCHOR, UNTRAINED)
        self._place(version, self.ratings[str(self._versions()[-1])].elo)
        return tuple(self.met[before:]), self.ratings[str(version)]

    def _place(self, version: int, elo: float) -> None:
        """Have a newcomer play until it has met its equals; at first its strength is thought to be `elo`."""
        seen: set[str] = set()
        for _ in range(ROUNDS):
            others = [other for other in self._near(elo, version) if other not in seen]
            if not others:
                return
            seen |= set(others)
            games = self._play_field(
                version, others, REFERENCE_FACTOR * self.games if version == ANCHOR else self.games
            )
            self.met += games
            self._fit()
            elo = self.ratings[str(version)].elo
            points = sum(met.wins + met.draws / 2 for met in games)
            if 1 - CLEAR_SCORE <= points / sum(sum(met[2:]) for met in games) <= CLEAR_SCORE:
                return

    def _near(self, elo: float, newcomer: int) -> list[str]:
        """Who may be of this strength: versions, ever further back, and the nearest known players."""
        joined = self._joined()
        if len(joined) < len(self.known) and (not joined or elo > self.ratings[joined[-1]].elo):
            self._join(newcomer)
            joined = self._joined()
        if not self.ratings:  # the very first
            return joined

        def distance(name: str) -> float:
            return abs(self.ratings[name].elo - elo)

        versions = [version for version in self._versions() if version != newcomer]
        back = [str(versions[-(2**n)]) for n in range(len(versions).bit_length())]
        near = [name for name in back if distance(name) <= FARTHEST_ELO]
        spread = [near[0], near[len(near) // 2], near[-1]] if near else []
        known = [
            name for name in sorted(joined, key=distance)[:NEAREST_PLAYERS] if distance(name) <= FARTHEST_ELO
        ]
        return list(dict.fromkeys([*spread, *known])) or [min([*back, *joined], key=distance)]

    def _versions(self) -> list[int]:
        """The versions that have played, oldest first."""
        return sorted({int(name) for met in self.met for name in met[:2] if name.isdigit()})

    def _joined(self) -> list[str]:
        """The known players who have played, weakest first."""
        names = {name for met in self.met for name in met[:2]}
        return [name for name in self.known if name in names]

    def _join(self, seed: int) -> None:
        """The next known player plays the one before it; at first the first two each other."""
        new = max(1, len(self._joined()))
        times = max(1, min(REFERENCE_FACTOR, AFFORDABLE_SIMULATIONS // KNOWN_ROLLOUTS[new - 1]))
        self.met += self._play_known(self.known[new], self.known[new - 1], times * self.games, seed)
        if self.ratings:
            self._fit()

    def _play_known(self, name: str, other: str, games: int, seed: int) -> list[Met]:
        a, b = (known_player(each, self.game, games=games, seed=seed) for each in (name, other))
        openings = self._some_openings(ceil_div(games, 2))
        match = play_match(self.game, a, b, games, openings=openings, lot=games)
        return [Met(name, other, *pair) for pair in match.pairs.values()]

    def _play_field(self, version: int, others: Sequence[str], games: int) -> list[Met]:
        """Let a version play about `games` games against several others, all at once."""
        each = max(1, round(games / (2 * len(others))))  # openings
        openings = self._some_openings(each * len(others))
        versions = [version, *(int(name) for name in others if name.isdigit())]
        found = dict(zip(map(str, versions), self.evaluators(versions), strict=True))
        at_once = 2 * len(openings)
        players = {
            name: SearchPlayer(name, self.game, found[name], self.search, games=at_once)
            if name in found
            else known_player(name, self.game, games=at_once, seed=version)
            for name in (str(version), *others)
        }
        field = _Field([players[name] for name in others], each)
        match = play_match(
            self.game, players[str(version)], field, at_once, openings=openings, lot=len(openings)
        )
        return [Met(str(version), others[pair // each], *tally) for pair, tally in match.pairs.items()]

    def _some_openings(self, count: int) -> list[Position]:
        """The next `count` openings in turn, beginning after those that were played last."""
        if not self.openings:
            self.openings = varied_openings(self.game, OPENINGS, seed=1) or [self.game.start()]
        return [self.openings[(len(self.met) + i) % len(self.openings)] for i in range(count)]

    def _fit(self) -> None:
        meetings = as_meetings(self.met)
        self.ratings = {r.player: r for r in rate(meetings, str(ANCHOR), UNTRAINED)} if meetings else {}


def as_meetings(games: Iterable[Met]) -> list[Meeting]:
    """These games as `rate` takes them: points and games of every pairing."""
    return [Meeting(m.a, m.b, m.wins + m.draws / 2, m.wins + m.draws + m.losses) for m in games]


class _Field:
    """Several players as one: each plays the games of its openings."""

    name = "others"

    def __init__(self, players: Sequence[Player], each: int) -> None:
        self.players, self.each = players, each

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        games: dict[int, dict[int, Position]] = {}
        for number, position in positions.items():  # first all openings, then again with the other colour
            player = number // self.each % len(self.players)
            games.setdefault(player, {})[number] = position
        chosen = (self.players[player].choose(its) for player, its in games.items())
        return dict(chain.from_iterable(moves.items() for moves in chosen))
