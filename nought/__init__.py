"""nought learns board games from nothing but their rules. What a program of yours needs of it is here:
docs/guide/python.md."""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nought.agents.players import agent
    from nought.config import Parameters, SearchParameters
    from nought.errors import NoughtError
    from nought.events import IterationReport, Listener
    from nought.games.game import Game, Position
    from nought.games.registry import load
    from nought.learning.loop import learn
    from nought.learning.run import Run
    from nought.network.from_planes import FromPlanes
    from nought.presets import preset
    from nought.search.analysis import Analysis, analyse
    from nought.search.evaluator import Evaluator
    from nought.search.search import Search
    from nought.selfplay.play import play_games
    from nought.selfplay.players import Player, SearchPlayer, analyse_with, choose_move

__version__ = "0.1.0"

# torch's threads wait for each other asleep, not spinning: beside other work on the same cores a training step
# was measured more than twenty times slower without it. Must stand before the first import of torch, wherever that is.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

__all__ = [
    "Analysis",
    "Evaluator",
    "FromPlanes",
    "Game",
    "IterationReport",
    "Listener",
    "NoughtError",
    "Parameters",
    "Player",
    "Position",
    "Run",
    "Search",
    "SearchParameters",
    "SearchPlayer",
    "__version__",
    "agent",
    "analyse",
    "analyse_with",
    "choose_move",
    "learn",
    "load",
    "play_games",
    "preset",
]

# Imported when they are first asked for, as above: nobody waits for torch who does not use it.
HOMES = {
    "nought.agents.players": ("agent",),
    "nought.config": ("Parameters", "SearchParameters"),
    "nought.errors": ("NoughtError",),
    "nought.events": ("IterationReport", "Listener"),
    "nought.games.game": ("Game", "Position"),
    "nought.games.registry": ("load",),
    "nought.learning.loop": ("learn",),
    "nought.learning.run": ("Run",),
    "nought.network.from_planes": ("FromPlanes",),
    "nought.presets": ("preset",),
    "nought.search.analysis": ("Analysis", "analyse"),
    "nought.search.evaluator": ("Evaluator",),
    "nought.search.search": ("Search",),
    "nought.selfplay.play": ("play_games",),
    "nought.selfplay.players": ("Player", "SearchPlayer", "analyse_with", "choose_move"),
}


if not TYPE_CHECKING:  # who checks types is to see that there are no other names

    def __getattr__(name: str) -> Any:
        for module, names in HOMES.items():
            if name in names:
                globals()[name] = found = getattr(import_module(module), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
