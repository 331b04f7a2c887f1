"""`nought serve` for tests: `python -m tests.web.serve PORT FOLDER`. It does not let every game's agent think at the
start, and games that few tests search are not compiled: some small searches take less time than that. Perfect play of
Connect 4 is loaded at once: on a busy machine that takes longer than the server waits for it."""

import sys
from contextlib import suppress
from pathlib import Path

from nought.errors import NoughtError
from nought.games import Game
from nought.games.registry import is_file, load
from nought.oracle import find_oracle
from nought.server.run import run
from nought.server.settings import ServerLimits, Settings
from nought.server.thinking import games
from tests.support.compiling import compile_once
from tests.support.uncompiled import uncompiled


def loaded(name: str) -> Game:
    return uncompiled(name) if is_file(name) or name == "othello:6x6" else load(name)


if __name__ == "__main__":
    games.load = loaded
    compile_once()
    with suppress(NoughtError):  # it may not be installed
        find_oracle(load("connect4")).judge(load("connect4").start())
    folder = Path(sys.argv[2])
    examples = Path(__file__).parents[2] / "nought" / "games" / "examples"
    settings = Settings(
        port=int(sys.argv[1]),
        database=f"sqlite:///{folder}/server.sqlite3",
        runs=folder / "runs",
        games=(
            str(Path(__file__).with_name("race.py")),
            *(f"{examples}/{name}" for name in ("breakthrough.py:5x3", "kalah.py:3:2", "hex.py:3")),
            *(str(folder / name) for name in ("pawns.py", "text.py")),
        ),
        limits=ServerLimits(rate=0),
        warm_up=False,
    )
    run(settings, browser=False, log_json=False, verbose=False)
