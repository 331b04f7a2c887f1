"""Running a server until it is told to stop."""

from __future__ import annotations

import logging
import os
import socket
import ssl
import sys
import threading
import webbrowser
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI
from rich.console import Console

from nought.errors import NoughtError
from nought.network.evaluator import choose_device
from nought.server.app import create_app
from nought.server.http.metrics import JsonLogFormatter
from nought.server.http.protocol import BoundedConnection, BoundedSocket
from nought.server.http.rate_limit import Allowance, Places
from nought.server.people.store import prepare
from nought.server.settings import Settings
from nought.server.tcp.ports import check_ports

SHUTDOWN_TIMEOUT = 10  # seconds that requests under way have to end when the server is told to stop
# Seconds after which a thread lets another one go on: 25 times as often as by default. A network's thread lets go in
# every layer, and would wait so long in each of them while requests or another search keep Python busy.
SWITCH_INTERVAL = 0.0002
LARGEST_MESSAGE = 16_384  # bytes, through a WebSocket
SOCKET_BURST = 8  # seconds' worth of what a client may send through WebSockets, at once
THIS_MACHINE = "127.0.0.1,::1,::ffff:127.0.0.1"  # whose word on who a client is counts, behind a proxy
OTHER_FILES = 500  # that are open beside connections: the TCP ports', the database's, libraries


def run(settings: Settings, *, browser: bool, log_json: bool, verbose: bool) -> None:
    """Serve until Ctrl-C or SIGTERM; then finish what is under way."""
    choose_device(settings.device)  # a wrong one is said now,
    check_certificate(settings)  #    and so are a certificate without its key,
    prepare(settings.database)  #     a database that cannot be opened
    check_ports(settings)  #          or a port that is taken
    set_up_logging(log_json=log_json, verbose=verbose)
    sys.setswitchinterval(SWITCH_INTERVAL)
    app = create_app(settings)
    listening = listen(settings.host, settings.port)
    scheme = "https" if settings.certificate else "http"
    address = f"{scheme}://{_shown(settings.host)}:{listening.getsockname()[1]}"
    server = Announced(configured(app, settings), address, browser=browser and can_browse())
    server.run(sockets=[listening])
    if server.failed:
        raise NoughtError("the server could not start: the log says why")


def configured(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """How the application is served."""
    return uvicorn.Config(
        app,
        **connections(settings),
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
        backlog=1024,
        timeout_keep_alive=30,
    )


def connections(settings: Settings) -> dict[str, Any]:
    """What makes a connection of the server, and a WebSocket of it. A proxy in front has one address for everybody, and
    limits of its own."""
    limits = settings.limits
    allowed = allow_connections(limits.connections)
    places = Places(allowed, allowed if settings.behind_proxy else limits.connections_of_one)
    unlimited = settings.behind_proxy or not limits.rate
    sent = Allowance(0 if unlimited else limits.socket_bytes, SOCKET_BURST * limits.socket_bytes, "a flood")
    return {
        "http": partial(BoundedConnection, limits=limits, places=places),
        "ws": partial(BoundedSocket, limits=limits, places=places, sent=sent),
    }


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
    """Says where it is once it can be reached."""

    def __init__(self, config: uvicorn.Config, address: str, *, browser: bool) -> None:
        super().__init__(config)
        self.address, self.browser = address, browser

    @property
    def failed(self) -> bool:
        return not self.started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and not self.should_exit:
            Console(highlight=False).print(
                f"[bold]nought[/] is at [cyan]{self.address}[/]  [dim](Ctrl-C stops it)[/]"
            )
            if self.browser:
                threading.Thread(target=webbrowser.open, args=(self.address,), daemon=True).start()


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
