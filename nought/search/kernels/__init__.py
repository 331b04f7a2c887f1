"""The compiled heart of the search. These files are joined into one module on top of a game's rules by
nought.games.compile: their imports from each other and from the contract say what stands there then."""

from pathlib import Path
from types import ModuleType

from nought.games import Game
from nought.games.compile import Kernels, compiled

ORDER = (
    "random",
    "record",
    "select",
    "simulate",
    "cache",
    "root",
    "advance",
    "calls",
    "rollout",
    "inputs",
    "rounds",
)

SEARCH = Kernels(
    files=tuple(Path(__file__).with_name(f"{name}.py") for name in ORDER),
    called=("advance", "begin_games", "begin_position", "begin_positions", "decision", "fill_legal", "fill_planes", "forget_games", "rollouts", "rounds"),
    # what runs in every simulation
    inlined=(
        "add_node", "back_up", "choose_edge", "choose_puct", "expand", "find", "finish_simulation", "has_room",
        "holds", "mean_value", "position_hash", "refresh_edge", "request", "search_on", "step", "take_in", "walk_down",
    ),
)  # fmt: skip


def kernels(game: Game) -> ModuleType:
    """The search, compiled for a game."""
    return compiled(game, SEARCH)
