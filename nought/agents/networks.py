"""Trained networks by name: of a run, of a file, or one that comes with the package."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from nought.config import SearchParameters
from nought.errors import NoughtError
from nought.games import Game, load
from nought.learning.run import RUNS, Run, run_folder
from nought.network import NetworkEvaluator, load_network
from nought.selfplay.players import SearchPlayer

SIMULATIONS = 200  # where neither a name nor an agent's card says
# Playing well needs less exploration than learning does: 1 was right more often than 2 in docs/experiments.md.
PLAYING = SearchParameters(c_puct=1.0, cache=1 << 14)
SHIPPED = Path(__file__).parent  # has a folder for each agent: weights.safetensors and card.toml

FILE_OR_RUN = r"(?:(?P<file>[^:]+\.safetensors)|(?P<run>[^@:]+)(?:@(?P<version>best|\d{1,9}))?)"
NUMBER = r"(?::(?P<simulations>\d{1,9}))?"
NET = f"net:{FILE_OR_RUN}"
SEARCH = f"search:{FILE_OR_RUN}{NUMBER}"
AGENT = f"agents/(?P<shipped>[^:]*){NUMBER}"


class Trained(NamedTuple):
    """Where a network lies, and how it plays unless told otherwise."""

    path: Path
    title: str  # that a file made from it can have
    simulations: int  # a move
    symmetries: int = 1  # images of a position that it looks at each time


def full_name(name: str) -> str:
    """What a name is short for, where it is a run that is there, a network's file or a shipped agent alone."""
    word = re.split("[@:]", name)[0]
    if word.endswith(".safetensors") or (RUNS / word / "config.toml").is_file():
        return f"search:{name}"
    return f"agents/{name}" if word in shipped_agents() else name


def trained(name: str) -> Trained:
    """The network that a name stands for: net:RUN@5, search:FILE.safetensors, agents/NAME, or one for short."""
    for pattern in (NET, SEARCH, AGENT):
        if match := re.fullmatch(pattern, full_name(name), re.ASCII):
            return _from_name(match)
    if "/" in name or Path(name).is_file():
        return _of_file(Path(name))
    if match := re.fullmatch(SEARCH, f"search:{name}", re.ASCII):
        return _from_name(match)
    raise NoughtError(
        f"there is no network {name!r}; it is named like connect4-1 (a run), net:connect4-1@5, "
        "agents/connect4, or by its file"
    )


def network_player(
    name: str, game: Game, *, games: int, seed: int, device: str, simulations: int | None
) -> SearchPlayer:
    """A player by a network's name."""
    found = trained(name)
    parameters = playing(found.simulations if simulations is None else simulations, games)
    network = load_network(found.path, game).network
    evaluator = NetworkEvaluator(
        game,
        network,
        device=device,
        capacity=games * parameters.leaves * found.symmetries,
        symmetries=found.symmetries,
    )
    return SearchPlayer(name, game, evaluator, parameters, games=games, seed=seed)


def playing(simulations: int, games: int = 1) -> SearchParameters:
    """How a network searches when it plays, so many games at once."""
    leaves = 1 if games > 1 or simulations < 100 else 8  # one game alone: batches from one search
    return replace(PLAYING, simulations=simulations, leaves=leaves)


def shipped_agents() -> list[str]:
    """The agents that come with the package."""
    return sorted(card.parent.name for card in SHIPPED.glob("*/card.toml"))


def shipped_games() -> list[str]:
    """The games for which an agent comes with the package."""
    return list(dict.fromkeys(str(card(name)["game"]) for name in shipped_agents()))


def shipped_agent(game: Game) -> str | None:
    """The name of the agent that comes with the package for this game."""
    for name in shipped_agents():
        if load(str(card(name)["game"])).source == game.source:
            return f"agents/{name}"
    return None


def _from_name(name: re.Match[str]) -> Trained:
    groups = name.groupdict()
    if groups.get("shipped") is not None:
        found = _shipped(groups["shipped"])
    elif groups["file"]:
        found = _of_file(Path(groups["file"]))
    else:
        found = _of_run(groups["run"], groups["version"])
    if name[0].startswith("net:"):
        return found._replace(simulations=0)
    return found._replace(simulations=int(groups["simulations"] or found.simulations))


def _of_file(path: Path) -> Trained:
    return Trained(path, str(path).removesuffix(path.suffix), SIMULATIONS)


def _of_run(name: str, version: str | None) -> Trained:
    run = Run(run_folder(name))
    number = run.progress().version if version in (None, "best") else int(version)
    path = run.version_path(number)
    if not path.is_file():
        raise NoughtError(f"the run {name} has no version {number}")
    return Trained(path, f"{name}-{number}", SIMULATIONS)


def _shipped(name: str) -> Trained:
    there = shipped_agents()
    if name not in there:
        what = (
            f"there are {', '.join(f'agents/{n}' for n in there)}"
            if there
            else "none comes with this version"
        )
        raise NoughtError(f"there is no agent agents/{name}; {what}")
    weights = _of_file(SHIPPED / name / "weights.safetensors")
    facts = card(name)
    return weights._replace(title=name, simulations=facts["simulations"], symmetries=facts["symmetries"])


def card(name: str) -> dict[str, Any]:
    """What is known about a shipped agent: its game, how it was made, how strong it measured."""
    try:
        facts = tomllib.loads((SHIPPED / name / "card.toml").read_text(encoding="utf-8"))
        numbers = {"simulations": int(facts["simulations"]), "symmetries": int(facts.get("symmetries", 1))}
        return {**facts, "game": str(facts["game"]), **numbers}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NoughtError(f"the card of agents/{name} cannot be read: {error}") from None
