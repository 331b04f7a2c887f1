"""Compiles games into the cache folder, in a process of its own: compiling would keep the server's threads waiting.

python -m nought.server.thinking.compiling connect4 othello
"""

from __future__ import annotations

import contextlib
import os
import sys

from nought.config import SearchParameters
from nought.games import load
from nought.games.inputs import Inputs
from nought.process import end_with_parent
from nought.search import Rollout, Search

NICE = 10  # people who play come first


def compile_game(name: str) -> None:
    """Use once all that the server will use."""
    game = load(name)
    search = Search(game, SearchParameters(simulations=2, cache=0))
    search.begin(0, game.start().state)
    search.run(Rollout(game))
    search.decide(0)
    Inputs(game).planes(game.start().state[None])


def main() -> None:
    """Compile the games that are named on the command line, as long as the server's end of our input is open, and print
    the number of each that is done."""
    end_with_parent()
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICE)
    for number, name in enumerate(sys.argv[1:]):
        with contextlib.suppress(Exception, SystemExit):  # the server says what is wrong with a game
            compile_game(name)
        print(f"\n{number}", flush=True)


if __name__ == "__main__":
    main()
