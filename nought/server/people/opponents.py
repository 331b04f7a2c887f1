"""The agents as opponents: which there are for a game, how strong they are, and what they play."""

from __future__ import annotations

from nought.games import Game, Position
from nought.server import schemas
from nought.server.http.errors import NotFound
from nought.server.http.rate_limit import Buckets
from nought.server.thinking.agents import Roster
from nought.server.thinking.engine import Engine, Opinion
from nought.server.thinking.games import Catalogue


class Opponents:
    """What playing needs of the AI service."""

    def __init__(self, catalogue: Catalogue, roster: Roster, engine: Engine, buckets: Buckets) -> None:
        self.catalogue, self.roster, self.engine, self.buckets = catalogue, roster, engine, buckets

    def game(self, name: str) -> Game:
        return self.catalogue.game(name)

    def agents(self, game: Game) -> list[schemas.Agent]:
        """Those that people are offered, weakest first."""
        return self.roster.agents(game)

    def agent(self, game: Game, name: str, simulations: int | None = None) -> schemas.Agent:
        """The one of this name, if it is there and may think for so long."""
        contender, note = self.roster.find(name, game)
        if note is not None:
            raise NotFound(f"there is no agent {name[:60]!r} for {game.name}; /api/games lists them")
        self.engine.budget(contender, simulations)
        return self.roster.view(contender)

    async def choose(
        self,
        position: Position,
        agent: str,
        simulations: int | None = None,
        *,
        client: str,
        varied: bool = False,
    ) -> Opinion:
        """What the agent plays; if it has gone since the game began, the best one plays for it.

        `varied`: any move about as good as its best, so that no game can be learned by heart.
        """
        contender, _ = self.roster.find(agent, position.game)
        budget = self.engine.budget(contender, simulations)
        self.buckets.take_for(client, budget.simulations)
        return await self.engine.choose(contender, position, budget, client, varied=varied)
