"""`nought serve` for tests: `python serve.py PORT FOLDER`. It does not let every game's agent think at the start."""

import sys
from pathlib import Path

from nought.server.run import run
from nought.server.settings import ServerLimits, Settings

if __name__ == "__main__":
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
