"""The AI service: the best move and an analysis of any position, by agents of many names."""

from __future__ import annotations

import random

from nought.errors import NoughtError
from nought.games import Position
from nought.search import Analysis, analyse
from nought.server.http.errors import Conflict
from nought.server.settings import Limits
from nought.server.thinking.agents import Contender
from nought.server.thinking.jobs import Budget, Opinion, Watcher, opinion, searching, varied_opinion
from nought.server.thinking.oracles import Oracles
from nought.server.thinking.searches import Searches


class Engine:
    """Lets agents think, for as long as a request may ask for."""

    def __init__(self, limits: Limits, device: str = "auto") -> None:
        self.limits = limits
        self.oracles = Oracles()
        self.searches = Searches(limits, device)

    def budget(
        self, contender: Contender, simulations: int | None = None, seconds: float | None = None
    ) -> Budget:
        """What a request asks for; a refusal where it is more than one request may."""
        if simulations is not None and seconds is not None:
            raise NoughtError("give simulations or seconds, not both")
        if seconds is not None:
            if seconds > self.limits.seconds:
                raise NoughtError(f"a request may take {self.limits.seconds:g} seconds at most")
            return Budget(self.limits.simulations, seconds)
        wanted = contender.simulations if simulations is None else simulations
        if wanted > self.limits.simulations:
            raise NoughtError(f"a request may ask for {self.limits.simulations} simulations at most")
        return Budget(max(wanted, 1) if contender.kind == "rollout" else wanted)

    async def analyse(
        self,
        contender: Contender,
        position: Position,
        budget: Budget,
        client: str = "",
        watch: Watcher | None = None,
    ) -> Analysis:
        """Search a position. Cancelling ends the search."""
        _check_unfinished(position)
        return await self.searches.run(
            contender, lambda pool: searching(pool, position, budget, analyse, watch), client
        )

    async def choose(
        self,
        contender: Contender,
        position: Position,
        budget: Budget,
        client: str = "",
        *,
        varied: bool = False,
    ) -> Opinion:
        """What somebody plays, whether they search or not; `varied`: any move about as good as the best."""
        _check_unfinished(position)
        if contender.searches:
            read = varied_opinion if varied else opinion
            return await self.searches.run(
                contender, lambda pool: searching(pool, position, budget, read), client
            )
        if contender.kind == "random":
            return Opinion(random.choice(position.legal), None)
        truth = await self.oracles.judge(position)
        if truth is None:
            raise NoughtError(f"no oracle knows this position of {position.game.name}")
        return Opinion(random.choice(truth.best), float(truth.outcome))

    async def close(self) -> None:
        await self.searches.close()
        self.oracles.close()


def _check_unfinished(position: Position) -> None:
    if position.finished:
        raise Conflict("the game is over: there is nothing to search")
