"""The compiled heart of the search. These files are joined into one module on top of a game's rules by
nought.compile: their imports from each other and from the contract say what stands there then.

All of a search is one array (nought.search.memory), and the kernels hand on the same few things. `ints`, `floats` and
`words` are three views of that array: as 32-bit integers, as 32-bit floats, and as 64-bit words. A place in it is
counted in 32-bit words, so the word at a place is `words[place >> 1]`. `block` is the place where a game's part of the
array begins; a node, an edge group, `policy` or `path` (the nodes and edges of a simulation under way, one pair a
step) is a place, too. `layout` says where everything else stands and how much of it there is, `settings` are the
parameters as numbers; both are tuples that are read from the array when a call comes from Python."""

from pathlib import Path
from types import ModuleType

from nought.compile import Kernels, compiled
from nought.games import Game

ORDER = (
    "elementary",
    "random",
    "record",
    "gumbel",
    "select",
    "back_up",
    "walk_down",
    "cache",
    "root",
    "advance",
    "calls",
    "rollout",
    "rounds",
    "device",
    "browser",
)

SEARCH = Kernels(
    files=tuple(Path(__file__).with_name(f"{name}.py") for name in ORDER),
    called=("advance", "begin_games", "begin_position", "begin_positions", "decision", "forget_games", "rollouts", "rounds"),
    device=(
        "device_new_game", "device_go_on", "device_search", "device_move", "device_planes", "device_inputs", "device_claim",
        "device_store",
    ),
    browser=(
        "browser_forget", "browser_begin", "browser_advance", "browser_decide", "browser_start", "browser_play", "browser_look",
        "browser_rollouts",
    ),
    # what runs in every simulation
    inlined=(
        "add_node", "back_up", "choose_edge", "choose_puct", "expand", "find", "finish_simulation", "has_room",
        "holds", "mean_value", "position_hash", "refresh_edge", "request", "search_on", "step", "take_in", "walk_down",
    ),
)  # fmt: skip


def kernels(game: Game) -> ModuleType:
    """The search, compiled for a game."""
    return compiled(game, SEARCH)
