"""nought play: a game in the terminal."""

from __future__ import annotations

import random
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console

from nought.games import load


class Side(StrEnum):
    first = "first"
    second = "second"
    random = "random"


def play(
    game: Annotated[
        str, typer.Argument(help="A name, a file or openspiel:NAME, as in `nought games`.")
    ] = "connect4",
    agent: Annotated[
        str | None,
        typer.Option(
            help="Your opponent: rollout:SIMULATIONS, net:RUN@VERSION, search:RUN@VERSION:SIMULATIONS … "
            "[dim]Default: the agent that comes with the game, or else rollout:2000.[/]"
        ),
    ] = None,
    side: Annotated[Side, typer.Option(help="Whether you move first.")] = Side.random,
    hints: Annotated[
        bool, typer.Option("--hints", help="Show what the agent would play before each of your moves.")
    ] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="Repeat the same opponent exactly.")] = None,
) -> None:
    """Play against an agent in this terminal.

    Example: [cyan]nought play connect4 --agent rollout:10000 --side first[/]
    """
    from nought.agents import agent as agent_by_name
    from nought.agents import shipped_agent
    from nought.clients.console import ConsoleGame
    from nought.selfplay import SearchPlayer

    loaded = load(game)
    chance = random.Random(seed)
    with Console(stderr=True).status("preparing (the first time a game is compiled, about ten seconds) …"):
        agent = agent or shipped_agent(loaded) or "rollout:2000"
        opponent = agent_by_name(agent, loaded, seed=chance.getrandbits(32))
        if isinstance(opponent, SearchPlayer):
            opponent.analyse(loaded.start())  # what takes a moment is behind us when the game begins
    human = {Side.first: 0, Side.second: 1, Side.random: chance.randrange(2)}[side]
    ConsoleGame(loaded, opponent, human=human, hints=hints).run()
