"""Players by name: random, rollout:400, net:RUN@5, search:RUN@best:800."""

from __future__ import annotations

import re
from dataclasses import replace

from nought.config import Choice, SearchParameters
from nought.errors import NoughtError
from nought.games import Game
from nought.learning.run import Run, run_folder
from nought.network import NetworkEvaluator
from nought.selfplay.players import Player, SearchPlayer, player_by_name

SIMULATIONS = 200  # where a name does not say


def agent(name: str, game: Game, *, games: int = 1, seed: int = 0, device: str = "auto") -> Player:
    """The player of this name for a game, ready for so many games at once."""
    match = re.fullmatch(
        r"(?P<kind>net|search):(?P<run>[^@:]+)(?:@(?P<version>best|\d+))?(?::(?P<simulations>\d+))?", name
    )
    if match is None:
        try:
            return player_by_name(name, game, games=games, seed=seed)
        except NoughtError:
            raise NoughtError(
                f"there is no player {name!r}; there are random, rollout:SIMULATIONS, net:RUN and "
                "search:RUN@VERSION:SIMULATIONS (rollout:400, net:connect4-1@5, search:connect4-1@best:800)"
            ) from None
    run = Run(run_folder(match["run"]))
    if run.game.source != game.source:
        raise NoughtError(f"the run {match['run']} has learned {run.game.name}, not {game.name}")
    version = run.progress().version if match["version"] in (None, "best") else int(match["version"])
    simulations = 0 if match["kind"] == "net" else int(match["simulations"] or SIMULATIONS)
    leaves = 1 if games > 1 or simulations < 100 else 8  # one game alone: batches from one search
    learned = run.parameters.search
    parameters = replace(
        SearchParameters(),
        simulations=simulations,
        leaves=leaves,
        choice=Choice.PUCT_PLUS_ONE if learned.choice is Choice.GUMBEL else learned.choice,
        c_puct=learned.c_puct,
        cache=1 << 14,
    )
    evaluator = NetworkEvaluator(game, run.network(version), device=device, capacity=games * leaves)
    return SearchPlayer(name, game, evaluator, parameters, games=games, seed=seed)
