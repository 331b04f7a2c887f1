"""Which day it is, for what ends after many days."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from nought.server.people.store import now

BELIEVED = timedelta(days=1)  # by which the clock may be set forward while the server runs


class Calendar:
    """The system's clock, as far as it can be believed: one that is suddenly months ahead must not end every token at
    once, for what has ended does not come back when the clock is set right."""

    def __init__(
        self, clock: Callable[[], datetime] = now, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self.clock, self.steady = clock, steady
        self._began = clock() - timedelta(seconds=steady())

    def today(self) -> datetime:
        """This moment, unless the clock runs ahead of the time that has passed."""
        return min(self.clock(), self._began + timedelta(seconds=self.steady()) + BELIEVED)
