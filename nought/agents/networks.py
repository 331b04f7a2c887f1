"""Trained networks by name: of a run, of a file, or one that comes with the package."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from nought.agents.names import Kind, Name, parse
from nought.agents.shipped import card, weights
from nought.config import SearchParameters
from nought.errors import NoughtError
from nought.games import Game
from nought.learning.run import Run, run_folder
from nought.network import NetworkEvaluator, load_network
from nought.network.checkpoint import RulesChanged
from nought.network.resnet import Network
from nought.selfplay.players import SearchPlayer
from nought.shell import command

SIMULATIONS = 200  # where neither a name nor an agent's card says
# Playing well needs less exploration than learning does: 1 was right more often than 2 in docs/results/experiments.md.
PLAYING = SearchParameters(c_puct=1.0, look_ahead=True, cache=1 << 14)


class Trained(NamedTuple):
    """Where a network lies, and how it plays unless told otherwise."""

    path: Path
    title: str  # that a file made from it can have
    simulations: int  # a move
    symmetries: int = 1  # images of a position that it looks at each time


def trained(name: str) -> Trained:
    """The network that a player's name stands for."""
    return find_network(parse(name))


def find_network(name: Name) -> Trained:
    """The network that a player's name stands for, once it is taken apart."""
    if not name.learned:
        raise NoughtError(
            f"{name.full} has no network; one is named by its run, its file, or connect4 for the agent of a game"
        )
    found = {Kind.FILE: _of_file, Kind.RUN: _of_run, Kind.SHIPPED: _shipped}[name.kind](name)
    return found if name.simulations is None else found._replace(simulations=name.simulations)


def network_player(
    name: Name, game: Game, *, games: int, seed: int, device: str, simulations: int | None
) -> SearchPlayer:
    """A player by a network's name."""
    found = find_network(name)
    parameters = playing(found.simulations if simulations is None else simulations, games)
    network = _load(name, found.path, game)
    evaluator = NetworkEvaluator(
        game,
        network,
        device=device,
        capacity=games * parameters.leaves * found.symmetries,
        symmetries=found.symmetries,
    )
    return SearchPlayer(name.full, game, evaluator, parameters, games=games, seed=seed)


def _load(name: Name, path: Path, game: Game) -> Network:
    try:
        return load_network(path, game).network
    except RulesChanged as changed:
        if name.kind is not Kind.RUN:
            raise
        raise NoughtError(
            f"{changed}; `{command('play', name.what)}` plays by the rules it has learned"
        ) from None


def playing(simulations: int, games: int = 1) -> SearchParameters:
    """How a network searches when it plays this many games at once."""
    leaves = 1 if games > 1 or simulations < 100 else 4  # one game alone: batches from one search
    return replace(PLAYING, simulations=simulations, leaves=leaves)


def _of_file(name: Name) -> Trained:
    path = Path(name.what)
    return Trained(path, str(path).removesuffix(path.suffix), SIMULATIONS)


def _of_run(name: Name) -> Trained:
    run = Run(run_folder(name.what))
    number = run.progress().version if name.version is None else name.version
    path = run.version_path(number)
    if not path.is_file():
        raise NoughtError(f"the run {name.what} has no version {number}")
    return Trained(path, f"{name.what}-{number}", SIMULATIONS)


def _shipped(name: Name) -> Trained:
    facts = card(name.what)
    return Trained(weights(name.what), name.what, facts.simulations, facts.symmetries)
