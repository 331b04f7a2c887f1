"""nought desktop: a window to play in."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated

import typer

from nought.cli.shared import EvaluatingPrecision
from nought.errors import NoughtError


def desktop(
    server: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Play there. [dim]Default: a server of your own on this machine.[/]"
        ),
    ] = None,
    precision: EvaluatingPrecision = None,  # noqa: ARG001  its callback has read it
) -> None:
    """Play in a window, for your rating, against an agent that is slightly better than you.

    Example: [cyan]nought desktop --server http://127.0.0.1:8000[/]
    """
    try:
        import tkinter as tk

        from nought.clients.desktop.window import DesktopWindow
    except ImportError:
        raise NoughtError(
            "the window needs Tk, which this Python lacks: on Debian `apt install python3-tk`, "
            "or play in the browser: `nought serve`"
        ) from None
    from nought.clients.desktop.local_server import PLACE, LocalServer
    from nought.clients.remote import Server

    with ExitStack() as stack:
        try:
            if server:
                window = DesktopWindow(Server(server))
            else:
                own = stack.enter_context(LocalServer())
                window = DesktopWindow(Server(own.url), place=PLACE, before=own.wait)
        except tk.TclError as error:
            raise NoughtError(f"there is no screen to open a window on: {error}") from None
        window.run()
