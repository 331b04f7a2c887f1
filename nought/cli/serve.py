"""nought serve: the web page, and everything behind it."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from nought.cli.shared import EvaluatingPrecision


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 lets others on your network in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0: any that is free.")] = 8000,
    database: Annotated[
        str | None,
        typer.Option(
            help="Where accounts and games are kept: an SQLAlchemy URL, as postgresql+psycopg://user@host/name. "
            "[dim]Default: a file in your data folder.[/]"
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            min=1,
            help="Processes that serve, on one port; more than one needs PostgreSQL, and pays with many cores.",
        ),
    ] = 1,
    runs: Annotated[Path, typer.Option(help="Folder of training runs to show.")] = Path("runs"),
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE|FOLDER",
            help="A game file of yours to offer, too, or a folder with such files; may be given again.",
        ),
    ] = None,
    find: Annotated[
        bool, typer.Option(help="Offer the games whose files are in this folder; their files are run.")
    ] = True,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    browsers_think: Annotated[
        bool, typer.Option(help="Let visitors' browsers think, in casual games and analyses.")
    ] = True,
    tcp: Annotated[bool, typer.Option("--tcp", help="Speak the papers' wire protocol, too.")] = False,
    ai_port: Annotated[int, typer.Option(min=0, max=65535, help="Its port for moves.")] = 25500,
    data_port: Annotated[int, typer.Option(min=0, max=65535, help="Its port for ratings and games.")] = 2551,
    device: Annotated[str, typer.Option(help="Where networks run: auto, cpu or cuda.")] = "auto",
    precision: EvaluatingPrecision = None,  # noqa: ARG001  its callback has read it
    rate: Annotated[
        float, typer.Option(min=0, help="Requests a second of one client in the long run; 0: no limit.")
    ] = 50.0,
    batch: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Positions evaluated at once; 1: one by one. [dim]Default: 32 on a CPU, 256 on a GPU.[/]",
        ),
    ] = None,
    host_name: Annotated[
        list[str] | None,
        typer.Option(
            help="A name by which browsers reach the server, as play.example.org; may be given again. "
            "[dim]localhost, addresses and this machine's name always do.[/]"
        ),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Speak HTTPS with this certificate (PEM), which needs its --key."),
    ] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate's key (PEM).")] = None,
    behind_proxy: Annotated[
        bool,
        typer.Option("--behind-proxy", help="A proxy in front says who the client is (X-Forwarded-For)."),
    ] = False,
    log_json: Annotated[
        bool, typer.Option("--log-json", help="Log a line of JSON for every request.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log a line for every request.")] = False,
) -> None:
    """Serve the web page: play, analyse, look inside the search, watch training.

    Games whose files are in this folder and runs in its folder runs/ are offered, too.

    Example: [cyan]nought serve[/]

    Example: [cyan]nought serve --host 0.0.0.0 --port 80 --no-browser --log-json[/]

    Example: [cyan]nought serve --host 0.0.0.0 --certificate cert.pem --key key.pem[/]

    Example: [cyan]nought serve --no-find --game mygame.py --tcp[/]

    Example: [cyan]nought serve --workers 4 --database postgresql://nought@localhost/nought --no-browser[/]
    """
    from nought.server.run import run  # which takes a moment to load
    from nought.server.settings import ServerLimits, Settings

    settings = Settings(
        host=host,
        port=port,
        workers=workers,
        runs=runs,
        games=tuple(name for name in game or () if not Path(name).is_dir()),
        folders=(*([Path()] if find else ()), *(Path(name) for name in game or () if Path(name).is_dir())),
        browsers_think=browsers_think,
        tcp=tcp,
        ai_port=ai_port,
        data_port=data_port,
        device=device,
        host_names=tuple(host_name or ()),
        certificate=certificate,
        key=key,
        behind_proxy=behind_proxy,
        limits=dataclasses.replace(ServerLimits(), rate=rate, burst=4 * rate, batch=batch),
    )
    if database:
        settings = dataclasses.replace(settings, database=database)
    run(settings, browser=browser, log_json=log_json, verbose=verbose)
