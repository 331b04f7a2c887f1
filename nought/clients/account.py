"""The account that a person has on a server, remembered between games."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

from nought.clients.remote import Refused, Server
from nought.errors import NoughtError
from nought.files import config_folder, write_whole
from nought.wire.accounts import ProfileAnswer


def sign_in(server: Server, place: str | None = None) -> ProfileAnswer:
    """Enter the account that is remembered for a server, or a new guest's.

    `place` is what the account is remembered under: the server's address, unless that changes from day to day.
    """
    server.token = remembered(place or server.url)
    if server.token:
        try:
            return server.me()
        except Refused as refused:
            if refused.status != 401:  # the server does not know this account any more
                raise
            server.token = None
    server.new_account()
    remember(server, place)
    return server.me()


def remembered(place: str) -> str | None:
    """The token for a server; None where there is none, or none that can be read."""
    try:
        token = json.loads(_file(place).read_text(encoding="utf-8"))["token"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return token if isinstance(token, str) else None


def remember(server: Server, place: str | None = None) -> None:
    """Keep the server's token where only this user can read it."""
    file = _file(place or server.url)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        content = json.dumps({"server": place or server.url, "token": server.token}) + "\n"
        write_whole(file, content.encode(), mode=0o600)
    except OSError as error:
        raise NoughtError(f"the account cannot be remembered in {file}: {error.strerror}") from None


def forget(place: str) -> None:
    """No account is remembered for this server any more."""
    _file(place).unlink(missing_ok=True)


def _file(place: str) -> Path:
    return config_folder() / "accounts" / f"{quote(place, safe='')}.json"
