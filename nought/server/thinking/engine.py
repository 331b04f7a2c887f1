"""The AI service: the best move and an analysis of any position, by agents of many names."""

from __future__ import annotations

import random

from nought.errors import NoughtError
from nought.games import Game, Position
from nought.oracle import Truth
from nought.search import Analysis, analyse
from nought.server.http.errors import Conflict
from nought.server.http.rate_limit import SearchPlaces
from nought.server.settings import ServerLimits
from nought.server.thinking.agents import Agent
from nought.server.thinking.inside import look_inside
from nought.server.thinking.jobs import Budget, ChosenMove, Watcher, best_choice, searching, varied_choice
from nought.server.thinking.oracles import Oracles
from nought.server.thinking.searches import Searches
from nought.wire.inside import InsideAnswer


class ThinkingEngine:
    """Lets agents think, for as long as a request may ask for."""

    def __init__(
        self,
        limits: ServerLimits,
        device: str = "auto",
        *,
        places: SearchPlaces | None = None,
        workers: int = 1,
    ) -> None:
        self.limits = limits
        self.oracles = Oracles()
        self.searches = Searches(limits, device, places=places, workers=workers)

    def live_budget(self, simulations: int | None) -> Budget:
        """How long a live analysis deepens before it stops by itself."""
        most = self.limits.live_simulations
        return Budget(min(simulations or most, most))

    def budget(self, agent: Agent, simulations: int | None = None, seconds: float | None = None) -> Budget:
        """What a request asks for; a refusal where it is more than one request may."""
        if simulations is not None and seconds is not None:
            raise NoughtError("give simulations or seconds, not both")
        if seconds is not None:
            if seconds > self.limits.seconds:
                raise NoughtError(f"a request may take {self.limits.seconds:g} seconds at most")
            return Budget(self.limits.simulations, seconds)
        wanted = agent.simulations if simulations is None else simulations
        if wanted > self.limits.simulations:
            raise NoughtError(f"a request may ask for {self.limits.simulations} simulations at most")
        return Budget(max(wanted, 1) if agent.kind == "rollout" else wanted)

    async def analyse(
        self,
        agent: Agent,
        position: Position,
        budget: Budget,
        client: str = "",
        watch: Watcher | None = None,
    ) -> Analysis:
        """Search a position. Cancelling ends the search."""
        _check_unfinished(position)
        return await self.searches.run(
            agent,
            lambda pool: searching(pool, position, budget, analyse, watch),
            budget.simulations,
            client,
        )

    async def choose(
        self,
        agent: Agent,
        position: Position,
        budget: Budget,
        client: str = "",
        *,
        varied: bool = False,
    ) -> ChosenMove:
        """What somebody plays, whether they search or not; `varied`: any move about as good as the best."""
        _check_unfinished(position)
        if agent.searches:
            read = varied_choice if varied else best_choice
            return await self.searches.run(
                agent, lambda pool: searching(pool, position, budget, read), budget.simulations, client
            )
        if agent.kind == "random":
            return ChosenMove(random.choice(position.legal), None)
        truth = await self.truth(position, client)
        if truth is None:
            raise NoughtError(f"no oracle knows this position of {position.game.name}")
        return ChosenMove(random.choice(truth.best), float(truth.outcome))

    async def look_inside(
        self, agent: Agent, position: Position, simulations: int, c_puct: float | None, client: str = ""
    ) -> InsideAnswer:
        """Search a position and tell what each simulation did."""
        if simulations > self.limits.inside:
            raise NoughtError(f"up to {self.limits.inside} simulations can be watched one by one")
        _check_unfinished(position)
        job = look_inside(agent, position, simulations, c_puct)
        return await self.searches.run(agent, lambda pool: job, simulations, client)

    async def truth(self, position: Position, client: str = "") -> Truth | None:
        """What perfect play says of a position; None where nobody knows it, or not soon enough."""
        return await self.oracles.judge(position, client)

    def has_oracle(self, game: Game) -> bool:
        """Whether perfect play is known, of some positions at least."""
        return self.oracles.has(game)

    def metrics(self) -> list[str]:
        """What is under way and what was evaluated, in Prometheus's text format."""
        return self.searches.metrics()

    async def close(self) -> None:
        await self.searches.close()
        self.oracles.close()


def _check_unfinished(position: Position) -> None:
    if position.finished:
        raise Conflict("the game is over: there is nothing to search")
