"""What it costs an agent to vary its play (search/variety.py), and how often it then repeats itself.

`python benchmarks/variety.py AGENT GAMES …` plays each agent, varied, against itself as it plays without chance: even
openings, both colours. Then it asks of GAMES of those games how likely the agent would be to play its moves again.
"""

from __future__ import annotations

import random
import sys
from statistics import median

from nought.agents import agent
from nought.agents.shipped import card
from nought.games import Game, load
from nought.rating.match import MatchResult, play_match
from nought.search.variety import alternatives
from nought.selfplay import SearchPlayer

AT_ONCE = 128


def compare(name: str, games: int) -> None:
    game = load(card(name.removeprefix("agents/").partition(":")[0]).game)
    plain, varied = (make(name, game, seed) for seed in (1, 2))
    varied.chance, varied.name = random.Random(3), f"{name}, varied"
    result = play_match(game, varied, plain, games, seed=4)
    elo, low, high = result.elo
    print(
        f"{name}: varied {result.all.wins} won, {result.all.draws} drawn, {result.all.losses} lost "
        f"({100 * result.all.score:.1f} %), Elo {elo:+.0f} ({low:+.0f} to {high:+.0f}), "
        f"{len(result.distinct)} of {result.played} games distinct",
        flush=True,
    )
    chances = repeating(result, plain)
    print(
        f"  it plays all its moves of a game again with a chance of {median(chances):.2g} (the middle game), "
        f"{sum(chances) / len(chances):.2g} (the mean)",
        flush=True,
    )


def make(name: str, game: Game, seed: int) -> SearchPlayer:
    player = agent(name, game, games=AT_ONCE, seed=seed)
    assert isinstance(player, SearchPlayer)
    return player


def repeating(result: MatchResult, player: SearchPlayer, most: int = 60) -> list[float]:
    """The chance of each game, of all moves that the varied player made after the opening."""
    found = []
    for played in result.distinct[:most]:
        game, moves, chance = played.last.game, played.last.moves, 1.0
        for ply in range(len(moves)):
            position = game.position(moves[:ply])
            if position.player == (0 if played.a_first else 1):
                player.choose({0: position})
                chance *= alternatives(player.search, 0).get(
                    moves[ply], 1.0
                )  # of an opening's move: it was given
        found.append(chance)
    return found


if __name__ == "__main__":
    for name, games in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        compare(name, int(games))
