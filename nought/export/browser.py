"""An agent for a browser: rules, search and network as one module of WebAssembly, the network's weights, and what a page
has to know to use them (js/thinking/ of the served page).
"""

from __future__ import annotations

import ast
import zlib
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch

from nought.compile import compiled
from nought.compile.wasm import wasm
from nought.config import SearchParameters
from nought.errors import NoughtError
from nought.export.onnx import COMPARED_POSITIONS
from nought.games import Game
from nought.games.game import FOR_PEOPLE
from nought.games.ground import NAMES
from nought.games.notation import format_move, passes
from nought.network.resnet import Network
from nought.network.sample import random_sample
from nought.network.steps import BROWSER, KERNELS, Steps, steps_of
from nought.search import Search, memory, variety
from nought.search.memory import KernelSettings

TOLERANCE = 2e-3  # of probabilities and values


class ForBrowser(NamedTuple):
    """An agent's files."""

    code: bytes  #                          the module
    network: bytes  #                       empty where there is none: positions are then played out at random
    facts: dict[str, Any]  #                about the game and the memory of a search
    differences: tuple[float, float]  #     from the network's own answers, at most: of policy and value


def for_browser(network: Network | None, game: Game, parameters: SearchParameters) -> ForBrowser:
    """An agent that answers as this network does, or plays on at random where there is none. It can take as many
    simulations as the parameters say."""
    check_drawable(game)
    content, size, differences = b"", 0, (0.0, 0.0)
    if network is not None:
        steps = steps_of(network)
        content, size, differences = steps.content(), steps.size, _compare(network, game, steps)
    facts = {"network": size, "checksum": zlib.crc32(content), **_facts(game), **_searching(game, parameters)}
    return ForBrowser(wasm(game, BROWSER), content, facts, differences)


def check_drawable(game: Game) -> None:
    """Refuse a game that a page could not show without Python."""
    needed = {
        "picture": True,
        "text": game.board == "text",  # else it is for terminals
        "move_text": not _names_by_move_alone(game),
    }
    own = [name for name in FOR_PEOPLE if hasattr(game.rules, name) and needed[name]]
    if own:
        raise NoughtError(
            f"{game.name} draws or names by its own {', '.join(own)}, which a browser cannot run"
        )


def _compare(network: Network, game: Game, steps: Steps) -> tuple[float, float]:
    """The largest differences of policy and value on positions of random games. This processor's answers are a browser's
    to the last bit."""
    planes, room = random_sample(game, COMPARED_POSITIONS).planes, steps.room()
    kernels, policy = compiled(game, KERNELS), np.zeros(game.actions, np.float32)
    kernels.prepare_network(room)
    with torch.inference_mode():
        output = network.to("cpu").eval()(torch.from_numpy(planes))
    policies, values = torch.softmax(output.policy, 1).numpy(), output.value.numpy()
    by_policy = by_value = 0.0
    for i, board in enumerate(planes):
        value = kernels.evaluate(room, board, policy)
        by_policy = max(by_policy, float(np.abs(policy - policies[i]).max()))
        by_value = max(by_value, abs(float(value - values[i])))
    if not (by_policy <= TOLERANCE and by_value <= TOLERANCE):  # neither of them NaN
        raise NoughtError(
            f"the exported network answers differently (by {max(by_policy, by_value):.2g}); nothing was written"
        )
    return by_policy, by_value


def _names_by_move_alone(game: Game) -> bool:
    """Whether a game's `move_text` looks at the move and not at the position."""
    for node in ast.parse(game.source).body:
        if isinstance(node, ast.FunctionDef) and node.name == "move_text" and node.args.args:
            names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            return node.args.args[0].arg not in names
    return False


def _facts(game: Game) -> dict[str, Any]:
    """About the board and the moves."""
    ends, begins = game.cell_of_action, game.origin_of_action
    length, nowhere = getattr(game.rules, "LENGTH", None), game.start()
    own = range(game.actions) if game.notation == NAMES else ()
    return {
        "names": [format_move(nowhere, action) for action in own],
        "planes": int(np.prod(game.planes_shape)),
        "ends": None if ends is None else ends.tolist(),
        "origins": None if begins is None else begins.tolist(),
        "turned": None if game.turned is None else game.turned.tolist(),
        "length": length if isinstance(length, int) else None,
        "passes": passes(game),
    }


def _searching(game: Game, parameters: SearchParameters) -> dict[str, Any]:
    """About a search, and how moves are drawn from what it has found."""
    return {
        "most": parameters.simulations,
        "variety": {name: getattr(variety, name) for name in ("VALUE_MARGIN", "VISITS_SHARE", "PRIOR_SHARE")},
        "search": search_facts(game, replace(parameters, cache=0, leaves=1)),
    }


def search_facts(game: Game, parameters: SearchParameters) -> dict[str, Any]:
    """The memory of a search as it begins, and where everything stands in it: places in 32-bit words, but for those of
    settings."""
    search = Search(game, parameters)
    kernels, layout = search.kernels, search.layout
    fixed = -(-int(kernels.COMMON) // 2)
    named = {
        "shown": ("SHOWN_", ("PLAYER", "FINISHED", "RESULT", "MARGIN", "PLANES")),
        "node": ("", ("EDGES", "VISITS", "VALUE", "PROOF", "HEADER")),
        "group": ("", ("P", "Q", "N", "CHILD", "TAG")),
        "tag": ("", ("ACTION_MASK", "PROVEN", "REFUTED")),
    }
    return {
        "words": len(search.words),
        "head": [f"{word:x}" for word in search.words[:fixed].tolist()],
        "places": {
            "here": int(memory.HERE),
            "state": 2 * int(kernels.STATE_WORDS),
            "moves": int(kernels.MOVES_AT_HAND),
            "policy": int(layout.stack),
            "block": int(layout.blocks),
            "random": (int(layout.blocks) + int(memory.RANDOM)) // 2,
            "simulations": int(memory.SETTINGS) + KernelSettings._fields.index("simulations"),
        },
        "block": {name: int(getattr(memory, name)) for name in ("ROOT", "SIMULATIONS", "NODES")},
        **{
            key: {n: int(getattr(kernels, start + n)) for n in names} for key, (start, names) in named.items()
        },
    }
