"""What clients keep for an account: JSON values by namespace and key."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from nought.errors import NoughtError
from nought.server.http.errors import Conflict, NotFound, TooLarge, shown
from nought.server.http.rate_limit import Buckets
from nought.server.people.store import AccountRow, Database, DatumRow

LARGEST_VALUE = 16 * 1024  # bytes of JSON
VALUES_PER_ACCOUNT = 100
KEY_PATTERN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")


class CustomData:
    """Values are kept as JSON text in ASCII: what came in goes out, whatever its letters."""

    def __init__(self, database: Database, buckets: Buckets) -> None:
        self.database, self.buckets = database, buckets

    async def get(self, account: AccountRow, namespace: str, key: str) -> str:
        """A value, as JSON text."""
        place = (account.id, _checked_key(namespace), _checked_key(key))
        found = await self.database.read(lambda session: session.get(DatumRow, place))
        if found is None:
            raise NotFound(f"nothing is kept at {namespace}/{key}")
        return found.value

    async def all(self, account: AccountRow, namespace: str) -> dict[str, str]:
        """The values of a namespace by key, as JSON text."""
        wanted = select(DatumRow).where(
            DatumRow.account_id == account.id, DatumRow.namespace == _checked_key(namespace)
        )
        found = await self.database.read(lambda session: session.scalars(wanted.order_by(DatumRow.key)).all())
        return {datum.key: datum.value for datum in found}

    async def put(self, account: AccountRow, namespace: str, key: str, value: Any, client: str) -> None:
        """Keep a value, which counts towards what the client may store."""
        place, text = (account.id, _checked_key(namespace), _checked_key(key)), to_json(value)
        self.buckets.stored.take(client, len(text))
        await self.database.write(lambda session: _put(session, place, text))

    async def delete(self, account: AccountRow, namespace: str, key: str) -> None:
        namespace, key = _checked_key(namespace), _checked_key(key)

        def work(session: Session) -> None:
            session.execute(
                delete(DatumRow).where(
                    DatumRow.account_id == account.id, DatumRow.namespace == namespace, DatumRow.key == key
                )
            )

        await self.database.write(work)

    async def get_inside(self, account: AccountRow, namespace: str, keys: Sequence[str]) -> Any:
        """The value at the end of a path of keys, the first of which names what is kept; None if there is none."""
        place = (account.id, _checked_key(namespace), _checked_key(keys[0]))
        found = await self.database.read(lambda session: session.get(DatumRow, place))
        value = json.loads(found.value) if found else None
        for key in keys[1:]:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    async def put_inside(
        self, account: AccountRow, namespace: str, keys: Sequence[str], value: Any, client: str
    ) -> None:
        """Set the value at the end of a path of keys; objects on the way are made where they are missing."""
        place = (account.id, _checked_key(namespace), _checked_key(keys[0]))
        self.buckets.stored.take(client, len(to_json(value)) + sum(map(len, keys)))

        def work(session: Session) -> None:
            kept = session.get(DatumRow, place, with_for_update=True)
            whole: dict[str, Any] = {"": json.loads(kept.value) if kept else None}
            inner, last = whole, ""
            for key in keys[1:]:
                if not isinstance(inner.get(last), dict):
                    inner[last] = {}
                inner, last = inner[last], key
            inner[last] = value
            _put(session, place, to_json(whole[""]))

        await self.database.write(work)


def from_json(text: bytes) -> Any:
    """The value of a JSON text, if it is one that every client can read again."""
    if len(text) > LARGEST_VALUE:
        raise TooLarge(f"a value has at most {LARGEST_VALUE:,} bytes of JSON, not {len(text):,}")
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):  # not JSON, not UTF-8, a number too long, or nested too deep
        raise NoughtError("this is not JSON") from None


def to_json(value: Any) -> str:
    """A value as JSON text, if it is not too large."""
    try:
        text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    except RecursionError:
        raise NoughtError("the value is nested too deep") from None
    if len(text) > LARGEST_VALUE:
        raise TooLarge(f"a value has at most {LARGEST_VALUE:,} bytes of JSON, not {len(text):,}")
    return text


def _put(session: Session, place: tuple[int, str, str], text: str) -> None:
    kept = session.get(DatumRow, place)
    if kept is not None:
        kept.value = text
        return
    # The account is locked, so that two new values at once cannot both be the last that fits.
    session.get_one(AccountRow, place[0], with_for_update=True)
    count = session.scalar(select(func.count()).where(DatumRow.account_id == place[0]))
    if (count or 0) >= VALUES_PER_ACCOUNT:
        raise Conflict(f"an account keeps at most {VALUES_PER_ACCOUNT} values; delete one first")
    session.add(DatumRow(account_id=place[0], namespace=place[1], key=place[2], value=text))


def _checked_key(text: str) -> str:
    if not KEY_PATTERN.fullmatch(text):
        raise NoughtError(
            f"{shown(text)} is no name for a value: 1 to 64 letters, digits, _ - or ., the first a letter or digit"
        )
    return text


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")
