"""How much each client may ask for: buckets of tokens that fill up again, and places that are held for a while."""

from __future__ import annotations

import ipaddress
import sys
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from nought.server.http.errors import Busy, TooMany
from nought.server.settings import ServerLimits

MOST_CLIENTS = 10_000  # whose buckets are kept: one that has not asked for long has a full one anyway
SIMULATIONS_PER_TOKEN = 200
FILES = 10  # times as many of the page's own files may be had as requests to the API: they are cheap, but not free
IPV6_NETWORK = 64  # bits: whoever has one address of such a network has them all
GUESSES_OF_ONE, GUESSES_OF_ALL = 60, 300  # at an account's password, an hour: of one client, of everybody
HOUR, DAY = 3600, 86_400  # seconds
SOCKET_BURST = 8  # seconds' worth of what a client may send through WebSockets, at once

Clock = Callable[[], float]
LaneKey = tuple[str, str]  # a game, and what evaluates its positions


@lru_cache(4096)
def share_of(address: str) -> str:
    """Whose share of the server an address takes from: its own, or its whole network's where it is IPv6."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:  # not from a network
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            return str(ipaddress.ip_network((found, IPV6_NETWORK), strict=False))
        found = found.ipv4_mapped
    return str(found)


class Allowance:
    """A bucket for every client: what is taken comes back at a rate, up to a burst. A rate of 0 means no limit."""

    def __init__(self, rate: float, burst: float, refusal: str, clock: Clock = time.monotonic) -> None:
        self.rate, self.burst, self.refusal, self.clock = rate, burst, refusal, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and when that was

    def take(self, client: str, tokens: float = 1.0) -> None:
        """Take tokens from a client's bucket; a refusal says how long to wait."""
        if self.rate <= 0:
            return
        tokens = min(tokens, self.burst)  # what one request may ask for can always be had
        level = self._level(client)
        if level < tokens:
            raise TooMany(self.refusal, retry_after=(tokens - level) / self.rate)
        self._keep(client, level - tokens)

    def give_back(self, client: str, tokens: float) -> None:
        """Put tokens back that were taken and not used."""
        if self.rate > 0:
            self._keep(client, min(self.burst, self._level(client) + tokens))

    def _level(self, client: str) -> float:
        level, then = self._levels.get(client, (self.burst, 0.0))
        return min(self.burst, level + (self.clock() - then) * self.rate)

    def _keep(self, client: str, level: float) -> None:
        self._levels[client] = (level, self.clock())
        self._levels.move_to_end(client)
        if len(self._levels) > MOST_CLIENTS:
            self._levels.popitem(last=False)


class Places:
    """Places that clients hold at the same time: a client may hold as many as are still free, so that there is always
    room for one more client."""

    def __init__(self, places: int, of_one: int) -> None:
        self.places, self.of_one = places, of_one
        self.taken: Counter[str] = Counter()

    def enter(self, client: str) -> bool:
        """Take a place, if the client may have one more."""
        if self.taken[client] >= min(self.of_one, self.places - self.taken.total()):
            self.taken += Counter()  # forgets who holds none
            return False
        self.taken[client] += 1
        return True

    def leave(self, client: str) -> None:
        """Give a place back."""
        self.taken[client] -= 1
        if not self.taken[client]:
            del self.taken[client]


class SearchPlaces:
    """Searches under way. A client may have as many of them, and as many lanes, as are still free, so that there is always
    room for one more client: n that take all they can leave a share of 1 / (n + 1)."""

    def __init__(self, limits: ServerLimits) -> None:
        self.limits = limits
        self.taken: Counter[tuple[str, LaneKey]] = Counter()  # by client and lane

    def enter(self, client: str, lane: LaneKey) -> None:
        """Count a search that begins, or refuse it."""
        free = self.limits.searches - self.taken.total()
        if free <= 0:
            raise Busy("the server has as much to think about as it can; try again soon", retry_after=2)
        own = {lane: count for (who, lane), count in self.taken.items() if who == client}
        lanes = {lane for _, lane in self.taken}
        most = min(self.limits.searches_of_one, free)
        if client and sum(own.values()) >= most:
            raise TooMany(f"{most} searches at once are enough for one client", 1)
        if client and lane not in lanes and len(own) >= self.limits.networks - len(lanes) > 0:
            raise TooMany(f"{len(own)} agents at once are enough for one client", 1)
        self.taken[client, lane] += 1

    def leave(self, client: str, lane: LaneKey) -> None:
        """A search is over."""
        self.taken[client, lane] -= 1
        if not self.taken[client, lane]:
            del self.taken[client, lane]


class Buckets:
    """All that is counted of clients. What they have left: a request takes a token, a long search more of them; an empty
    bucket means: wait. And what they hold: connections, sockets, searches, games in which an agent thinks."""

    def __init__(
        self, limits: ServerLimits, clock: Clock = time.monotonic, *, behind_proxy: bool = False
    ) -> None:
        self.limits = limits
        limited = limits.rate > 0
        refusal = "too many requests from your address; wait a little"
        self.requests = Allowance(limits.rate, limits.burst, refusal, clock)
        self.files = Allowance(FILES * limits.rate, FILES * limits.burst, refusal, clock)
        self.accounts = Allowance(
            limited * limits.accounts_of_one / HOUR,
            limits.accounts_of_one,
            "your address has made enough new accounts for now; log in, or wait a little",
            clock,
        )
        self.stored = Allowance(
            limited * limits.stored_of_one / DAY,
            limits.stored_of_one,
            "your address has stored as much as it may for now; wait a little",
            clock,
        )
        refusal = "too many wrong passwords; wait a little"
        self.guesses = Allowance(limited * GUESSES_OF_ONE / HOUR, GUESSES_OF_ONE / 6, refusal, clock)
        self.guesses_of_all = Allowance(limited * GUESSES_OF_ALL / HOUR, GUESSES_OF_ALL, refusal, clock)
        # A proxy in front has one address for everybody, and limits of its own.
        flood = 0 if behind_proxy or not limited else limits.socket_bytes
        self.sent = Allowance(flood, SOCKET_BURST * limits.socket_bytes, "a flood", clock)
        of_one = limits.connections if behind_proxy else limits.connections_of_one
        self.connections = Places(limits.connections, of_one)
        self.sockets = Places(sys.maxsize, limits.sockets_of_one)
        self.searches = SearchPlaces(limits)
        self.games = Places(sys.maxsize, 1)  # by who plays and which

    def take(self, client: str, tokens: float = 1.0) -> None:
        """Take what a request costs."""
        self.requests.take(client, tokens)

    def take_for(self, client: str, simulations: int) -> None:
        """Take what a search costs beside the request itself."""
        self.requests.take(client, simulations / SIMULATIONS_PER_TOKEN)

    def give_back_for(self, client: str, simulations: int) -> None:
        """Give back what was taken for simulations that were not needed."""
        self.requests.give_back(client, simulations / SIMULATIONS_PER_TOKEN)

    @contextmanager
    def socket(self, client: str) -> Iterator[None]:
        """While a client's socket is open, it counts."""
        if not self.sockets.enter(client):
            raise TooMany(f"{self.limits.sockets_of_one} open connections are enough for one client")
        try:
            yield
        finally:
            self.sockets.leave(client)
