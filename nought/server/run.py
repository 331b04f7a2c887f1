"""Running a server until it is told to stop."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import ssl
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

import uvicorn
from rich.console import Console

from nought.errors import NoughtError
from nought.network.evaluator import choose_device
from nought.network.precision import wanted_precision
from nought.server.app import create_app
from nought.server.http.common import Common, Line
from nought.server.http.metrics import JsonLogFormatter
from nought.server.http.protocol import BoundedConnection, BoundedSocket
from nought.server.people.store import prepare
from nought.server.settings import Settings
from nought.server.tcp.ports import check_ports
from nought.server.workers import Workers

SHUTDOWN_TIMEOUT = 10  # seconds that requests under way have to end when the server is told to stop
# Seconds after which a thread lets another one go on: 25 times as often as by default. A network's thread lets go in
# every layer, and would wait so long in each of them while requests or another search keep Python busy.
SWITCH_INTERVAL = 0.0002
BACKLOG = 1024  # connections that wait to be taken
LARGEST_MESSAGE = 16_384  # bytes, through a WebSocket
LAST_SECONDS = 2  # after SHUTDOWN_TIMEOUT, in which workers let go of what they have
THIS_MACHINE = "127.0.0.1,::1,::ffff:127.0.0.1"  # whose word on who a client is counts, behind a proxy
OTHER_FILES = 500  # that are open beside connections: the TCP ports', the database's, libraries


def run(settings: Settings, *, browser: bool, log_json: bool, verbose: bool) -> None:
    """Serve until Ctrl-C or SIGTERM; then finish what is under way."""
    choose_device(settings.device)  # a wrong one is said now,
    wanted_precision("auto")  #       and so are a wrong setting of it,
    check_certificate(settings)  #    a certificate without its key,
    check_workers(settings)  #        more processes than there can be,
    prepare(settings.database)  #     a database that cannot be opened
    check_ports(settings)  #          or a port that is taken
    settings = within_the_system(settings)
    listening = listen(settings.host, settings.port)
    scheme = "https" if settings.certificate else "http"
    address = f"{scheme}://{_shown(settings.host)}:{listening.getsockname()[1]}"
    announced = partial(announce, address, browser=browser and can_browse())
    logs = partial(set_up_logging, log_json=log_json, verbose=verbose)
    logs()
    common = Common.alone(settings)
    if settings.workers == 1:
        serve(Announced(configured(settings, common), announced), listening)
        return
    listening.listen(BACKLOG)  # whoever comes before a worker is there waits
    serving = partial(serve_as_worker, settings, listening, logs)
    Workers(settings.workers, serving, common, announced).run(SHUTDOWN_TIMEOUT + LAST_SECONDS)


def serve(server: uvicorn.Server, listening: socket.socket) -> None:
    """Serve in this process."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    server.run(sockets=[listening])
    if not server.started:
        raise NoughtError("the server could not start: the log says why")


def serve_as_worker(
    settings: Settings, listening: socket.socket, logs: Callable[[], None], number: int, line: Connection
) -> None:
    """Serve as one of several processes, which end with the one that has started them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who pressed Ctrl-C is heard there
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    logs()
    common = Common.asked(settings, number, Line(line))
    try:
        serve(uvicorn.Server(configured(settings, common)), listening)
    except NoughtError as error:
        common.board.fails(number, str(error))
        sys.exit(2)


def _end_with(parent: Any) -> None:
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def check_workers(settings: Settings) -> None:
    """Say before anything starts why there cannot be so many processes."""
    cores = os.cpu_count() or 1
    if settings.workers == 1:
        return
    if sys.platform == "win32":
        raise NoughtError("--workers needs Linux or macOS; on Windows one process serves")
    if settings.workers > cores:
        raise NoughtError(f"--workers {settings.workers} would take turns: there are {cores} cores here")
    if not settings.database.startswith("postgres"):
        raise NoughtError(
            "--workers needs PostgreSQL, which several processes can write to: --database postgresql://USER@HOST/NAME"
        )


def within_the_system(settings: Settings) -> Settings:
    """The settings with as many connections as the system allows."""
    limits = settings.limits
    return replace(settings, limits=replace(limits, connections=allow_connections(limits.connections)))


def configured(settings: Settings, common: Common, app: Any = None) -> uvicorn.Config:
    """How the application is served, or another one."""
    buckets = common.buckets
    bounded = {"limits": settings.limits, "places": buckets.connections}
    return uvicorn.Config(
        app or create_app(settings, common),
        http=partial(BoundedConnection, **bounded),  # type: ignore[arg-type]  # as good as a class
        ws=partial(BoundedSocket, sent=buckets.sent, **bounded),  # type: ignore[arg-type]
        log_config=None,
        access_log=False,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.key,
        proxy_headers=settings.behind_proxy,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", THIS_MACHINE),
        server_header=False,
        ws_max_size=LARGEST_MESSAGE,
        ws_max_queue=4,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        backlog=BACKLOG,
        timeout_keep_alive=30,
    )


def allow_connections(wanted: int) -> int:
    """Ask the system for as many open files as so many connections need; how many connections it allows."""
    try:
        import resource
    except ImportError:  # Windows, where there is no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY not in (soft, hard) and soft < wanted + OTHER_FILES:
        soft = min(hard, wanted + OTHER_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else max(1, min(wanted, soft - OTHER_FILES))


def check_certificate(settings: Settings) -> None:
    """Say before anything starts why browsers could not be answered in HTTPS."""
    certificate, key = settings.certificate, settings.key
    if certificate is None and key is None:
        return
    if certificate is None or key is None:
        raise NoughtError("HTTPS needs both: --certificate FILE and --key FILE, which belong together")
    for path in (certificate, key):
        try:
            path.open("rb").close()
        except OSError as error:
            raise NoughtError(f"{path} cannot be read: {error.strerror}") from None
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, _no_password)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise NoughtError(f"{key} is not the key of the certificate {certificate}") from None
        raise NoughtError(
            f"{certificate} and {key} are no certificate and its key in PEM (BEGIN CERTIFICATE, BEGIN PRIVATE KEY)"
        ) from None


def _no_password() -> str:
    """Nobody sits in front of a server to type one."""
    raise NoughtError("the key is locked by a password: openssl pkey -in KEY -out OPEN writes one without")


class Announced(uvicorn.Server):
    """Says so once it can be reached."""

    def __init__(self, config: uvicorn.Config, announced: Callable[[], None]) -> None:
        super().__init__(config)
        self.announced = announced

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self.announced()


def announce(address: str, *, browser: bool) -> None:
    """Say where the server is, and show it."""
    Console(highlight=False).print(f"[bold]nought[/] is at [cyan]{address}[/]  [dim](Ctrl-C stops it)[/]")
    if browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def listen(host: str, port: int) -> socket.socket:
    """A socket that is bound, so that a port in use is one clear line. No program that we start inherits it."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
    except OSError as error:
        raise NoughtError(
            f"cannot listen on {host}:{port}: {error.strerror or error}; choose another --port"
        ) from None
    return found


def can_browse() -> bool:
    """Whether there is a screen on which a browser could open."""
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def set_up_logging(*, log_json: bool, verbose: bool) -> None:
    """To standard error: lines for people, or JSON for machines, which has every request."""
    handler = logging.StreamHandler()
    handler.setFormatter(
        JsonLogFormatter()
        if log_json
        else logging.Formatter("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S")
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("nought").setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # anybody's junk is a warning there
    if not (log_json or verbose):
        logging.getLogger("nought.server.requests").setLevel(logging.WARNING)


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return "localhost"
    return f"[{host}]" if ":" in host else host
