"""An agent as a static site: a folder that any web host serves, in which the visitor's browser thinks.

Rules, search and network are one module of WebAssembly (nought.compile.wasm, nought.network.steps). The page is `site/`, with
those of the served page's modules, styles and pictures that it imports: they are copied, none is written twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nought.compile import compiled
from nought.compile.wasm import wasm
from nought.config import SearchParameters
from nought.errors import NoughtError
from nought.export.onnx import COMPARED_POSITIONS, Export
from nought.files import TEMPORARY
from nought.games import Game
from nought.games.game import FOR_PEOPLE
from nought.games.notation import passes
from nought.network.resnet import Network
from nought.network.sample import random_sample
from nought.network.steps import BROWSER, KERNELS, Steps, steps_of
from nought.search import Search, memory, variety
from nought.search.memory import KernelSettings
from nought.wire.games import GameAnswer

SITE = Path(__file__).with_name("site")
SERVED = Path(__file__).parents[1] / "server" / "static"
PICTURES = ("icons/icon.svg", "icons/icon-192.png", "icons/icon-512.png", "icons/maskable-512.png")
FONTS = tuple(
    f"fonts/{name}" for name in ("manrope-400.woff2", "manrope-600.woff2", "manrope-800.woff2", "OFL.txt")
)
LEVELS = (1, 8, 50, 200, 400, 800)  # simulations a move that one can choose
TOLERANCE = 2e-3  # of probabilities and values


@dataclass(frozen=True)
class AgentFacts:
    """Who plays on a site."""

    title: str
    about: str
    card: Mapping[str, str]  #   what else is known, for people
    simulations: int  #          a move, unless told otherwise


def export_web(
    network: Network,
    game: Game,
    view: GameAnswer,
    agent: AgentFacts,
    parameters: SearchParameters,
    folder: Path,
) -> Export:
    """Write a site whose network answers as this one does. It is there whole or not at all; an earlier site of this name
    is replaced."""
    _check_drawable(game)
    _check_place(folder)
    steps = steps_of(network)
    found = _compare(network, game, steps)
    code = wasm(game, BROWSER)
    files = _page() | {
        "game.wasm": code,
        "network.bin": steps.content(),
        "agent.json": json.dumps(
            _facts(game, view, agent, parameters, steps), separators=(",", ":")
        ).encode(),
        "manifest.webmanifest": json.dumps(_manifest(view, agent), indent=2).encode(),
    }
    files["sw.js"] = _service_worker(files)
    try:
        _write(folder, files)
    except OSError as error:
        raise NoughtError(f"{folder} cannot be written: {error.strerror or error}") from None
    return Export(folder, COMPARED_POSITIONS, *found)


def _check_drawable(game: Game) -> None:
    own = [name for name in FOR_PEOPLE if hasattr(game.rules, name)]
    if own:
        raise NoughtError(
            f"{game.name} draws or names by its own {', '.join(own)}, which a browser cannot run"
        )


def _check_place(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "agent.json").is_file():
        raise NoughtError(f"{folder} is there already and is no site of nought's: choose another --output")
    if folder.exists() and not folder.is_dir():
        raise NoughtError(f"{folder} is a file: a site is a folder")
    if not folder.absolute().parent.is_dir():
        raise NoughtError(f"{folder} cannot be written: there is no folder {folder.parent}")


def _compare(network: Network, game: Game, steps: Steps) -> tuple[float, float]:
    """The largest differences of policy and value on positions of random games. This processor's answers are a browser's
    to the last bit."""
    planes, room = random_sample(game, COMPARED_POSITIONS).planes, steps.room()
    kernels, policy = compiled(game, KERNELS), np.zeros(game.actions, np.float32)
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


# ---- what the page has to know --------------------------------------------------------------------------------
def _facts(
    game: Game, view: GameAnswer, agent: AgentFacts, parameters: SearchParameters, steps: Steps
) -> dict[str, Any]:
    levels = sorted({*LEVELS, agent.simulations})
    ends, begins = game.cell_of_action, game.origin_of_action
    length = getattr(game.rules, "LENGTH", None)
    return {
        "game": view.model_dump(mode="json"),
        "agent": {"title": agent.title, "about": agent.about, "card": dict(agent.card)},
        "levels": levels,
        "level": agent.simulations,
        "network": steps.size,
        "checksum": zlib.crc32(steps.content()),
        "planes": int(np.prod(game.planes_shape)),
        "ends": None if ends is None else ends.tolist(),
        "origins": None if begins is None else begins.tolist(),
        "turned": None if game.turned is None else game.turned.tolist(),
        "length": length if isinstance(length, int) else None,
        "passes": passes(game),
        "variety": {name: getattr(variety, name) for name in ("VALUE_MARGIN", "VISITS_SHARE", "PRIOR_SHARE")},
        "search": search_facts(game, replace(parameters, simulations=levels[-1], cache=0, leaves=1)),
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
            "simulations": int(memory.SETTINGS) + KernelSettings._fields.index("simulations"),
        },
        "block": {name: int(getattr(memory, name)) for name in ("ROOT", "SIMULATIONS", "NODES")},
        **{
            key: {n: int(getattr(kernels, start + n)) for n in names} for key, (start, names) in named.items()
        },
    }


def _manifest(view: GameAnswer, agent: AgentFacts) -> dict[str, Any]:
    """What a device is told that installs the site."""
    served = json.loads((SERVED / "manifest.webmanifest").read_text(encoding="utf-8"))
    icons = [icon | {"src": icon["src"].removeprefix("/")} for icon in served["icons"]]
    return {
        "name": f"{view.title} · {agent.title}",
        "short_name": view.title,
        "start_url": ".",
        "scope": ".",
        "icons": icons,
        **{key: served[key] for key in ("display", "background_color", "theme_color")},
    }


# ---- files ----------------------------------------------------------------------------------------------------
def _page() -> dict[str, bytes]:
    """The page's files by name: those of the site, and those of the served page that they need."""
    names = [path.relative_to(SITE).as_posix() for path in sorted(SITE.rglob("*")) if path.is_file()]
    found = {name: (SITE / name).read_bytes() for name in names}
    wanted = [*PICTURES, *FONTS, "js/theme-first.js"]
    wanted += re.findall(r'href="(css/[\w-]+\.css)"', found["index.html"].decode())
    wanted += [needed for name in names if name.endswith(".js") for needed in _imports(name, found[name])]
    while wanted:
        name = wanted.pop()
        if name not in found:
            found[name] = (SERVED / name).read_bytes()
            wanted += _imports(name, found[name]) if name.endswith(".js") else []
    return found


def _imports(name: str, content: bytes) -> list[str]:
    """The modules that a module imports, by their names in the site."""
    relative = re.findall(r'^(?:import|\} from)\b[^;"]*"(\.[^"]+)";$', content.decode(), flags=re.M)
    return [os.path.normpath(f"{os.path.dirname(name)}/{path}").replace(os.sep, "/") for path in relative]


def _service_worker(files: Mapping[str, bytes]) -> bytes:
    """The service worker, which keeps all these files; other files make another version of it."""
    text = files["sw.js"].decode()
    digest = hashlib.sha256(
        b"\0".join(part for name in sorted(files) for part in (name.encode(), files[name]))
    )
    kept = sorted(name for name in files if name not in ("sw.js", "fonts/OFL.txt"))
    for line, value in (("VERSION", digest.hexdigest()[:16]), ("FILES", kept)):
        text, count = re.subn(
            rf"^const {line} = .*;$", f"const {line} = {json.dumps(value)};", text, flags=re.M
        )
        assert count == 1, line
    return text.encode()


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files into a new folder, which then takes its place."""
    mark = f"{TEMPORARY}{os.getpid()}-{secrets.token_hex(8)}"
    new, old = folder.with_name(f"{mark}-new"), folder.with_name(f"{mark}-old")
    try:
        for name, content in files.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if folder.exists():
            os.replace(folder, old)
        os.replace(new, folder)
    finally:
        if old.exists() and not folder.exists():
            os.replace(old, folder)
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)
