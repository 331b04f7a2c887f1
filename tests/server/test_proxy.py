"""Who a client is: what a proxy says counts, what anybody else says does not; and of IPv6 a network is one client."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nought.server.settings import ServerLimits
from tests.server.support.listening import connect, everything, listening

BURST = 3
LIMITS = ServerLimits(rate=0.001, burst=BURST)
PROXY, STRANGER = "127.0.0.1", "127.0.0.2"


@contextmanager
def proxied(folder: Path, behind_proxy: bool = True) -> Iterator[int]:
    with listening(folder, LIMITS, behind_proxy=behind_proxy) as port:
        yield port


def answered(port: int, peer: str, *forwarded: str) -> int:
    """The status of a request that comes from this peer and says that it was forwarded so."""
    lines = "".join(f"X-Forwarded-For: {one}\r\n" for one in forwarded)
    with connect(port, peer) as client:
        client.sendall(
            f"GET /api/runs HTTP/1.1\r\nHost: localhost\r\n{lines}Connection: close\r\n\r\n".encode()
        )
        return int(everything(client).split()[1])


def test_the_proxy_says_who_a_client_is(tmp_path: Path) -> None:
    with proxied(tmp_path) as port:
        for client in ("192.0.2.1", "192.0.2.2", "2001:db8::1"):
            assert [answered(port, PROXY, client) for _ in range(BURST + 1)] == [200] * BURST + [429]


@pytest.mark.parametrize("behind_proxy", [True, False])
def test_what_somebody_else_says_does_not_count(tmp_path: Path, behind_proxy: bool) -> None:
    peer = STRANGER if behind_proxy else PROXY
    with proxied(tmp_path, behind_proxy) as port:
        found = [answered(port, peer, f"192.0.2.{n}") for n in range(BURST + 1)]
        assert found == [200] * BURST + [429]


@pytest.mark.parametrize(
    "forged",
    [
        lambda n: [f"198.51.100.{n}, 192.0.2.1"],  # a client's own header, to which the proxy has added
        lambda n: [f"198.51.100.{n}", "192.0.2.1"],  # the same in two lines
        lambda n: [f"nobody-{n}, , x:{n}, [::{n}], 192.0.2.1"],
        lambda n: [f"198.51.100.{n}, 192.0.2.1, 127.0.0.1"],  # two proxies on this machine
        lambda n: [f"198.51.100.{n}, 192.0.2.1:{4000 + n}"],
    ],
)
def test_a_client_cannot_choose_who_it_is(tmp_path: Path, forged) -> None:  # type: ignore[no-untyped-def]
    with proxied(tmp_path) as port:
        found = [answered(port, PROXY, *forged(n)) for n in range(BURST + 1)]
        assert found == [200] * BURST + [429]


def test_addresses_of_one_network_are_one_client_and_others_are_others(tmp_path: Path) -> None:
    with proxied(tmp_path) as port:
        within = [answered(port, PROXY, f"2001:db8:1:2:{n:x}:{n * 7:x}::{n}") for n in range(BURST + 3)]
        assert within == [200] * BURST + [429] * 3
        across = [answered(port, PROXY, f"2001:db8:1:{n:x}::1") for n in range(10, 20)]
        assert across == [200] * 10
