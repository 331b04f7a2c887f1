"""Players by name: random, rollout:400, net:RUN@5, search:RUN@best:800."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from nought.config import Choice, SearchParameters
from nought.errors import NoughtError
from nought.games import Game
from nought.learning.run import Run, run_folder
from nought.network import NetworkEvaluator
from nought.selfplay.players import Player, RandomPlayer, SearchPlayer, rollout_player

SIMULATIONS = 200  # where a name does not say


class Setting(NamedTuple):
    """What a player is wanted for."""

    game: Game
    games: int  #    at once
    seed: int
    device: str


class Kind(NamedTuple):
    """A kind of player: how its names look, and how one is made from a name that does."""

    example: str
    pattern: str
    make: Callable[[re.Match[str], Setting], Player]


def agent(name: str, game: Game, *, games: int = 1, seed: int = 0, device: str = "auto") -> Player:
    """The player of this name for a game, ready for so many games at once."""
    for kind in KINDS:
        if match := re.fullmatch(kind.pattern, name, re.ASCII):
            return kind.make(match, Setting(game, games, seed, device))
    examples = ", ".join(kind.example for kind in KINDS)
    raise NoughtError(f"there is no player {name!r}; players are named like {examples}")


def _random(name: re.Match[str], wanted: Setting) -> Player:
    return RandomPlayer(wanted.seed)


def _rollout(name: re.Match[str], wanted: Setting) -> Player:
    simulations = int(name["simulations"])
    if not 1 <= simulations <= 1_000_000:
        raise NoughtError(f"rollout takes 1 to 1000000 simulations, not {simulations}")
    return rollout_player(wanted.game, simulations, games=wanted.games, seed=wanted.seed)


def _from_run(name: re.Match[str], wanted: Setting) -> Player:
    run, game = Run(run_folder(name["run"])), wanted.game
    if run.game.source != game.source:
        raise NoughtError(f"the run {name['run']} has learned {run.game.name}, not {game.name}")
    version = run.progress().version if name["version"] in (None, "best") else int(name["version"])
    simulations = 0 if name["kind"] == "net" else int(name["simulations"] or SIMULATIONS)
    leaves = 1 if wanted.games > 1 or simulations < 100 else 8  # one game alone: batches from one search
    learned = run.parameters.search
    parameters = replace(
        SearchParameters(),
        simulations=simulations,
        leaves=leaves,
        choice=Choice.PUCT_PLUS_ONE if learned.choice is Choice.GUMBEL else learned.choice,
        c_puct=learned.c_puct,
        cache=1 << 14,
    )
    evaluator = NetworkEvaluator(
        game, run.network(version), device=wanted.device, capacity=wanted.games * leaves
    )
    return SearchPlayer(name[0], game, evaluator, parameters, games=wanted.games, seed=wanted.seed)


KINDS = (
    Kind("random", "random", _random),
    Kind("rollout:400", r"rollout:(?P<simulations>\d{1,9})", _rollout),
    Kind("net:connect4-1@5", r"(?P<kind>net):(?P<run>[^@:]+)(?:@(?P<version>best|\d{1,9}))?", _from_run),
    Kind(
        "search:connect4-1@best:800",
        r"(?P<kind>search):(?P<run>[^@:]+)(?:@(?P<version>best|\d{1,9}))?(?::(?P<simulations>\d{1,9}))?",
        _from_run,
    ),
)
