"""Players made from their names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from nought.agents.kaggle import KagglePlayer
from nought.agents.names import Kind, Name, parse
from nought.agents.networks import network_player
from nought.agents.openspiel import OpenSpielPlayer
from nought.agents.program import ProgramPlayer
from nought.errors import NoughtError
from nought.games import Game
from nought.oracle import OraclePlayer, find_oracle
from nought.selfplay.players import Player, RandomPlayer, rollout_player

MOST_SIMULATIONS = 1_000_000  # simulations of searches without a network


class Setting(NamedTuple):
    """What a player is wanted for."""

    game: Game
    games: int  #                  at once
    seed: int
    device: str
    simulations: int | None = None  # instead of those that the name says


def agent(
    name: str,
    game: Game,
    *,
    games: int = 1,
    seed: int = 0,
    device: str = "auto",
    simulations: int | None = None,
) -> Player:
    """The player of this name for a game, ready for `games` games at once.

    With `simulations` the same player takes that many a move instead of those in its name (0: its network plays alone).
    """
    found = parse(name)
    if simulations is not None and found.kind in WITHOUT_SEARCH:
        raise NoughtError(f"{name} has no search whose simulations could be chosen")
    return MAKERS[found.kind](found, Setting(game, games, seed, device, simulations))


def has_network(name: str) -> bool:
    """Whether there is a network behind a name."""
    return parse(name).learned


def named_simulations(name: str) -> int | None:
    """How many simulations a name asks for: 0 in net:RUN, 800 in search:RUN:800; None where it does not say."""
    return parse(name).simulations


def _random(_name: Name, wanted: Setting) -> Player:
    return RandomPlayer(wanted.seed)


def _rollout(name: Name, wanted: Setting) -> Player:
    return rollout_player(wanted.game, _simulations(name, wanted), games=wanted.games, seed=wanted.seed)


def _oracle(_name: Name, wanted: Setting) -> Player:
    return OraclePlayer(find_oracle(wanted.game), wanted.seed)


def _network(name: Name, wanted: Setting) -> Player:
    return network_player(name, **wanted._asdict())


def _program(name: Name, wanted: Setting) -> Player:
    go = "go" if wanted.simulations is None else f"go simulations {wanted.simulations}"
    return ProgramPlayer(name.what, wanted.game, go=go)


def _openspiel(name: Name, wanted: Setting) -> Player:
    return OpenSpielPlayer(wanted.game, _simulations(name, wanted), seed=wanted.seed)


def _kaggle(name: Name, wanted: Setting) -> Player:
    return KagglePlayer(Path(name.what), wanted.game)


def _simulations(name: Name, wanted: Setting) -> int:
    simulations = name.simulations if wanted.simulations is None else wanted.simulations
    if simulations is None or not 1 <= simulations <= MOST_SIMULATIONS:
        raise NoughtError(f"{name.kind.value} takes 1 to {MOST_SIMULATIONS} simulations, not {simulations}")
    return simulations


WITHOUT_SEARCH = (Kind.RANDOM, Kind.ORACLE, Kind.KAGGLE)  # whose simulations cannot be chosen
MAKERS: dict[Kind, Callable[[Name, Setting], Player]] = {
    Kind.RANDOM: _random,
    Kind.ORACLE: _oracle,
    Kind.ROLLOUT: _rollout,
    Kind.OPENSPIEL: _openspiel,
    Kind.KAGGLE: _kaggle,
    Kind.PROGRAM: _program,
    Kind.FILE: _network,
    Kind.RUN: _network,
    Kind.SHIPPED: _network,
}
