"""How much each client may ask for: a bucket of tokens that fills up again."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nought.server.http.errors import TooMany
from nought.server.settings import ServerLimits

MOST_CLIENTS = 10_000  # whose buckets are kept: one that has not asked for long has a full one anyway
SIMULATIONS_PER_TOKEN = 200


class Buckets:
    """A request takes a token, a long search more of them; an empty bucket means: wait."""

    def __init__(self, limits: ServerLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits, self.clock = limits, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and when that was
        self._sockets: Counter[str] = Counter()

    def take(self, client: str, tokens: float = 1.0) -> None:
        """Take tokens from a client's bucket; a refusal says how long to wait."""
        rate, burst = self.limits.rate, self.limits.burst
        if rate <= 0:
            return
        now = self.clock()
        level, then = self._levels.pop(client, (burst, now))
        level = min(burst, level + (now - then) * rate)
        tokens = min(tokens, burst)  # what one request may ask for can always be had
        enough = level >= tokens
        self._levels[client] = (level - tokens if enough else level, now)
        if len(self._levels) > MOST_CLIENTS:
            self._levels.popitem(last=False)
        if not enough:
            raise TooMany(
                "too many requests from your address; wait a little", retry_after=(tokens - level) / rate
            )

    def take_for(self, client: str, simulations: int) -> None:
        """Take what a search costs beside the request itself."""
        self.take(client, simulations / SIMULATIONS_PER_TOKEN)

    @contextmanager
    def socket(self, client: str) -> Iterator[None]:
        """While a client's socket is open, it counts."""
        if self._sockets[client] >= self.limits.sockets_of_one:
            raise TooMany(f"{self.limits.sockets_of_one} open connections are enough for one client")
        self._sockets[client] += 1
        try:
            yield
        finally:
            self._sockets[client] -= 1
            if not self._sockets[client]:
                del self._sockets[client]
