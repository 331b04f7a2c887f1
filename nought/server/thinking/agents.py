"""Who can be played against and asked: agents by name, and nothing that a name could make the server run or read."""

from __future__ import annotations

import contextlib
import re
import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from os.path import isfile
from pathlib import Path

from nought.agents.names import packaged
from nought.agents.networks import SIMULATIONS, playing
from nought.agents.shipped import SHIPPED, Card, card, shipped_agents, weights
from nought.config import SearchParameters
from nought.errors import NoughtError
from nought.games import Game, load
from nought.games.fingerprint import same_rules
from nought.learning.run import RUN_NAME, Run
from nought.selfplay.players import rollout_parameters
from nought.server.thinking.own_runs import OwnRuns, Stamp
from nought.wire.games import OfferedAgent

RUN = rf"(?:(?P<net>net:)|search:)?(?P<run>{RUN_NAME.pattern})(?:@(?P<version>best|\d{{1,9}}))?(?::(?P<simulations>\d{{1,9}}))?"
ROLLOUT = r"rollout:(?P<simulations>\d{1,9})"
RATINGS = SHIPPED / "ratings.toml"
STRONGEST_ROLLOUT = 10_000
WITHOUT_NETWORK = ("random", "rollout:10", "rollout:100", "rollout:1000")  # in every game, weakest first
LEVELS = (2, 16)  # simulations of a shipped agent's weaker forms


@dataclass(frozen=True)
class Agent:
    """Somebody who answers: a network that searches, a search with random play to the end, chance, or the truth."""

    name: str
    game: Game
    simulations: int = 0
    weights: Path | None = None
    run: str = ""  # of which it is a version
    card: Card | None = field(default=None, compare=False)  # of an agent that we ship

    @property
    def kind(self) -> str:
        return "network" if self.weights else self.name.partition(":")[0]

    @property
    def searches(self) -> bool:
        return self.kind in ("network", "rollout")

    def parameters(self, simulations: int) -> SearchParameters:
        """Of a search of this many simulations, as nought's own players search."""
        if self.kind == "network":
            return playing(simulations)
        return rollout_parameters(simulations)


class Roster:
    """Finds agents by name, for a game."""

    def __init__(self, runs: OwnRuns) -> None:
        self.runs = runs
        self._cards = {name: card(name) for name in shipped_agents()}
        # by game and name: a rating and its 95 % interval, as scripts/rate_agents.py has measured them
        self._ratings: dict[str, dict[str, list[float]]] = tomllib.loads(RATINGS.read_text(encoding="utf-8"))
        self._shipped_for: dict[Game, list[str]] = {}
        self._offered: dict[Game, tuple[Stamp, list[OfferedAgent]]] = {}

    def agents(self, game: Game) -> list[OfferedAgent]:
        """Whom people are offered as opponents, weakest first; the best of each run of yours comes last."""
        stamp = self.runs.stamp()
        if game not in self._offered or self._offered[game][0] != stamp:
            self._offered[game] = stamp, self._offer(game)
        return self._offered[game][1]

    def _offer(self, game: Game) -> list[OfferedAgent]:
        """Who has been rated together; where nobody has, whoever could be. And the runs."""
        offered = []
        for name in list(self.ratings(game)) or self.candidates(game):
            with contextlib.suppress(NoughtError):  # a version of a run that is gone
                offered.append(self.view(self._named(name, game)))
        offered.sort(key=lambda agent: agent.rating or 0)  # in their order where there is no rating
        return [*offered, *(self.view(self._named(run.name, game)) for run in reversed(self.runs.of(game)))]

    def ratings(self, game: Game) -> dict[str, list[float]]:
        """What was measured, by name: a rating and its 95 % interval. Of a game of yours, by `nought rate`."""
        if shipped := self._shipped(game):
            return self._ratings.get(self._cards[shipped[0]].game, {})
        return self._ratings.get(game.name) or self.runs.ratings(game)

    def candidates(self, game: Game) -> list[str]:
        """Who could be offered, about weakest first: the levels that come with the package or, where there is only the
        best, that one with fewer simulations."""
        shipped = self._shipped(game)
        if not shipped:
            return list(WITHOUT_NETWORK)
        best, *others = shipped
        if others:
            return ["random", *(f"agents/{name}" for name in [*sorted(others, key=self._simulations), best])]
        fewer = [f"agents/{best}:{level}" for level in LEVELS if level < self._simulations(best)]
        return [*WITHOUT_NETWORK[:3], *fewer, f"agents/{best}"]

    def _simulations(self, name: str) -> int:
        return self._cards[name].simulations

    def view(self, agent: Agent) -> OfferedAgent:
        """What people are told about an agent."""
        rated = self.ratings(agent.game).get(agent.name)
        return OfferedAgent(
            name=agent.name,
            title=_title(agent),
            game=agent.game.name,
            simulations=agent.simulations,
            rating=rated[0] if rated else None,
            interval=(rated[1], rated[2]) if rated else None,
            about=_about(agent),
        )

    def find(self, name: str | None, game: Game) -> tuple[Agent, str | None]:
        """The agent of this name; in place of one that is not there the best one, and a note that says so."""
        if name is None:
            return self.best(game), None
        try:
            return self._named(name, game), None
        except NoughtError as error:
            best = self.best(game)
            return best, f"{error}; {best.name} answers"

    def best(self, game: Game) -> Agent:
        """The strongest that comes with the package; for a game of yours, the run that learned last."""
        if shipped := self._shipped(game):
            return self._named(f"agents/{shipped[0]}", game)
        own = self.runs.of(game)
        return self._named(own[0].name if own else WITHOUT_NETWORK[-1], game)

    def searching(self, name: str | None, game: Game) -> tuple[Agent, str | None]:
        """The agent of this name; in place of one that does not search, too, the best one, and a note that says so."""
        found, note = self.find(name, game)
        if found.searches:
            return found, note
        best = self.best(game)
        return best, f"{found.name} does not search; {best.name} answers"

    def _shipped(self, game: Game) -> list[str]:
        """The agents of a game that come with the package, the best first: it has the game's name."""
        if game not in self._shipped_for:
            self._shipped_for[game] = [name for name in self._cards if same_rules(_learned(name), game)]
        return self._shipped_for[game]

    def _named(self, name: str, game: Game) -> Agent:
        if name in ("random", "oracle"):
            return Agent(name, game)
        if match := re.fullmatch(ROLLOUT, name, re.ASCII):
            simulations = int(match["simulations"])
            if not 1 <= simulations <= STRONGEST_ROLLOUT:
                raise NoughtError(f"rollout takes 1 to {STRONGEST_ROLLOUT} simulations, not {simulations}")
            return Agent(name, game, simulations)
        match = re.fullmatch(RUN, name, re.ASCII)
        if match and isfile(self.runs.folder / match["run"] / "config.toml"):
            return self._of_run(name, match, game)
        found = packaged(name)
        if found and found.what in self._shipped(game):
            facts = self._cards[found.what]
            simulations = facts.simulations if found.simulations is None else found.simulations
            return Agent(name, game, simulations, weights(found.what), card=facts)
        raise NoughtError(f"there is no agent {name[:60]!r}")

    def _of_run(self, name: str, match: re.Match[str], game: Game) -> Agent:
        """A version of a training run on this machine."""
        run = Run(self.runs.folder / match["run"])
        if not same_rules(run.game, game):
            other = "other rules of it" if run.game.name == game.name else run.game_name
            raise NoughtError(f"{name[:60]} has learned {other}, not {game.name} as it is")
        best = match["version"] in (None, "best")
        version = run.progress().version if best else int(match["version"])
        if not run.version_path(version).is_file():
            raise NoughtError(f"the run {match['run']} has no version {version}")
        simulations = 0 if match["net"] else int(match["simulations"] or SIMULATIONS)
        return Agent(
            name, game, simulations, run.version_path(version), run=f"{match['run']}, version {version}"
        )


@lru_cache
def _learned(name: str) -> Game:
    """The game that a shipped agent has learned."""
    return load(card(name).game)


def _title(agent: Agent) -> str:
    if agent.kind == "network":
        own = f"{agent.simulations} simulations" if agent.simulations else "without search"
        if agent.run:
            return f"{agent.run}, {own}"
        return own if agent.card is None or ":" in agent.name else agent.card.title
    titles = {"random": "Plays anything", "rollout": f"Imagines {agent.simulations} games"}
    return titles.get(agent.kind, "Plays perfectly")


def _about(agent: Agent) -> str:
    if agent.kind == "network":
        looks = f"It looks at {agent.simulations} continuations before each move."
        learned = agent.card.about if agent.card else f"Learned by playing itself, in the run {agent.run}."
        return f"{learned} {looks}" if agent.simulations else learned
    return {
        "random": "Chooses any legal move by chance.",
        "rollout": f"Has learned nothing: it plays {agent.simulations} games to their end at random before each move.",
        "oracle": "Knows how the game ends, and never makes a mistake.",
    }[agent.kind]
