"""Matches whose games are spread over a cluster: the same results, in files and reports, as on one machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

from nought.agents.match import SIMULATIONS_AT_ONCE
from nought.agents.names import Kind, parse
from nought.agents.networks import find_network
from nought.agents.players import agent, named_simulations
from nought.arithmetic import ceil_div
from nought.cluster.agreement import GameText, this_program
from nought.cluster.connect import connected
from nought.cluster.crew import Crew, Seat, whole_machines
from nought.errors import NoughtError
from nought.games import Game, Position
from nought.rating import MatchInterrupted, MatchResult, varied_openings
from nought.rating.match import MatchGame, play_pairs, tally, verdict_of
from nought.scratch import ScratchFolder
from nought.selfplay.notes import Notes
from nought.selfplay.players import SearchPlayer

LOT = 16  #            openings that a machine plays at once, with both colours
TIMEOUT = 3600.0  #    seconds for them
POLL = 0.1  #          seconds between looks at what has come
MOST_FAILURES = 3  #   of a lot, on whatever machine
ONLY_HERE = (Kind.KAGGLE, Kind.PROGRAM)  # players that are programs of this machine


class Traveller(NamedTuple):
    """A player by its name as another machine can make it; with its network, where that is a file of this one."""

    name: str  # with {} for the network's file
    network: bytes | None = None


@dataclass(frozen=True)
class MatchToPlay:
    """A match as it travels."""

    game: GameText
    players: tuple[Traveller, Traveller]
    games: int  # at once
    seed: int
    notes: bool  # whether to hand over what was searched


def traveller(name: str) -> Traveller:
    """A player that can be made elsewhere."""
    found = parse(name)
    if found.kind in ONLY_HERE:
        raise NoughtError(f"{name} is a program on this machine: its games cannot be spread over a cluster")
    if found.kind not in (Kind.RUN, Kind.FILE):
        return Traveller(name)
    network = find_network(found)
    form = f"search:{{}}:{network.simulations}" if network.simulations else "net:{}"
    return Traveller(form, network.path.read_bytes())


class RemoteMatch:
    """Plays lots of matches on some machine."""

    def greet(self) -> tuple[str, str]:
        """Which nought this machine has."""
        version, code = this_program()
        return version, code

    def prepare(self, device: str) -> None:
        """Ready for the games of any match."""
        self.device = device
        self.number: int | None = None

    def play(
        self, number: int, boxed: list[Any], openings: list[tuple[int, ...]], first: int
    ) -> list[tuple[int, bool, tuple[int, ...], Notes]]:
        """Both games of each opening: their pairs, whether a began, their moves and notes; the match is in the box."""
        import ray

        if number != self.number:
            self._begin(ray.get(boxed[0]))
            self.number = number
        pairs = range(first, first + len(openings))
        begin = [self.game.position(moves) for moves in openings]
        return [(g.pair, g.a_first, g.last.moves, g.notes) for g in play_pairs(self.players, begin, pairs)]

    def _begin(self, meeting: MatchToPlay) -> None:
        self.game = meeting.game.game()
        self.players = tuple(
            _made(player, self.game, meeting.games, 2 * meeting.seed + side, self.device)
            for side, player in enumerate(meeting.players)
        )
        for player in self.players:
            if isinstance(player, SearchPlayer):
                player.notes = {} if meeting.notes else None


def _made(player: Traveller, game: Game, games: int, seed: int, device: str) -> Any:
    if player.network is None:
        return agent(player.name, game, games=games, seed=seed, device=device)
    with ScratchFolder("match") as folder:
        path = folder / "network.safetensors"
        path.write_bytes(player.network)
        return agent(player.name.format(path), game, games=games, seed=seed, device=device)


class ClusterMatches:
    """Plays matches like `nought.agents.match.named_match`; between two of them its members stay."""

    def __init__(self, ray: ModuleType, device: str, warn: Callable[[str], None]) -> None:
        self.ray, self.device = ray, device
        self.crew = Crew(ray, RemoteMatch, lambda member: self._device(member.seat), whole_machines(), warn)
        self.matches = 0

    def _device(self, seat: Seat) -> str:
        return "cuda" if seat.gpus and self.device != "cpu" else "cpu"

    def __call__(
        self,
        game: Game,
        names: tuple[str, str],
        games: int,
        *,
        openings: Sequence[Position] | None = None,
        seed: int = 0,
        device: str = "auto",  # noqa: ARG002  each machine has its own
        bounds: tuple[float, float] | None = None,
        notes: bool = False,
        progress: Callable[[float], None] = lambda _: None,
    ) -> MatchResult:
        """Let the players of these names play, their games spread over all machines."""
        pairs = ceil_div(games, 2)
        starts = list(openings or varied_openings(game, pairs, seed=seed) or [game.start()])
        simulations = max(named_simulations(name) or 1 for name in names)
        lot = max(1, min(LOT, pairs, SIMULATIONS_AT_ONCE // simulations))
        a, b = names
        meeting = MatchToPlay(GameText.of(game), (traveller(a), traveller(b)), 2 * lot, seed, notes)
        lots = [range(first, min(first + lot, pairs)) for first in range(0, pairs, lot)]
        ended: dict[range, list[MatchGame]] = {}
        verdict: bool | None = None

        def result(*, interrupted: bool = False) -> MatchResult:
            played = tuple(game_over for lot in lots for game_over in ended.get(lot, ()))
            different = min(len(starts), len({game_over.pair for game_over in played}))
            full = tuple(parse(name).full for name in names)
            return MatchResult(full[0], full[1], played, different, verdict, interrupted)

        try:
            for part, played in self._played(meeting, starts, lots):
                ended[part] = [MatchGame(p, first, game.position(moves), n) for p, first, moves, n in played]
                progress(sum(map(len, ended.values())) / (2 * pairs))
                verdict = verdict_of(tally(_in_order(lots, ended)), bounds)
                if verdict is not None:
                    break
        except KeyboardInterrupt:
            raise MatchInterrupted(result(interrupted=True)) from None
        progress(1.0)
        return result()

    def _played(
        self, meeting: MatchToPlay, openings: Sequence[Position], lots: Sequence[range]
    ) -> Iterator[tuple[range, Any]]:
        """Each lot with its games, as they come; those of a member that is lost are played by another."""
        self.matches += 1
        boxed = [self.ray.put(meeting)]
        waiting, left = list(reversed(lots)), len(lots)
        failures: dict[range, int] = {}
        while left:
            for member in self.crew.free:
                if waiting:
                    lot = waiting.pop()
                    begin = [openings[pair % len(openings)].moves for pair in lot]
                    task = (self.matches, lot)
                    arguments = (self.matches, boxed, begin, lot.start)
                    self.crew.ask(member, task, "play", *arguments, limit=TIMEOUT)
            for answer in self.crew.answers(POLL):
                number, lot = answer.task or (0, range(0))
                if number != self.matches:  # of a match that is over
                    continue
                if answer.value is not None:
                    left -= 1
                    yield lot, answer.value
                    continue
                failures[lot] = failures.get(lot, 0) + 1
                if answer.mend or failures[lot] >= MOST_FAILURES:
                    raise answer.mend or NoughtError(f"{answer.member.seat.name} {answer.error}")
                waiting.append(lot)


def _in_order(lots: Sequence[range], ended: dict[range, list[MatchGame]]) -> Iterator[MatchGame]:
    """The games before the first lot that is missing: short games are over first, and must not count for more."""
    for lot in lots:
        if lot not in ended:
            return
        yield from ended[lot]


@contextmanager
def cluster_matches(address: str, device: str, warn: Callable[[str], None]) -> Iterator[ClusterMatches]:
    """What plays matches on the cluster at this address."""
    with connected(address) as ray:
        matches = ClusterMatches(ray, device, warn)
        try:
            yield matches
        finally:
            matches.crew.close()
