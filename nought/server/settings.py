"""How a server is set up."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from nought.files import data_folder


def default_database() -> str:
    """An SQLite file in the user's data folder."""
    return f"sqlite:///{data_folder() / 'server.sqlite3'}"


@dataclass(frozen=True)
class ServerLimits:
    """What one request, one client and all of them together may ask for."""

    simulations: int = 20_000  #        of one request
    seconds: float = 10.0  #            of one request
    live_simulations: int = 100_000  #  of a live analysis, before it stops by itself
    inside: int = 60  #                 simulations that can be watched one by one
    body: int = 64 * 1024  #            bytes of a request
    header_bytes: int = 16 * 1024  #    … of its first line and its headers
    request_seconds: float = 20.0  #    for a request to arrive, and for an answer to be taken
    connections: int = 2_000  #         open at once, of everybody
    connections_of_one: int = 1_000  #  and of one client, as long as as many are free for others
    moves: int = 4_000  #               characters of a game
    searches: int = 512  #              under way at once, of everybody; more are told to come back
    searches_of_one: int = 256  #        and of one client, as long as as many are free for others
    sockets_of_one: int = 8  #          live analyses of one client
    socket_bytes: int = 8 * 1024  #     that one client may send through them, a second in the long run
    rate: float = 50.0  #               requests a second of one client in the long run; 0: no limit
    burst: float = 200.0  #             … and at once
    accounts_of_one: int = 60  #        new ones of one client: at once, and an hour in the long run
    stored_of_one: int = 32 * 2**20  #  bytes of one client kept here: at once, and a day in the long run
    networks: int = 32  #               kept in memory
    batch: int | None = None  #         positions evaluated at once; None: what suits the device


@dataclass(frozen=True)
class Settings:
    """Everything that can be said on the command line of `nought serve`."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = field(default_factory=default_database)  # SQLAlchemy's URL
    workers: int = 1  #                     processes that serve
    runs: Path = Path("runs")  #            where training runs are
    games: tuple[str, ...] = ()  #          game files to offer beside the built-in games
    folders: tuple[Path, ...] = ()  #       in which games are found and offered, too: that runs their files
    tcp: bool = False  #                    the papers' wire protocol
    ai_port: int = 25500
    data_port: int = 2551
    host_names: tuple[
        str, ...
    ] = ()  #     by which browsers reach it, beside localhost, addresses and this machine's name
    certificate: Path | None = None  #      for HTTPS, with those that vouch for it; PEM
    key: Path | None = None  #              of the certificate
    behind_proxy: bool = False  #           believe X-Forwarded-For and X-Forwarded-Proto
    device: str = "auto"  #                 on which networks run: auto, cpu, cuda
    browsers_think: bool = True  #          let visitors' browsers think, in casual games and analyses
    warm_up: bool = True  #                 let every game's best agent think once when the server starts
    limits: ServerLimits = ServerLimits()
