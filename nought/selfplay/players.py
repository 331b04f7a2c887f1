"""Players: they choose moves, for many games at a time."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from nought.config import Choice, SearchParameters
from nought.errors import NoughtError
from nought.games import Game, Position
from nought.search import Analysis, Evaluator, Rollout, Search, analyse
from nought.search.analysis import root
from nought.search.variety import varied_move
from nought.selfplay.notes import SearchNote, note

KNOWN_ROLLOUTS = (10, 30, 100, 300, 1000)  # simulations of players that everybody knows, weakest first
KNOWN = ("random", *(f"rollout:{n}" for n in KNOWN_ROLLOUTS))


class Player(Protocol):
    """Chooses moves. Games are numbered; a player may keep what it knows about a game from move to move."""

    name: str

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        """A legal move for each position, by the number of its game. No position is finished."""
        ...


class Opinion(NamedTuple):
    """What a player thinks of a position."""

    move: int  #      the one it plays
    value: float  #   from -1 (lost) to 1 (won), for the player to move


class RandomPlayer:
    """Plays any legal move."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        return {g: int(self.random.choice(position.legal)) for g, position in positions.items()}


class SearchPlayer:
    """Plays by graph search with an evaluator; by simulations, and if given by seconds per call.

    Given a source of chance it does not always play the same: any move about as good as the best (search/variety.py).
    """

    def __init__(
        self,
        name: str,
        game: Game,
        evaluator: Evaluator,
        parameters: SearchParameters,
        *,
        games: int = 1,
        seconds: float = math.inf,
        seed: int = 0,
        chance: random.Random | None = None,
    ) -> None:
        self.name = name
        self.evaluator = evaluator
        self.chance = chance
        self.seconds = seconds
        self.search = Search(game, parameters, games, seed=seed)
        self.numbers: dict[int, int] = {}  # by place in the search, the game searched there last
        self.notes: dict[tuple[int, int], SearchNote] | None = (
            None  # if wanted, by a game's number and its moves so far
        )

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        return {n: opinion.move for n, opinion in self.consider(positions).items()}

    def consider(self, positions: Mapping[int, Position]) -> dict[int, Opinion]:
        """The move for each position and what the search thinks of it."""
        found: dict[int, Opinion] = {}
        numbers = sorted(positions)
        for lot in (numbers[i : i + self.search.games] for i in range(0, len(numbers), self.search.games)):
            places = {n: n % self.search.games for n in lot}
            if len(set(places.values())) < len(lot):  # two games of one place: nothing to keep there
                places = {n: i for i, n in enumerate(lot)}
            for n, g in places.items():
                if self.numbers.get(g, n) != n:
                    self.search.forget(g)
                self.numbers[g] = n
                self.search.begin(g, positions[n].state, len(positions[n].moves))
            self.search.run(self.evaluator, self.seconds)
            found |= {n: Opinion(self._move(g), root(self.search, g).value) for n, g in places.items()}
            if self.notes is not None:
                self.notes |= {(n, len(positions[n].moves)): note(self.search, g) for n, g in places.items()}
        return found

    def _move(self, g: int) -> int:
        if self.chance is None:
            return self.search.decide(g)[0]
        return varied_move(self.search, self.chance, g)

    def analyse(self, position: Position) -> Analysis:
        """Search one position and say what was found."""
        self.choose({0: position})
        return analyse(self.search, 0)


def choose_move(player: Player, position: Position) -> int:
    """The move that a player chooses in one position."""
    return player.choose({0: position})[0]


def analyse_with(player: Player, position: Position) -> Analysis:
    """What a player that searches finds in a position; others do not say what they think."""
    if not isinstance(player, SearchPlayer):
        raise NoughtError(f"{player.name} has no search that could be looked into")
    return player.analyse(position)


def rollout_player(game: Game, simulations: int, *, games: int = 1, seed: int = 0) -> SearchPlayer:
    """Plain Monte-Carlo search: UCB1 and random play to the end; no network."""
    name, parameters = f"rollout:{simulations}", rollout_parameters(simulations)
    return SearchPlayer(name, game, Rollout(game, seed), parameters, games=games, seed=seed)


def rollout_parameters(simulations: int) -> SearchParameters:
    """How a search with random play to the end chooses: nothing is remembered, for no two answers are the same."""
    return SearchParameters(simulations=simulations, choice=Choice.UCB1, c_puct=math.sqrt(2), cache=0)


def known_player(name: str, game: Game, *, games: int = 1, seed: int = 0) -> Player:
    """The player whom KNOWN calls by this name."""
    if name == KNOWN[0]:
        return RandomPlayer(seed)
    return rollout_player(game, KNOWN_ROLLOUTS[KNOWN.index(name) - 1], games=games, seed=seed)


def policy_player(name: str, game: Game, evaluator: Evaluator, *, games: int = 1) -> SearchPlayer:
    """Plays the evaluator's favourite move, without search."""
    parameters = replace(SearchParameters(), simulations=0, cache=0)
    return SearchPlayer(name, game, evaluator, parameters, games=games)
