"""The agents that come with the package: a folder for each, with its weights and its card."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from nought.errors import NoughtError
from nought.games import Game, load
from nought.games.fingerprint import same_rules

SHIPPED = Path(__file__).parent  # has a folder for each agent: weights.safetensors and card.toml


@dataclass(frozen=True)
class Card:
    """An agent's card: what it plays and how, how it was made, how strong it measured."""

    game: str
    simulations: int  #         a move, unless told otherwise
    symmetries: int  #          images of a position that it looks at
    title: str
    about: str
    facts: Mapping[str, Any]  # everything that card.toml says


def shipped_agents() -> list[str]:
    """The agents that come with the package."""
    return list(_agents_in(SHIPPED))


def shipped_games() -> list[str]:
    """The games for which an agent comes with the package."""
    return list(dict.fromkeys(card(name).game for name in shipped_agents()))


def agents_of(game: Game) -> list[str]:
    """The agents that come with the package for this game, the best first: it has the game's name."""
    return [name for name in shipped_agents() if same_rules(_learned(card(name).game), game)]


def shipped_agent(game: Game) -> str | None:
    """The name of the best agent that comes with the package for this game."""
    return next((f"agents/{name}" for name in agents_of(game)), None)


def weights(name: str) -> Path:
    """The file of a shipped agent's network."""
    return SHIPPED / name / "weights.safetensors"


def card(name: str) -> Card:
    """What is known about a shipped agent."""
    try:
        facts = tomllib.loads((SHIPPED / name / "card.toml").read_text(encoding="utf-8"))
        return Card(
            game=str(facts["game"]),
            simulations=int(facts["simulations"]),
            symmetries=int(facts.get("symmetries", 1)),
            title=str(facts.get("title", name)),
            about=str(facts.get("about", "")),
            facts=facts,
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NoughtError(f"the card of agents/{name} cannot be read: {error}") from None


@lru_cache
def _agents_in(folder: Path) -> tuple[str, ...]:
    """Looked for once: a server asks at every move."""
    return tuple(sorted(card.parent.name for card in folder.glob("*/card.toml")))


@lru_cache
def _learned(game: str) -> Game:
    """A game of the package."""
    return load(game)
