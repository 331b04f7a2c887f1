"""Rules that came from elsewhere.

A game's file is a program, and running it can do whatever its user can. A file that the user names runs at once. One
that was found, in a run's folder or by a name in some file, runs only if the same text has run before because somebody
named it, or was confirmed. That is remembered by the text's hash, in the user's configuration folder.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

from nought.errors import Untrusted
from nought.files import config_folder, write_whole

SHOWN = 12  # digits of a hash in messages


def fingerprint(source: str) -> str:
    """The SHA-256 of a game's text."""
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()


def known(source: str) -> bool:
    """Whether this text has been named or confirmed by the user."""
    return _place(source).is_file()


def check_known(path: Path, source: str) -> None:
    """An error for rules that have not been named or confirmed by the user."""
    if not known(source):
        raise Untrusted(
            f"the rules in {path} (SHA-256 {fingerprint(source)[:SHOWN]}…) came from elsewhere and have not run here "
            "yet: they are a program that can do whatever you can; read them, and if you trust them put --trust "
            "before the verb, as in `nought --trust play`",
            path,
            source,
        )


def remember(path: Path, source: str) -> None:
    """From now on these rules may run wherever they are found. Where that cannot be written down, it is asked again."""
    place = _place(source)
    if not place.is_file():
        with contextlib.suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            write_whole(place, f"{path.absolute()}\n".encode("utf-8", "replace"))


def _place(source: str) -> Path:
    return config_folder() / "trusted" / fingerprint(source)
