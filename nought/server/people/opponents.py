"""The agents as opponents: which there are for a game, how strong they are, and what they play."""

from __future__ import annotations

from nought.games import Game, Position
from nought.server.http.errors import NotFound
from nought.server.http.rate_limit import Buckets
from nought.server.thinking.agents import Roster
from nought.server.thinking.engine import ThinkingEngine
from nought.server.thinking.games import Catalogue
from nought.server.thinking.jobs import ChosenMove
from nought.wire.games import OfferedAgent


class Opponents:
    """Who can be played against, and what they play."""

    def __init__(
        self, catalogue: Catalogue, roster: Roster, engine: ThinkingEngine, buckets: Buckets
    ) -> None:
        self.catalogue, self.roster, self.engine, self.buckets = catalogue, roster, engine, buckets

    def game(self, name: str) -> Game:
        return self.catalogue.game(name)

    def agents(self, game: Game) -> list[OfferedAgent]:
        """Those that people are offered, weakest first."""
        return self.roster.agents(game)

    def agent(self, game: Game, name: str, simulations: int | None = None) -> OfferedAgent:
        """The one of this name, if it is there and may think for so long."""
        found, note = self.roster.find(name, game)
        if note is not None:
            raise NotFound(f"there is no agent {name[:60]!r} for {game.name}; /api/games lists them")
        self.engine.budget(found, simulations)
        return self.roster.view(found)

    async def choose(
        self,
        position: Position,
        agent: str,
        simulations: int | None = None,
        *,
        client: str,
        account: int | None = None,
        varied: bool = False,
    ) -> ChosenMove:
        """What the agent plays; if it has gone since the game began, the best one plays for it.

        It costs the client, and the account if there is one: neither many accounts nor many addresses make it cheaper.
        `varied`: any move about as good as its best, so that no game can be learned by heart.
        """
        found, _ = self.roster.find(agent, position.game)
        budget = self.engine.budget(found, simulations)
        if account is not None:
            self.buckets.take_for(f"account {account}", budget.simulations)
        self.buckets.take_for(client, budget.simulations)
        return await self.engine.choose(found, position, budget, client, varied=varied)
