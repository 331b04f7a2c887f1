"""One run of a study, in a process of its own that does not outlive the study's."""

from __future__ import annotations

import sys
from pathlib import Path

from nought.errors import NoughtError
from nought.learning.loop import learn
from nought.learning.run import Run
from nought.process import end_with_parent


def main() -> int:
    """Go on with the run in the folder that is named first, on the device named second."""
    end_with_parent()  # the run is whole up to its last iteration
    try:
        learn(Run(Path(sys.argv[1])), device=sys.argv[2])
    except NoughtError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
