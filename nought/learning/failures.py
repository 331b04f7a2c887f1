"""What can happen to a long run, as a line that says what to do."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator

from nought.errors import NoughtError
from nought.learning.run import Run
from nought.shell import command


@contextlib.contextmanager
def failures_explained(run: Run) -> Iterator[None]:
    """Turn what can happen to a long run into a line that says what to do."""
    how = f"the run is whole up to its last iteration; go on with `{command('train', '--resume', run.name)}`"
    try:
        yield
    except OSError as error:
        what = "the disk is full" if error.errno == errno.ENOSPC else f"cannot write: {error}"
        raise NoughtError(f"{what}; {how}") from None
    except MemoryError:
        raise NoughtError(f"there is not enough memory for this network and its games; {how}") from None
    except RuntimeError as error:
        if "allocate memory" in str(error):
            raise NoughtError(f"there is not enough memory for this network; {how}") from None
        if "cuda" not in str(error).lower():
            raise
        raise NoughtError(f"the GPU failed ({str(error).splitlines()[0]}); {how}") from None
