"""A whole server of two processes, for a test to stop and kill: python several_workers.py DATABASE FOLDER BURST."""

import sys
from pathlib import Path

from nought.server.run import run
from nought.server.settings import ServerLimits, Settings


def main() -> None:
    database, folder, burst = sys.argv[1:]
    settings = Settings(
        port=0,
        database=database,
        runs=Path(folder),
        workers=2,
        warm_up=False,
        limits=ServerLimits(rate=1e-6, burst=float(burst)),
    )
    run(settings, browser=False, log_json=False, verbose=False)


if __name__ == "__main__":
    main()
