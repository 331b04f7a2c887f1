"""Rate the agents that the server can offer in a game, for nought/agents/shipped/ratings.toml:

    python scripts/rate_agents.py connect4 --games 60

Each plays against the two next in line, from openings that neither side has lost, with both colours. All games count
together (Bradley–Terry); the player who plays anything has 100, as an untrained agent has in the papers.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nought.agents.match import named_match
from nought.games import load
from nought.rating import Meeting, rate
from nought.rating.elo import UNTRAINED
from nought.server.thinking.agents import Roster
from nought.server.thinking.own_runs import OwnRuns

ANCHOR = "random"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=60, help="of each pairing")
    options = parser.parse_args()
    game = load(options.game)
    names = Roster(OwnRuns(Path("runs"))).candidates(game)
    meetings = []
    for i, name in enumerate(names):
        for other in names[i + 1 : i + 3]:
            match = named_match(game, (name, other), options.games, seed=i)
            meetings += [Meeting(name, other, pair.points, pair.games) for pair in match.pairs.values()]
    print(f'["{game.name}"]  # {options.games} games of each pairing')
    for found in sorted(rate(meetings, ANCHOR, UNTRAINED), key=lambda rating: rating.elo):
        print(f'"{found.player}" = [{found.elo:.0f}, {found.low:.0f}, {found.high:.0f}]')


if __name__ == "__main__":
    main()
