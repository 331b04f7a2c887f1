"""Makes an agent's files for browsers, in a process of its own: compiling would keep the server's threads waiting.

python -m nought.server.thinking.browser_files GAME WEIGHTS FOLDER KEY

Without WEIGHTS ("") it is an agent that plays positions out at random.
The files are content by its hash, compressed as they are sent; KEY.json says which are the agent's.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nought.agents.networks import playing
from nought.errors import NoughtError
from nought.export.browser import for_browser
from nought.files import write_whole
from nought.games import load
from nought.games.game import in_words
from nought.network.checkpoint import load_network
from nought.process import end_with_parent
from nought.selfplay.players import rollout_parameters
from nought.server.thinking.compiling import NICE

try:
    import fcntl
except ImportError:  # Windows, where one process serves
    fcntl = None  # type: ignore[assignment]

MOST = 20_000  # simulations that a browser can take: so large is the memory of its search
LONGEST_WAIT, POLL = 300.0, 0.5  # seconds, for another process
MOST_KEPT = 64  # agents whose files stay in the folder


def make(name: str, weights: str, folder: Path, key: str) -> None:
    """Make an agent's files; those that have not been asked for longest go."""
    game = load(name)
    network = load_network(Path(weights), game).network if weights else None
    made = for_browser(network, game, playing(MOST) if weights else rollout_parameters(MOST))
    kept = {
        "facts": made.facts,
        "code": _keep(folder, made.code, "wasm"),
        "network": _keep(folder, made.network, "bin") if made.network else None,
    }
    write_whole(folder / f"{key}.json", json.dumps(kept, separators=(",", ":")).encode())
    _tidy(folder)


def make_once(name: str, weights: str, folder: Path, key: str) -> None:
    """Make an agent's files, unless another process of a server here does: one is at work at a time."""
    begun = time.time()
    with _alone(folder):
        facts = folder / f"{key}.json"
        if not (facts.exists() and facts.stat().st_mtime >= begun):
            make(name, weights, folder, key)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process works in this folder, but not for ever: a game's file may never end. Whoever ends, however
    it does, lets the next one in."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        until = time.monotonic() + LONGEST_WAIT
        while fcntl is not None and time.monotonic() < until:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                time.sleep(POLL)
        yield


def _keep(folder: Path, content: bytes, ending: str) -> str:
    name = f"{hashlib.sha256(content).hexdigest()[:32]}.{ending}"
    if not (folder / name).exists():
        write_whole(folder / name, gzip.compress(content, mtime=0))
    return name


def _tidy(folder: Path) -> None:
    agents = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    needed: set[str] = set()
    for path in agents[:MOST_KEPT]:
        kept = json.loads(path.read_bytes())
        needed |= {kept["code"], kept["network"]}
    for path in (*agents[MOST_KEPT:], *folder.glob("*.wasm"), *folder.glob("*.bin")):
        if path.name not in needed:
            path.unlink(missing_ok=True)


def main() -> None:
    """Make the files, as long as the server's end of our input is open; what hinders it is printed."""
    end_with_parent()
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICE)
    name, weights, folder, key = sys.argv[1:]
    try:
        make_once(name, weights, Path(folder), key)
    except NoughtError as error:
        print(f"\n{error}")
        sys.exit(2)
    except Exception as error:  # a game's file may do anything
        print(f"\n{in_words(error)}")
        sys.exit(2)


if __name__ == "__main__":
    main()
