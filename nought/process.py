"""Programs that work for another one, and end when it does."""

from __future__ import annotations

import os
import threading


def end_with_parent() -> None:
    """End this process when the one that started it ends, however it does, and even while compiled code or a loop
    without an end is under way. Its standard input must be a pipe from there to which nothing is written."""
    threading.Thread(target=_wait_for_the_end, daemon=True).start()


def _wait_for_the_end() -> None:
    while os.read(0, 1):  # not sys.stdin, whose lock Python needs when it ends
        pass
    os._exit(130)
