"""Players by name: random, rollout:400, net:RUN@5, search:RUN@best:800; a run, a network's file or a shipped
agent alone searches."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from nought.agents.kaggle import KagglePlayer
from nought.agents.networks import AGENT, NET, SEARCH, full_name, network_player, trained
from nought.agents.openspiel import OpenSpielPlayer
from nought.agents.program import ProgramPlayer
from nought.errors import NoughtError
from nought.games import Game, load
from nought.network import load_network
from nought.oracle import OraclePlayer, find_oracle
from nought.selfplay.players import Player, RandomPlayer, rollout_player

MOST = 1_000_000  # simulations of searches without a network


class Setting(NamedTuple):
    """What a player is wanted for."""

    game: Game
    games: int  #                  at once
    seed: int
    device: str
    simulations: int | None = None  # instead of those that the name says


class Kind(NamedTuple):
    """A kind of player: how its names look, and how one is made from a name that does."""

    example: str
    pattern: str
    make: Callable[[re.Match[str], Setting], Player]
    learned: bool = False  #    whether there is a network behind it
    searches: bool = True  #    whether it can be told how many simulations to make


def agent(
    name: str,
    game: Game,
    *,
    games: int = 1,
    seed: int = 0,
    device: str = "auto",
    simulations: int | None = None,
) -> Player:
    """The player of this name for a game, ready for so many games at once.

    With `simulations` the same player searches so many instead of those in the name (0: its network plays alone).
    """
    kind, match = _find(name)
    if simulations is not None and not kind.searches:
        raise NoughtError(f"{name} has no search whose simulations could be chosen")
    return kind.make(match, Setting(game, games, seed, device, simulations))


def has_network(name: str) -> bool:
    """Whether there is a network behind a name."""
    return _find(name)[0].learned


def learned_game(name: str) -> Game | None:
    """The game that the network behind a name has learned; None where there is no network."""
    kind, match = _find(name)
    return load(load_network(trained(match[0]).path).game) if kind.learned else None


def named_simulations(name: str) -> int | None:
    """How many simulations a name asks for: 0 in net:RUN, 800 in search:RUN:800; None where it does not say."""
    said = _find(name)[1].groupdict().get("simulations")
    return 0 if name.startswith("net:") else int(said) if said else None


def _find(name: str) -> tuple[Kind, re.Match[str]]:
    for kind in KINDS:
        if match := re.fullmatch(kind.pattern, full_name(name), re.ASCII):
            return kind, match
    examples = ", ".join(kind.example for kind in KINDS)
    raise NoughtError(f"there is no player {name!r}; players are named like {examples}")


def _random(name: re.Match[str], wanted: Setting) -> Player:
    return RandomPlayer(wanted.seed)


def _rollout(name: re.Match[str], wanted: Setting) -> Player:
    return rollout_player(
        wanted.game, _simulations("rollout", name, wanted), games=wanted.games, seed=wanted.seed
    )


def _oracle(name: re.Match[str], wanted: Setting) -> Player:
    return OraclePlayer(find_oracle(wanted.game), wanted.seed)


def _network(name: re.Match[str], wanted: Setting) -> Player:
    return network_player(name[0], **wanted._asdict())


def _program(name: re.Match[str], wanted: Setting) -> Player:
    go = "go" if wanted.simulations is None else f"go simulations {wanted.simulations}"
    return ProgramPlayer(name["command"], wanted.game, go=go)


def _openspiel(name: re.Match[str], wanted: Setting) -> Player:
    return OpenSpielPlayer(wanted.game, _simulations("openspiel-mcts", name, wanted), seed=wanted.seed)


def _kaggle(name: re.Match[str], wanted: Setting) -> Player:
    return KagglePlayer(Path(name["file"]), wanted.game)


def _simulations(kind: str, name: re.Match[str], wanted: Setting) -> int:
    simulations = int(name["simulations"]) if wanted.simulations is None else wanted.simulations
    if not 1 <= simulations <= MOST:
        raise NoughtError(f"{kind} takes 1 to {MOST} simulations, not {simulations}")
    return simulations


KINDS = (
    Kind("random", "random", _random, searches=False),
    Kind("rollout:400", r"rollout:(?P<simulations>\d{1,9})", _rollout),
    Kind("oracle", "oracle", _oracle, searches=False),
    Kind("net:connect4-1@5", NET, _network, learned=True),
    Kind("search:connect4-1@best:800", SEARCH, _network, learned=True),
    Kind("agents/connect4", AGENT, _network, learned=True),
    Kind("openspiel-mcts:1000", r"openspiel-mcts:(?P<simulations>\d{1,9})", _openspiel),
    Kind("kaggle:agent.py", r"kaggle:(?P<file>.+\.py)", _kaggle, searches=False),
    Kind("program:COMMAND", r"program:(?P<command>.+)", _program),
)
