"""One run of a study, in a process of its own that does not outlive the study's."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

from nought.errors import NoughtError
from nought.learning.loop import learn
from nought.learning.run import Run


def main() -> int:
    """Go on with the run in the folder that is named first, on the device named second."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        learn(Run(Path(sys.argv[1])), device=sys.argv[2])
    except NoughtError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _end_with_parent() -> None:
    """Standard input ends when the parent does, however it does. The run is whole up to its last iteration."""
    while os.read(0, 1):  # not sys.stdin, whose lock Python needs when it ends
        pass
    os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
