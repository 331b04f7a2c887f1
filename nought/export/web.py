"""An agent as a static site: a folder that any web host serves, in which the visitor's browser thinks.

Rules, search and network are one module of WebAssembly (browser.py). The page is `site/`, with those of the served page's
modules, styles and pictures that it imports: they are copied, none is written twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nought.config import SearchParameters
from nought.errors import NoughtError
from nought.export.browser import check_drawable, for_browser
from nought.export.onnx import COMPARED_POSITIONS, Export
from nought.files import TEMPORARY
from nought.games import Game
from nought.network.resnet import Network
from nought.wire.games import GameAnswer

SITE = Path(__file__).with_name("site")
SERVED = Path(__file__).parents[1] / "server" / "static"
PICTURES = ("icons/icon.svg", "icons/icon-192.png", "icons/icon-512.png", "icons/maskable-512.png")
FONTS = tuple(
    f"fonts/{name}" for name in ("manrope-400.woff2", "manrope-600.woff2", "manrope-800.woff2", "OFL.txt")
)
LEVELS = (1, 8, 50, 200, 400, 800)  # simulations a move that one can choose


@dataclass(frozen=True)
class SiteAgent:
    """Who plays on a site."""

    network: Network
    title: str
    about: str
    card: Mapping[str, str]  #   what else is known, for people
    simulations: int  #          a move, unless told otherwise


def export_web(
    agents: Sequence[SiteAgent], game: Game, view: GameAnswer, parameters: SearchParameters, folder: Path
) -> Export:
    """Write a site whose agents answer as these do; one plays against the first of them unless one chooses another. It is
    there whole or not at all; an earlier site of this name is replaced."""
    check_drawable(game)
    _check_place(folder)
    levels = sorted({*LEVELS, *(agent.simulations for agent in agents)})
    made = [for_browser(agent.network, game, replace(parameters, simulations=levels[-1])) for agent in agents]
    names = [f"network{f'-{n}' if n else ''}.bin" for n in range(len(agents))]
    facts = {
        **made[0].facts,
        "game": view.model_dump(mode="json"),
        "levels": levels,
        "agents": [
            {
                "title": agent.title,
                "about": agent.about,
                "card": dict(agent.card),
                "level": agent.simulations,
                "file": name,
                **{fact: found.facts[fact] for fact in ("network", "checksum")},
            }
            for agent, found, name in zip(agents, made, names, strict=True)
        ],
    }
    files = _page() | {
        "game.wasm": made[0].code,
        "agent.json": json.dumps(facts, separators=(",", ":")).encode(),
        "manifest.webmanifest": json.dumps(_manifest(view, agents), indent=2).encode(),
        **{name: found.network for name, found in zip(names, made, strict=True)},
    }
    files["sw.js"] = _service_worker(files, later=names[1:])
    try:
        _write(folder, files)
    except OSError as error:
        raise NoughtError(f"{folder} cannot be written: {error.strerror or error}") from None
    policy, value = (max(found.differences[i] for found in made) for i in range(2))
    return Export(folder, COMPARED_POSITIONS, policy, value)


def _check_place(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "agent.json").is_file():
        raise NoughtError(f"{folder} is there already and is no site of nought's: choose another --output")
    if folder.exists() and not folder.is_dir():
        raise NoughtError(f"{folder} is a file: a site is a folder")
    if not folder.absolute().parent.is_dir():
        raise NoughtError(f"{folder} cannot be written: there is no folder {folder.parent}")


def _manifest(view: GameAnswer, agents: Sequence[SiteAgent]) -> dict[str, Any]:
    """What a device is told that installs the site."""
    served = json.loads((SERVED / "manifest.webmanifest").read_text(encoding="utf-8"))
    icons = [icon | {"src": icon["src"].removeprefix("/")} for icon in served["icons"]]
    return {
        "name": f"{view.title} · {agents[0].title}" if len(agents) == 1 else view.title,
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
    wanted = [*PICTURES, *FONTS, "js/theme-first.js", "js/thinking/worker.js"]
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


def _service_worker(files: Mapping[str, bytes], later: Sequence[str]) -> bytes:
    """The service worker, which keeps all these files, some of them `later`, when they are first used; other files make
    another version of it."""
    text = files["sw.js"].decode()
    digest = hashlib.sha256(
        b"\0".join(part for name in sorted(files) for part in (name.encode(), files[name]))
    )
    kept = sorted(name for name in files if name not in ("sw.js", "fonts/OFL.txt", *later))
    for line, value in (("VERSION", digest.hexdigest()[:16]), ("FILES", kept), ("LATER", list(later))):
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
