"""Rules that came from elsewhere are shown and confirmed before they first run."""

from __future__ import annotations

import sys

import typer
from rich.console import Console
from rich.text import Text

from nought.errors import Untrusted
from nought.games.trust import known, remember


def confirm_rules(found: Untrusted, *, trusted: bool) -> None:
    """Have the user confirm rules, or say that they are `trusted`; else the error that they are not is raised again."""
    out = Console(stderr=True, highlight=False, soft_wrap=True)
    if not trusted:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise found
        out.print(Text(shown(found.source)))
        out.print(
            Text(
                f"These are the rules in {found.path}. They came from elsewhere and are a program: once they run, they can "
                "read, change and send whatever you can."
            )
        )
        try:
            if not typer.confirm("Run them, now and from now on?", default=False, err=True):
                raise found
        except typer.Abort:
            raise found from None
    remember(found.path, found.source)
    if not known(found.source):  # nothing can be written there: nobody is asked twice
        raise found
    out.print(Text(f"trusted from now on: {found.path}"), style="dim")


def shown(source: str) -> str:
    """A text as it is, without what could hide a part of it in a terminal."""
    return "".join(char if char.isprintable() or char in "\n\t" else f"\\x{ord(char):02x}" for char in source)
