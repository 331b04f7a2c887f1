"""nought play: a game in the terminal."""

from __future__ import annotations

import random
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console
from rich.markup import escape

from nought.cli.shared import GAME_HELP, EvaluatingPrecision, game_of, seed_option
from nought.errors import NoughtError
from nought.games import load
from nought.games.fingerprint import same_rules
from nought.shell import command

if TYPE_CHECKING:
    from nought.clients.game import LocalGame
    from nought.clients.remote import Server
    from nought.clients.remote_game import RemoteGame
    from nought.wire.play import PlayedGameAnswer

T = TypeVar("T")
GAME = "connect4"  # where none is named


class Side(StrEnum):
    """The side that the person has: the one that moves first, the second, or one by chance."""

    first = "first"
    second = "second"
    random = "random"


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME|RUN", help=f"{GAME_HELP} A run: its game, against it.")
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help="Your opponent: a run, RUN@VERSION:SIMULATIONS, net:RUN, agents/NAME, rollout:SIMULATIONS … "
            "[dim]Default: the agent that comes with the game, or else rollout:2000; with --remote, the one "
            "just better than you.[/]",
        ),
    ] = None,
    side: Annotated[Side, typer.Option(help="Whether you move first.")] = Side.random,
    hints: Annotated[
        bool, typer.Option("--hints", help="Show what the agent would play before each of your moves.")
    ] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the game in this file, after every move.")
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(metavar="FILE|ID", help="Go on with a saved game, or with a game of the server."),
    ] = None,
    remote: Annotated[
        str | None, typer.Option(metavar="URL", help="Play on this server, for your rating there.")
    ] = None,
    login: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Enter this account of the server; asks for its password."),
    ] = None,
    casual: Annotated[
        bool, typer.Option("--casual", help="On a server: no rating; undo and hints are allowed.")
    ] = False,
    seed: Annotated[int | None, seed_option("Repeat the same opponent exactly.")] = None,
    precision: EvaluatingPrecision = None,  # noqa: ARG001  its callback has read it
) -> None:
    """Play against an agent in this terminal.

    Examples: [cyan]nought play connect4 --agent rollout:10000 --side first[/] and
    [cyan]nought play connect4-1[/]
    """
    from nought.clients.console import ConsoleGame
    from nought.clients.saved import require_new

    if save and str(save) != resume:
        require_new(save)
    current: LocalGame | RemoteGame
    if remote:
        server = _enter(remote, login)
        current = _remote_game(server, game, agent, side, resume, rated=not (casual or hints))
    elif casual or login:
        raise NoughtError("--casual and --login are for games on a server: --remote URL says which")
    else:
        current = _local_game(game, agent, side, resume, random.Random(seed))
        save = save or (Path(resume) if resume else None)
    ConsoleGame(current, hints=hints, save_in=save).run()


def _local_game(
    name: str | None, agent: str | None, side: Side, resume: str | None, chance: random.Random
) -> LocalGame:
    from nought.agents import agent as agent_by_name
    from nought.agents import learned_game, names_network, shipped_agent
    from nought.clients.game import LocalGame
    from nought.clients.saved import read_saved
    from nought.selfplay import SearchPlayer

    if name and names_network(name):
        name, agent = None, agent or name
    learned = learned_game(agent) if agent else None
    game, start = load(name) if name else game_of(agent), None
    human = {Side.first: 0, Side.second: 1, Side.random: chance.randrange(2)}[side]
    if resume:
        saved = read_saved(Path(resume))
        if name and not same_rules(game, saved.record.game):
            raise NoughtError(f"{resume} is a game of {saved.record.game.name}, not of {name}")
        if saved.record.result is not None:
            raise NoughtError(f"the game in {resume} is over: `{command('replay', resume)}` shows it")
        game, human = saved.record.game, saved.human
        agent = agent or saved.players[1 - human]
        *_, start = saved.record.positions()
    if learned and (learned.planes_shape, learned.actions) != (game.planes_shape, game.actions):
        raise NoughtError(f"{agent} has learned {learned.name}, and this is a game of {game.name}")
    with Console(stderr=True).status("preparing (the first time a game is compiled, about ten seconds) …"):
        agent = agent or shipped_agent(game) or "rollout:2000"
        opponent = agent_by_name(agent, game, seed=chance.getrandbits(32))
        if isinstance(opponent, SearchPlayer):
            opponent.analyse(game.start())  # what takes a moment is behind us when the game begins
    return LocalGame(game, opponent, human=human, start=start)


def _enter(url: str, login: str | None) -> Server:
    """A server with the person's account."""
    from nought.clients.account import remember, sign_in
    from nought.clients.remote import Server

    server = Server(url)
    if login:
        server.login(login, _password(login))
        remember(server)
    else:
        sign_in(server)
    return server


def _password(name: str) -> str:
    """Ask for a password, which the terminal does not show."""
    ended = f"the input ended before there was a password of {name}"
    return str(_answer(lambda: typer.prompt(f"password of {name}", hide_input=True, err=True), ended))


def _answer(ask: Callable[[], T], ended: str) -> T:
    """What the person answers; the end of the input is an error that says `ended`, and Ctrl-C is Ctrl-C."""
    try:
        return ask()
    except typer.Abort as abort:
        if isinstance(abort.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise NoughtError(ended) from None


def _learned_by(agent: str | None) -> str | None:
    """The game of an agent that comes with the package; a server may have it, too."""
    from nought.agents.names import packaged
    from nought.agents.shipped import card

    found = packaged(agent) if agent else None
    return card(found.what).game if found else None


def _remote_game(
    server: Server, name: str | None, agent: str | None, side: Side, resume: str | None, *, rated: bool
) -> RemoteGame:
    from nought.clients.remote_game import RemoteGame, begin

    game, notes = name or _learned_by(agent) or GAME, Console(stderr=True)
    with notes.status(f"asking {server.url} …"):
        if resume:
            return RemoteGame(server, server.played(resume))
        if rated and agent is None and not all(g.can_be_rated for g in server.games() if g.name == game):
            notes.print(f"[dim]No agent has a rating in {escape(game)} there yet: this game is casual.[/]")
            rated = False
    played = begin(server, game, _gives_up, rated=rated, side=side.value, opponent=agent or "closest")
    return RemoteGame(server, played)


def _gives_up(played: PlayedGameAnswer) -> bool:
    """Whether the person would rather lose an open game than go on with it."""
    from nought.clients.remote_game import loses

    Console(stderr=True, highlight=False).print(loses(played), markup=False)
    ended = f"the game is still open: --resume={played.id} goes on with it"
    return _answer(lambda: typer.confirm("Give it up? (no: go on with it)", default=False, err=True), ended)
