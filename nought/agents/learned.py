"""What the network behind a player's name has learned: a run knows its game, and so does a network's file."""

from __future__ import annotations

import re
from pathlib import Path

from nought.agents.names import Kind, parse
from nought.agents.networks import find_network
from nought.errors import NoughtError
from nought.games import Game, builtin_games, load
from nought.learning.learned_game import LearnedGame
from nought.learning.run import Run, run_folder
from nought.network import load_network


def learned(name: str) -> LearnedGame | None:
    """The game that the network behind a name has learned, and what has become of its file since; None where there is
    no network."""
    found = parse(name)
    if not found.learned:
        return None
    path = find_network(found).path  # an error where it is not there
    if folder := run_folder(found.what) if found.kind is Kind.RUN else _run_of(path):
        return Run(folder).learned
    game = load(load_network(path).game)
    return LearnedGame(game, game.name)


def learned_game(name: str) -> Game | None:
    """The game that the network behind a name has learned; None where there is no network."""
    found = learned(name)
    return found.game if found else None


def names_network(name: str) -> bool:
    """Whether a name stands for a run or a network's file, and not for a game."""
    if name.partition(":")[0] in builtin_games() or re.fullmatch(r".+\.py(:[0-9x:]+)?", name):
        return False
    try:
        return parse(name).kind in (Kind.FILE, Kind.RUN)
    except NoughtError:
        return False


def _run_of(path: Path) -> Path | None:
    """The run of which a file is a version; None where it is none."""
    folder = path.absolute().parent.parent
    return folder if path.absolute().parent.name == "versions" and (folder / "game.json").is_file() else None
