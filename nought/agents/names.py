"""Players by name: random, rollout:400, net:RUN@5, search:RUN@best:800; a run or a network's file alone searches."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from nought.config import Choice, SearchParameters
from nought.errors import NoughtError
from nought.games import Game, load
from nought.learning.run import RUNS, Run, run_folder
from nought.network import NetworkEvaluator
from nought.network.checkpoint import load_network
from nought.network.resnet import Network
from nought.selfplay.players import Player, RandomPlayer, SearchPlayer, rollout_player

SIMULATIONS = 200  # where a name does not say
FILE = ".safetensors"  # how a network's file ends


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
    learned: bool = False  # whether there is a network behind it: the name has a `source`


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

    With `simulations` the same network searches so many instead of those in the name (0: it plays without search).
    """
    kind, match = _find(name)
    if simulations is not None and not kind.learned:
        raise NoughtError(f"{name} has no network whose simulations could be chosen")
    return kind.make(match, Setting(game, games, seed, device, simulations))


def learned_game(name: str) -> Game | None:
    """The game that the network behind a name has learned; None where there is no network."""
    kind, match = _find(name)
    if not kind.learned:
        return None
    if _is_file(match["source"]):
        return load(load_network(match["source"]).game)
    return Run(run_folder(match["source"])).game


def named_simulations(name: str) -> int | None:
    """How many simulations a name asks for: 0 in net:RUN, 800 in search:RUN:800; None where it does not say."""
    _, match = _find(name)
    said = match.groupdict().get("simulations")
    return 0 if match.groupdict().get("kind") == "net" else int(said) if said else None


def _find(name: str) -> tuple[Kind, re.Match[str]]:
    full = f"search:{name}" if _is_source(re.split("[@:]", name)[0]) else name
    for kind in KINDS:
        if match := re.fullmatch(kind.pattern, full, re.ASCII):
            return kind, match
    examples = ", ".join(kind.example for kind in KINDS)
    raise NoughtError(f"there is no player {name!r}; players are named like {examples}")


def _is_source(word: str) -> bool:
    """Whether this is a network's file or a run that is there."""
    return _is_file(word) or (RUNS / word / "config.toml").is_file()


def _is_file(source: str) -> bool:
    return source.endswith(FILE)


def _random(name: re.Match[str], wanted: Setting) -> Player:
    return RandomPlayer(wanted.seed)


def _rollout(name: re.Match[str], wanted: Setting) -> Player:
    simulations = int(name["simulations"])
    if not 1 <= simulations <= 1_000_000:
        raise NoughtError(f"rollout takes 1 to 1000000 simulations, not {simulations}")
    return rollout_player(wanted.game, simulations, games=wanted.games, seed=wanted.seed)


def _network(name: re.Match[str], wanted: Setting) -> Player:
    game = wanted.game
    network, learned = _learned(name["source"], name["version"], game)
    said = 0 if name["kind"] == "net" else int(name["simulations"] or SIMULATIONS)
    simulations = said if wanted.simulations is None else wanted.simulations
    leaves = 1 if wanted.games > 1 or simulations < 100 else 8  # one game alone: batches from one search
    parameters = replace(
        SearchParameters(),
        simulations=simulations,
        leaves=leaves,
        choice=Choice.PUCT_PLUS_ONE if learned.choice is Choice.GUMBEL else learned.choice,
        c_puct=learned.c_puct,
        cache=1 << 14,
    )
    evaluator = NetworkEvaluator(game, network, device=wanted.device, capacity=wanted.games * leaves)
    return SearchPlayer(name[0], game, evaluator, parameters, games=wanted.games, seed=wanted.seed)


def _learned(source: str, version: str | None, game: Game) -> tuple[Network, SearchParameters]:
    """A network of this game, and the parameters of the search that it has learned with."""
    if _is_file(source):
        if version is not None:
            raise NoughtError(f"{source} is one network: it has no versions to choose from")
        return load_network(Path(source).expanduser(), game).network, SearchParameters()
    run = Run(run_folder(source))
    if run.game.source != game.source:
        raise NoughtError(f"the run {source} has learned {run.game.name}, not {game.name}")
    number = run.progress().version if version in (None, "best") else int(version or 0)
    return run.network(number), run.parameters.search


KINDS = (
    Kind("random", "random", _random),
    Kind("rollout:400", r"rollout:(?P<simulations>\d{1,9})", _rollout),
    Kind(
        "net:connect4-1@5",
        r"(?P<kind>net):(?P<source>[^@:]+)(?:@(?P<version>best|\d{1,9}))?",
        _network,
        learned=True,
    ),
    Kind(
        "search:connect4-1@best:800",
        r"(?P<kind>search):(?P<source>[^@:]+)(?:@(?P<version>best|\d{1,9}))?(?::(?P<simulations>\d{1,9}))?",
        _network,
        learned=True,
    ),
)
